// Block compression: one file per codec, one registry.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace colonnade::codec {

enum class Codec : uint8_t { kNone, kSnappy, kZstd, kGzip, kBrotli, kLz4Raw, kLz4Hadoop };

// A row of the registry. The functions are thread-safe and keep their state per thread (zstd: about
// 160 KiB per thread that decompresses, and up to 8 MiB per thread that compresses; gzip: 11 KiB;
// brotli: up to 17 MiB while it decompresses, no more than twice the output; all outside of any
// budget).
struct CodecInfo {
  Codec codec;
  std::string_view name;  // "snappy"
  // The most bytes that one compressed byte can expand to.
  int64_t max_expansion;
  // Fills `out` exactly; kCorruptData when the input is broken or holds more or fewer bytes. Empty
  // input is no stream of any of them, even where `out` is empty.
  void (*decompress)(std::span<const uint8_t> in, std::span<uint8_t> out);
  // Bytes that compress() may need at most for `size_bytes` of input.
  int64_t (*max_compressed_bytes)(int64_t size_bytes);
  // Writes to `out` (of at least max_compressed_bytes) and returns the bytes written. `level` 0:
  // the codec's default; kInvalidArgument for a level that the codec does not have.
  int64_t (*compress)(std::span<const uint8_t> in, std::span<uint8_t> out, int32_t level);
  // The size that the compressed bytes claim, where they do (none, snappy, most zstd frames);
  // kCorruptData when unreadable.
  std::optional<int64_t> (*claimed_bytes)(std::span<const uint8_t> in);
};

const CodecInfo& info(Codec codec);

// CRC-32 as in gzip (polynomial 0x04C11DB7, reflected).
uint32_t crc32(std::span<const uint8_t> bytes) noexcept;

// Whether `in` could expand to `out_bytes`: to be asked before memory is reserved for it.
// kCorruptData when the codec cannot expand so far or the frame's own size differs; kOutOfBudget
// above `limit_bytes`.
void check_expansion(Codec codec, std::span<const uint8_t> in, int64_t out_bytes,
                     int64_t limit_bytes);

}  // namespace colonnade::codec
