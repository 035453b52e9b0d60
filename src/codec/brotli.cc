#include <brotli/decode.h>
#include <brotli/encode.h>

#include <memory>

#include "base/fail.h"
#include "codec/codecs.h"

namespace colonnade::codec {
namespace {

// A meta-block stands for at most 2^24 bytes (RFC 7932, section 9.2), and its header and prefix
// codes take six bytes at the least.
constexpr int64_t kMaxExpansion = (int64_t{1} << 24) / 6;
constexpr int32_t kDefaultLevel = 8;

struct FreeDecoder {
  void operator()(BrotliDecoderState* it) const noexcept { BrotliDecoderDestroyInstance(it); }
};

// The stream does not say how much it holds.
std::optional<int64_t> claimed_bytes(std::span<const uint8_t>) { return std::nullopt; }

bool is_out_of_memory(BrotliDecoderErrorCode code) {
  return code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
         code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES;
}

void decompress(std::span<const uint8_t> in, std::span<uint8_t> out) {
  const std::unique_ptr<BrotliDecoderState, FreeDecoder> decoder(
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
  if (!decoder) fail(ErrorCode::kOutOfBudget, "no memory for the brotli decompressor");
  size_t in_bytes = in.size();
  const uint8_t* from = in.data();
  size_t out_bytes = out.size();
  uint8_t nothing = 0;
  uint8_t* to = out.empty() ? &nothing : out.data();
  const BrotliDecoderResult result =
      BrotliDecoderDecompressStream(decoder.get(), &in_bytes, &from, &out_bytes, &to, nullptr);
  switch (result) {
    case BROTLI_DECODER_RESULT_SUCCESS:
      break;
    case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
      fail(ErrorCode::kCorruptData, "compressed bytes hold another size than stated",
           "codec brotli, more than the {} bytes stated, {} bytes compressed", out.size(),
           in.size());
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
      fail(ErrorCode::kCorruptData, "brotli bytes are cut off", "{} bytes compressed, {} stated",
           in.size(), out.size());
    case BROTLI_DECODER_RESULT_ERROR: {
      const BrotliDecoderErrorCode code = BrotliDecoderGetErrorCode(decoder.get());
      fail(is_out_of_memory(code) ? ErrorCode::kOutOfBudget : ErrorCode::kCorruptData,
           "brotli bytes are broken", "{}, {} bytes compressed, {} stated",
           BrotliDecoderErrorString(code), in.size(), out.size());
    }
  }
  if (in_bytes != 0) {
    fail(ErrorCode::kCorruptData, "brotli bytes are broken", "{} of {} bytes behind the end",
         in_bytes, in.size());
  }
  if (out_bytes != 0) {
    fail_size("brotli", out.size() - out_bytes, out.size());
  }
}

int64_t max_compressed_bytes(int64_t size_bytes) {
  return static_cast<int64_t>(BrotliEncoderMaxCompressedSize(checked_size(size_bytes)));
}

int64_t compress(std::span<const uint8_t> in, std::span<uint8_t> out, int32_t level) {
  check_level("brotli", level, 0, BROTLI_MAX_QUALITY);
  check_room("brotli", in.size(), out.size(),
             max_compressed_bytes(static_cast<int64_t>(in.size())));
  size_t written_bytes = out.size();
  if (BrotliEncoderCompress(level == 0 ? kDefaultLevel : level, BROTLI_DEFAULT_WINDOW,
                            BROTLI_MODE_GENERIC, in.size(), in.data(), &written_bytes,
                            out.data()) != BROTLI_TRUE) {
    fail(ErrorCode::kOutOfBudget, "no memory for the brotli compressor", "{} bytes, level {}",
         in.size(), level);
  }
  return static_cast<int64_t>(written_bytes);
}

}  // namespace

const CodecInfo kBrotliInfo = {Codec::kBrotli,       "brotli", kMaxExpansion, decompress,
                               max_compressed_bytes, compress, claimed_bytes};

}  // namespace colonnade::codec
