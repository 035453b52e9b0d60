#include "parquet/encoding/level_decoder.h"

#include <algorithm>

#include "base/bits.h"
#include "base/fail.h"

namespace colonnade::parquet {

void LevelDecoder::start(std::span<const uint8_t> bytes, EncodingId encoding, uint8_t max_level,
                         int64_t num_values) {
  *this = LevelDecoder();
  max_level_ = max_level;
  const int32_t bit_width = level_bit_width(max_level);
  if (encoding == EncodingId::kBitPacked && bit_width > 0) {
    const int64_t wanted = bits::bytes_for(num_values * bit_width);
    if (static_cast<int64_t>(bytes.size()) < wanted) {
      fail(ErrorCode::kCorruptData, "bit-packed levels shorter than their number",
           "{} bytes, {} levels of {} bits", bytes.size(), num_values, bit_width);
    }
    packed_ = bytes.data();
  } else {
    runs_.start(bytes, bit_width, num_values);
  }
}

void LevelDecoder::unpack(int64_t n, uint8_t* out) {
  const int32_t bit_width = level_bit_width(max_level_);
  for (int64_t i = 0; i < n; ++i) {
    uint32_t level = 0;
    for (int32_t bit = 0; bit < bit_width; ++bit, ++packed_bit_) {
      level = level << 1 | (packed_[packed_bit_ / 8] >> (7 - packed_bit_ % 8) & 1u);
    }
    out[i] = static_cast<uint8_t>(level);
  }
}

void LevelDecoder::decode(int64_t n, uint8_t* out) {
  if (packed_ != nullptr) {
    unpack(n, out);
  } else {
    runs_.decode(n, out);
  }
  uint8_t above = 0;
  for (int64_t i = 0; i < n; ++i) above = static_cast<uint8_t>(above | (out[i] > max_level_));
  if (above != 0) {
    fail(ErrorCode::kCorruptData, "level above the maximum of its column", "level {}, maximum {}",
         *std::max_element(out, out + n), max_level_);
  }
}

int64_t LevelDecoder::count(int64_t n, uint8_t level) {
  constexpr int64_t kPiece = 2048;
  uint8_t levels[kPiece];
  int64_t found = 0;
  for (; n > 0; n -= std::min(n, kPiece)) {
    const int64_t piece = std::min(n, kPiece);
    decode(piece, levels);
    found += std::count(levels, levels + piece, level);
  }
  return found;
}

}  // namespace colonnade::parquet
