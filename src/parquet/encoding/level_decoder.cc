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

void LevelDecoder::check(uint32_t level) const {
  if (level > max_level_) {
    fail(ErrorCode::kCorruptData, "level above the maximum of its column", "level {}, maximum {}",
         level, max_level_);
  }
}

void LevelDecoder::unpack(int64_t n, uint32_t* out) {
  const int32_t bit_width = level_bit_width(max_level_);
  for (int64_t i = 0; i < n; ++i) {
    uint32_t level = 0;
    for (int32_t bit = 0; bit < bit_width; ++bit, ++packed_bit_) {
      level = level << 1 | (packed_[packed_bit_ / 8] >> (7 - packed_bit_ % 8) & 1u);
    }
    out[i] = level;
  }
}

template <typename Step>
void LevelDecoder::for_each_piece(int64_t n, Step&& step) {
  constexpr int64_t kPiece = 512;
  uint32_t levels[kPiece];
  while (n > 0) {
    uint32_t level = 0;
    int64_t count = packed_ == nullptr ? runs_.take_repeated(n, &level) : 0;
    if (count > 0) {
      check(level);
      step(count, nullptr, static_cast<uint8_t>(level));
    } else {
      count = std::min(n, kPiece);
      if (packed_ == nullptr) {
        runs_.decode(count, levels);
      } else {
        unpack(count, levels);
      }
      uint32_t highest = 0;
      for (int64_t i = 0; i < count; ++i) highest = std::max(highest, levels[i]);
      check(highest);
      step(count, levels, uint8_t{0});
    }
    n -= count;
  }
}

void LevelDecoder::decode(int64_t n, uint8_t* out) {
  for_each_piece(n, [&](int64_t count, const uint32_t* levels, uint8_t level) {
    if (levels == nullptr) {
      std::fill_n(out, count, level);
    } else {
      for (int64_t i = 0; i < count; ++i) out[i] = static_cast<uint8_t>(levels[i]);
    }
    out += count;
  });
}

int64_t LevelDecoder::count(int64_t n, uint8_t level) {
  int64_t found = 0;
  for_each_piece(n, [&](int64_t count, const uint32_t* levels, uint8_t repeated) {
    if (levels == nullptr) {
      found += repeated == level ? count : 0;
    } else {
      for (int64_t i = 0; i < count; ++i) found += levels[i] == level ? 1 : 0;
    }
  });
  return found;
}

}  // namespace colonnade::parquet
