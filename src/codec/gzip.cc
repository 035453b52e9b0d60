#include <libdeflate.h>

#include <memory>

#include "base/fail.h"
#include "codec/codecs.h"

namespace colonnade::codec {
namespace {

// The densest block of DEFLATE (RFC 1951) has a bit for a length and a bit for a distance: 258
// bytes from two bits.
constexpr int64_t kMaxExpansion = 1032;
constexpr int32_t kDefaultLevel = 6;
constexpr int32_t kMaxLevel = 12;

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* it) const noexcept { libdeflate_free_decompressor(it); }
};
struct FreeCompressor {
  void operator()(libdeflate_compressor* it) const noexcept { libdeflate_free_compressor(it); }
};

libdeflate_decompressor* decompressor() {
  thread_local std::unique_ptr<libdeflate_decompressor, FreeDecompressor> kept;
  if (!kept) kept.reset(libdeflate_alloc_decompressor());
  if (!kept) fail(ErrorCode::kOutOfBudget, "no memory for the gzip decompressor");
  return kept.get();
}

// A member says its size in its last bytes only, modulo 2^32, and others may follow.
std::optional<int64_t> claimed_bytes(std::span<const uint8_t>) { return std::nullopt; }

// One member behind the other, as RFC 1952, section 2.2 allows.
void decompress(std::span<const uint8_t> in, std::span<uint8_t> out) {
  const size_t in_bytes = in.size();
  const size_t out_bytes = out.size();
  uint8_t nothing = 0;
  do {
    size_t read_bytes = 0;
    size_t written_bytes = 0;
    const libdeflate_result result = libdeflate_gzip_decompress_ex(
        decompressor(), in.data(), in.size(), out.empty() ? &nothing : out.data(), out.size(),
        &read_bytes, &written_bytes);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
      fail(ErrorCode::kCorruptData, "compressed bytes hold another size than stated",
           "codec gzip, more than the {} bytes stated, {} bytes compressed", out_bytes, in_bytes);
    }
    if (result != LIBDEFLATE_SUCCESS) {
      fail(ErrorCode::kCorruptData, "gzip bytes are broken",
           "member at byte {} of {} compressed, {} stated", in_bytes - in.size(), in_bytes,
           out_bytes);
    }
    in = in.subspan(read_bytes);
    out = out.subspan(written_bytes);
  } while (!in.empty());
  if (!out.empty()) {
    fail_size("gzip", out_bytes - out.size(), out_bytes);
  }
}

int64_t max_compressed_bytes(int64_t size_bytes) {
  return static_cast<int64_t>(libdeflate_gzip_compress_bound(nullptr, checked_size(size_bytes)));
}

int64_t compress(std::span<const uint8_t> in, std::span<uint8_t> out, int32_t level) {
  check_level("gzip", level, 0, kMaxLevel);
  check_room("gzip", in.size(), out.size(), max_compressed_bytes(static_cast<int64_t>(in.size())));
  const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor(
      libdeflate_alloc_compressor(level == 0 ? kDefaultLevel : level));
  if (!compressor) {
    fail(ErrorCode::kOutOfBudget, "no memory for the gzip compressor", "{} bytes to compress",
         in.size());
  }
  const size_t written_bytes =
      libdeflate_gzip_compress(compressor.get(), in.data(), in.size(), out.data(), out.size());
  if (written_bytes == 0) {
    fail(ErrorCode::kInternal, "gzip cannot compress", "{} bytes, level {}", in.size(), level);
  }
  return static_cast<int64_t>(written_bytes);
}

}  // namespace

const CodecInfo kGzipInfo = {Codec::kGzip,         "gzip",   kMaxExpansion, decompress,
                             max_compressed_bytes, compress, claimed_bytes};

uint32_t crc32(std::span<const uint8_t> bytes) noexcept {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

}  // namespace colonnade::codec
