#include <zstd.h>
#include <zstd_errors.h>

#include <cstring>
#include <limits>
#include <memory>

#include "base/fail.h"
#include "codec/codecs.h"

namespace colonnade::codec {
namespace {

// The densest block is a run: four bytes that stand for at most 128 KiB.
constexpr int64_t kMaxExpansion = (int64_t{128} << 10) / 4;

// A compressor of a high level holds many megabytes, which are not kept for the next call.
constexpr size_t kMaxKeptContextBytes = size_t{8} << 20;

struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};
struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
};

// One per thread. It decompresses in one shot into the output, which serves as the window: whatever
// window a frame asks for, nothing is allocated for it.
ZSTD_DCtx* decompressor() {
  thread_local std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context;
  if (!context) context.reset(ZSTD_createDCtx());
  if (!context) fail(ErrorCode::kOutOfBudget, "no memory for the zstd decompressor");
  return context.get();
}

std::unique_ptr<ZSTD_CCtx, FreeCompressor>& compressor() {
  thread_local std::unique_ptr<ZSTD_CCtx, FreeCompressor> context;
  if (!context) context.reset(ZSTD_createCCtx());
  if (!context) fail(ErrorCode::kOutOfBudget, "no memory for the zstd compressor");
  return context;
}

[[noreturn, gnu::cold]] void fail_broken(size_t result, size_t in_bytes, size_t out_bytes) {
  const ErrorCode code = ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation
                             ? ErrorCode::kOutOfBudget
                             : ErrorCode::kCorruptData;
  fail(code, "zstd bytes are broken", "{}, {} bytes compressed, {} stated",
       ZSTD_getErrorName(result), in_bytes, out_bytes);
}

// A frame of the format's final version, or one to be skipped. The library itself may also read the
// formats of before 2016, which no Parquet file has.
bool is_frame(std::span<const uint8_t> in) {
  uint32_t magic = 0;
  if (in.size() < sizeof(magic)) return false;
  std::memcpy(&magic, in.data(), sizeof(magic));
  return magic == 0xFD2FB528u || (magic & 0xFFFFFFF0u) == 0x184D2A50u;
}

// The sum over all frames; absent when one of them does not say. Looks at the headers of frames and
// blocks alone, so a success does not mean that the frames can be decompressed.
std::optional<int64_t> claimed_bytes(std::span<const uint8_t> in) {
  const size_t in_bytes = in.size();
  if (in.empty()) {
    fail(ErrorCode::kCorruptData, "zstd bytes hold no frame", "0 bytes compressed");
  }
  int64_t total_bytes = 0;
  bool all_claim = true;
  while (!in.empty()) {
    if (!is_frame(in)) {
      fail(ErrorCode::kCorruptData, "zstd frame cannot be read",
           "no frame at byte {} of {} compressed", in_bytes - in.size(), in_bytes);
    }
    const unsigned long long frame_bytes = ZSTD_getFrameContentSize(in.data(), in.size());
    if (frame_bytes == ZSTD_CONTENTSIZE_ERROR) {
      fail(ErrorCode::kCorruptData, "zstd frame cannot be read",
           "broken header at byte {} of {} compressed", in_bytes - in.size(), in_bytes);
    }
    if (frame_bytes == ZSTD_CONTENTSIZE_UNKNOWN) {
      all_claim = false;
    } else if (frame_bytes >
               static_cast<uint64_t>(std::numeric_limits<int64_t>::max() - total_bytes)) {
      fail(ErrorCode::kCorruptData, "zstd frame claims an impossible size",
           "{} bytes after {}, {} bytes compressed", frame_bytes, total_bytes, in_bytes);
    } else {
      total_bytes += static_cast<int64_t>(frame_bytes);
    }
    const size_t compressed_bytes = ZSTD_findFrameCompressedSize(in.data(), in.size());
    if (ZSTD_isError(compressed_bytes) || compressed_bytes == 0 || compressed_bytes > in.size()) {
      fail(ErrorCode::kCorruptData, "zstd frame cannot be read",
           "no end of the frame at byte {} of {} compressed", in_bytes - in.size(), in_bytes);
    }
    in = in.subspan(compressed_bytes);
  }
  if (!all_claim) return std::nullopt;
  return total_bytes;
}

void decompress(std::span<const uint8_t> in, std::span<uint8_t> out) {
  const std::optional<int64_t> claimed = claimed_bytes(in);
  if (claimed && *claimed != static_cast<int64_t>(out.size())) {
    fail_size("zstd", static_cast<size_t>(*claimed), out.size());
  }
  const size_t result =
      ZSTD_decompressDCtx(decompressor(), out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(result)) fail_broken(result, in.size(), out.size());
  if (result != out.size()) {
    fail_size("zstd", result, out.size());
  }
}

int64_t max_compressed_bytes(int64_t size_bytes) {
  return static_cast<int64_t>(ZSTD_compressBound(checked_size(size_bytes)));
}

int64_t compress(std::span<const uint8_t> in, std::span<uint8_t> out, int32_t level) {
  check_level("zstd", level, ZSTD_minCLevel(), ZSTD_maxCLevel());
  check_room("zstd", in.size(), out.size(), max_compressed_bytes(static_cast<int64_t>(in.size())));
  auto& context = compressor();
  const size_t result =
      ZSTD_compressCCtx(context.get(), out.data(), out.size(), in.data(), in.size(), level);
  if (ZSTD_sizeof_CCtx(context.get()) > kMaxKeptContextBytes) context.reset();
  if (ZSTD_isError(result)) {
    const ErrorCode code = ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation
                               ? ErrorCode::kOutOfBudget
                               : ErrorCode::kInternal;
    fail(code, "zstd cannot compress", "{}, {} bytes, level {}", ZSTD_getErrorName(result),
         in.size(), level);
  }
  return static_cast<int64_t>(result);
}

}  // namespace

const CodecInfo kZstdInfo = {Codec::kZstd,         "zstd",   kMaxExpansion, decompress,
                             max_compressed_bytes, compress, claimed_bytes};

}  // namespace colonnade::codec
