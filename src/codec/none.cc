#include <cstring>

#include "base/fail.h"
#include "codec/codecs.h"

namespace colonnade::codec {
namespace {

void decompress(std::span<const uint8_t> in, std::span<uint8_t> out) {
  if (in.size() != out.size()) {
    fail(ErrorCode::kCorruptData, "uncompressed bytes have another size than stated",
         "{} bytes held, {} stated", in.size(), out.size());
  }
  if (!in.empty()) std::memcpy(out.data(), in.data(), in.size());
}

int64_t max_compressed_bytes(int64_t size_bytes) { return size_bytes; }

int64_t compress(std::span<const uint8_t> in, std::span<uint8_t> out, int32_t level) {
  if (level != 0) fail(ErrorCode::kInvalidArgument, "codec has no levels", "none, level {}", level);
  if (out.size() < in.size()) {
    fail(ErrorCode::kInternal, "output of the compressor is too small", "none, {} bytes for {}",
         out.size(), in.size());
  }
  if (!in.empty()) std::memcpy(out.data(), in.data(), in.size());
  return static_cast<int64_t>(in.size());
}

std::optional<int64_t> claimed_bytes(std::span<const uint8_t> in) {
  return static_cast<int64_t>(in.size());
}

}  // namespace

const CodecInfo kNoneInfo = {Codec::kNone, "none",       1, decompress, max_compressed_bytes,
                             compress,     claimed_bytes};

}  // namespace colonnade::codec
