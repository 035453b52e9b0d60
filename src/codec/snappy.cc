#include <snappy.h>

#include <limits>
#include <new>

#include "base/fail.h"
#include "codec/codecs.h"

namespace colonnade::codec {
namespace {

// The length that stands in front is a varint of 32 bits.
constexpr int64_t kMaxBytes = std::numeric_limits<uint32_t>::max();

// The densest element is a copy of 64 bytes in three: 21.3 bytes from one.
constexpr int64_t kMaxExpansion = 22;

std::optional<int64_t> claimed_bytes(std::span<const uint8_t> in) {
  size_t size_bytes = 0;
  if (!::snappy::GetUncompressedLength(reinterpret_cast<const char*>(in.data()), in.size(),
                                       &size_bytes)) {
    fail(ErrorCode::kCorruptData, "snappy length cannot be read", "{} bytes compressed", in.size());
  }
  return static_cast<int64_t>(size_bytes);
}

void decompress(std::span<const uint8_t> in, std::span<uint8_t> out) {
  const int64_t held_bytes = *claimed_bytes(in);
  if (held_bytes != static_cast<int64_t>(out.size())) {
    fail_size("snappy", static_cast<size_t>(held_bytes), out.size());
  }
  // The decompressor is given an address even where there is nothing to write.
  char nothing = 0;
  char* to = out.empty() ? &nothing : reinterpret_cast<char*>(out.data());
  if (!::snappy::RawUncompress(reinterpret_cast<const char*>(in.data()), in.size(), to)) {
    fail(ErrorCode::kCorruptData, "snappy bytes are broken", "{} bytes compressed, {} stated",
         in.size(), out.size());
  }
}

int64_t max_compressed_bytes(int64_t size_bytes) {
  if (size_bytes < 0 || size_bytes > kMaxBytes) {
    fail(ErrorCode::kInvalidArgument, "too many bytes for one snappy block", "{} bytes, at most {}",
         size_bytes, kMaxBytes);
  }
  return static_cast<int64_t>(::snappy::MaxCompressedLength(static_cast<size_t>(size_bytes)));
}

int64_t compress(std::span<const uint8_t> in, std::span<uint8_t> out, int32_t level) {
  check_no_level("snappy", level);
  check_room("snappy", in.size(), out.size(),
             max_compressed_bytes(static_cast<int64_t>(in.size())));
  size_t written_bytes = 0;
  try {
    ::snappy::RawCompress(reinterpret_cast<const char*>(in.data()), in.size(),
                          reinterpret_cast<char*>(out.data()), &written_bytes);
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::kOutOfBudget, "no memory for the snappy compressor", "{} bytes to compress",
         in.size());
  }
  return static_cast<int64_t>(written_bytes);
}

}  // namespace

const CodecInfo kSnappyInfo = {Codec::kSnappy,       "snappy", kMaxExpansion, decompress,
                               max_compressed_bytes, compress, claimed_bytes};

}  // namespace colonnade::codec
