// Definition and repetition levels of nested columns, a byte each.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "parquet/encoding/rle_bit_packed.h"
#include "parquet/format/types.h"

namespace colonnade::parquet {

constexpr int32_t level_bit_width(int32_t max_level) noexcept {
  return std::bit_width(static_cast<uint32_t>(max_level));
}

// A position in the levels of a page. A value: a copy decodes on from the same place. Refers to the
// bytes.
class LevelDecoder {
 public:
  LevelDecoder() = default;
  // `bytes` of kRle are runs without a length in front, of kBitPacked (deprecated:
  // https://parquet.apache.org/docs/file-format/data-pages/encodings/#bit-packed-deprecated-bit_packed--4)
  // numbers one after the other, the most significant bit first. 0 <= max_level <= 255; 0 needs no
  // bytes. kCorruptData when bit-packed levels are fewer than num_values.
  void start(std::span<const uint8_t> bytes, EncodingId encoding, uint8_t max_level,
             int64_t num_values);

  // The next n levels. kCorruptData for one above max_level, and when there are fewer.
  void decode(int64_t n, uint8_t* out);
  // How many of the next n levels are `level`; passes over them.
  int64_t count(int64_t n, uint8_t level);

 private:
  void unpack(int64_t n, uint8_t* out);

  RleBitPackedDecoder runs_;
  const uint8_t* packed_ = nullptr;  // of kBitPacked
  int64_t packed_bit_ = 0;
  uint8_t max_level_ = 0;
};

}  // namespace colonnade::parquet
