// BYTE_STREAM_SPLIT (Encodings.md, "Byte Stream Split"): the first bytes of all values, then all
// second bytes, and so on. Streams of one page have one length, the number of its values.
#pragma once

#include <cstdint>
#include <span>

namespace colonnade::parquet {

// A value; refers to the bytes.
class ByteStreamSplitDecoder {
 public:
  ByteStreamSplitDecoder() = default;
  // kCorruptData when `bytes` are not num_values values of width_bytes >= 0 each; afterwards
  // nothing is checked.
  void start(std::span<const uint8_t> bytes, int64_t num_values, int32_t width_bytes);

  // The next n values, one after another, to n * width_bytes bytes; n <= the values that are left.
  void decode(int64_t n, uint8_t* out) noexcept;
  void skip(int64_t n) noexcept { position_ += n; }

 private:
  const uint8_t* position_ = nullptr;  // of the next value's first byte
  int64_t stride_bytes_ = 0;           // from a byte of a value to its next
  int64_t width_bytes_ = 0;
};

}  // namespace colonnade::parquet
