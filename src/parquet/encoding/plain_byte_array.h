// PLAIN byte arrays: 4 bytes of length, then the bytes, one value after another.
#pragma once

#include <cstdint>
#include <span>

namespace colonnade::parquet {

// Bytes [offset, offset + length) of a page.
struct ByteSlice {
  uint32_t offset = 0;
  uint32_t length = 0;
};

// A value: a copy decodes on from the same place. Refers to the bytes. Lengths are checked as they
// are met: kCorruptData for one that is negative as signed number or passes the end of the page.
class PlainByteArrayDecoder {
 public:
  PlainByteArrayDecoder() = default;
  // kCorruptData when `bytes` cannot hold num_values lengths.
  void start(std::span<const uint8_t> bytes, int64_t num_values);

  // Where the next n <= values_left() values lie in the bytes given to start(); returns the sum of
  // their lengths.
  int64_t decode(int64_t n, ByteSlice* out);
  // Passes over n <= values_left() values; returns the sum of their lengths.
  int64_t skip(int64_t n);

  int64_t values_left() const noexcept { return values_left_; }

 private:
  template <typename Take>
  int64_t pass(int64_t n, Take&& take);

  const uint8_t* bytes_ = nullptr;
  int64_t size_ = 0;
  int64_t position_ = 0;
  int64_t values_left_ = 0;
};

}  // namespace colonnade::parquet
