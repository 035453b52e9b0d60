// LZ4 blocks: alone (Parquet's LZ4_RAW), and in the frames of Hadoop's Lz4Codec (Parquet's LZ4,
// deprecated). Hadoop's frames: the number of bytes they hold, in 4 bytes big-endian, then blocks,
// each behind its compressed size in 4 bytes big-endian, until so many bytes came out; then the
// next frame. What some writers call LZ4 is a block alone.
#include <lz4.h>

#include "base/fail.h"
#include "codec/codecs.h"

namespace colonnade::codec {
namespace {

// A byte that extends a match's length stands for 255 bytes.
constexpr int64_t kMaxExpansion = 255;
constexpr size_t kWordBytes = 4;

std::optional<int64_t> claimed_bytes(std::span<const uint8_t>) { return std::nullopt; }

// The bytes of one block, written to the front of `out`; absent when it is broken or holds more.
std::optional<size_t> decompress_block(std::span<const uint8_t> in, std::span<uint8_t> out) {
  if (in.size() > LZ4_MAX_INPUT_SIZE || out.size() > LZ4_MAX_INPUT_SIZE) return std::nullopt;
  char nothing = 0;
  const int written_bytes =
      LZ4_decompress_safe(reinterpret_cast<const char*>(in.data()),
                          out.empty() ? &nothing : reinterpret_cast<char*>(out.data()),
                          static_cast<int>(in.size()), static_cast<int>(out.size()));
  if (written_bytes < 0) return std::nullopt;
  return static_cast<size_t>(written_bytes);
}

void decompress_raw(std::span<const uint8_t> in, std::span<uint8_t> out) {
  if (decompress_block(in, out) != out.size()) {
    fail(ErrorCode::kCorruptData, "lz4 bytes are broken, or hold another size than stated",
         "{} bytes compressed, {} stated", in.size(), out.size());
  }
}

// Takes a big-endian word from the front.
std::optional<size_t> take_word(std::span<const uint8_t>& in) {
  if (in.size() < kWordBytes) return std::nullopt;
  size_t word = 0;
  for (const uint8_t byte : in.first(kWordBytes)) word = word << 8 | byte;
  in = in.subspan(kWordBytes);
  return word;
}

// False when `in` is not Hadoop frames that hold just as much as `out` takes.
bool decompress_frames(std::span<const uint8_t> in, std::span<uint8_t> out) {
  do {
    const std::optional<size_t> frame_bytes = take_word(in);
    if (!frame_bytes || *frame_bytes > out.size()) return false;
    std::span<uint8_t> frame = out.first(*frame_bytes);
    out = out.subspan(*frame_bytes);
    while (!frame.empty()) {
      const std::optional<size_t> block_bytes = take_word(in);
      if (!block_bytes || *block_bytes > in.size()) return false;
      const std::optional<size_t> written_bytes = decompress_block(in.first(*block_bytes), frame);
      if (!written_bytes) return false;
      in = in.subspan(*block_bytes);
      frame = frame.subspan(*written_bytes);
    }
  } while (!in.empty());
  return out.empty();
}

void decompress_hadoop(std::span<const uint8_t> in, std::span<uint8_t> out) {
  if (!decompress_frames(in, out)) decompress_raw(in, out);
}

int64_t max_compressed_bytes(int64_t size_bytes) {
  if (size_bytes < 0 || size_bytes > LZ4_MAX_INPUT_SIZE) {
    fail(ErrorCode::kInvalidArgument, "too many bytes for one lz4 block", "{} bytes, at most {}",
         size_bytes, LZ4_MAX_INPUT_SIZE);
  }
  return LZ4_compressBound(static_cast<int>(size_bytes));
}

int64_t compress_raw(std::span<const uint8_t> in, std::span<uint8_t> out, int32_t level) {
  check_no_level("lz4", level);
  check_room("lz4", in.size(), out.size(), max_compressed_bytes(static_cast<int64_t>(in.size())));
  return LZ4_compress_default(reinterpret_cast<const char*>(in.data()),
                              reinterpret_cast<char*>(out.data()), static_cast<int>(in.size()),
                              LZ4_compressBound(static_cast<int>(in.size())));
}

int64_t max_hadoop_bytes(int64_t size_bytes) {
  return max_compressed_bytes(size_bytes) + static_cast<int64_t>(2 * kWordBytes);
}

void put_word(std::span<uint8_t> out, int64_t word) {
  for (size_t i = 0; i < kWordBytes; ++i) out[i] = static_cast<uint8_t>(word >> (24 - 8 * i));
}

// One frame of one block.
int64_t compress_hadoop(std::span<const uint8_t> in, std::span<uint8_t> out, int32_t level) {
  check_room("lz4", in.size(), out.size(), max_hadoop_bytes(static_cast<int64_t>(in.size())));
  const int64_t block_bytes = compress_raw(in, out.subspan(2 * kWordBytes), level);
  put_word(out, static_cast<int64_t>(in.size()));
  if (in.empty()) return kWordBytes;
  put_word(out.subspan(kWordBytes), block_bytes);
  return static_cast<int64_t>(2 * kWordBytes) + block_bytes;
}

}  // namespace

const CodecInfo kLz4RawInfo = {Codec::kLz4Raw,       "lz4_raw",    kMaxExpansion, decompress_raw,
                               max_compressed_bytes, compress_raw, claimed_bytes};
const CodecInfo kLz4HadoopInfo = {
    Codec::kLz4Hadoop, "lz4",           kMaxExpansion, decompress_hadoop,
    max_hadoop_bytes,  compress_hadoop, claimed_bytes};

}  // namespace colonnade::codec
