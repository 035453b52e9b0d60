// PLAIN booleans: one bit each, least significant bit first.
#pragma once

#include <cstdint>
#include <span>

namespace colonnade::parquet {

// A value; refers to the bytes.
class PlainBooleanDecoder {
 public:
  PlainBooleanDecoder() = default;
  // kCorruptData when `bytes` hold fewer than num_values bits; afterwards nothing is checked.
  void start(std::span<const uint8_t> bytes, int64_t num_values);

  // The next n values (n <= those that are left) to bits [bit_offset, bit_offset + n) of `bits`.
  // Other bits stay.
  void decode(int64_t n, uint8_t* bits, int64_t bit_offset);
  void skip(int64_t n) noexcept { position_ += n; }

 private:
  const uint8_t* bytes_ = nullptr;
  int64_t position_ = 0;  // bits
};

}  // namespace colonnade::parquet
