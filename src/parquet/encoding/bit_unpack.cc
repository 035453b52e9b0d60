#include "parquet/encoding/bit_unpack.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace colonnade::parquet {
namespace {

// How many values of `bit_width` bits one 8-byte load holds, whatever bit of its first byte they
// begin at: groups of 8 values begin at bit 0, of 4 at bit 0 or 4, of 2 at an even bit.
constexpr int values_per_load(int bit_width) {
  if (bit_width <= 8) return 8;
  if (bit_width <= 16) return 4;
  return bit_width == 31 ? 1 : 2;
}

template <int kBitWidth>
void unpack(const uint8_t* in, uint32_t* out) {
  if constexpr (kBitWidth == 0) {
    std::memset(out, 0, kUnpackBlock * sizeof(uint32_t));
  } else {
    constexpr int kPerLoad = values_per_load(kBitWidth);
    constexpr uint64_t kMask = (uint64_t{1} << kBitWidth) - 1;
    const auto group = [&]<int kGroup>(std::integral_constant<int, kGroup>) {
      constexpr int kFirstBit = kGroup * kPerLoad * kBitWidth;
      static_assert(kFirstBit % 8 + kPerLoad * kBitWidth <= 64);
      uint64_t word;
      std::memcpy(&word, in + kFirstBit / 8, sizeof(word));
      word >>= kFirstBit % 8;
      for (int i = 0; i < kPerLoad; ++i) {
        out[kGroup * kPerLoad + i] = static_cast<uint32_t>((word >> (i * kBitWidth)) & kMask);
      }
    };
    [&]<int... kGroups>(std::integer_sequence<int, kGroups...>) {
      (group(std::integral_constant<int, kGroups>{}), ...);
    }(std::make_integer_sequence<int, kUnpackBlock / kPerLoad>{});
  }
}

template <int... kBitWidths>
constexpr auto unpack_table(std::integer_sequence<int, kBitWidths...>) {
  return std::array<UnpackFunction, sizeof...(kBitWidths)>{&unpack<kBitWidths>...};
}

constexpr int32_t kMaxTableWidth = 32;
constexpr auto kTable = unpack_table(std::make_integer_sequence<int, kMaxTableWidth + 1>{});

// As the functions of the table do, for 33 to 64 bits.
void unpack_wide(const uint8_t* in, int32_t bit_width, uint64_t* out) noexcept {
  const uint64_t mask = ~uint64_t{0} >> (kMaxUnpackWidth - bit_width);
  for (int32_t i = 0; i < kUnpackBlock; ++i) {
    const int32_t bit = i * bit_width;
    const int32_t shift = bit % 8;
    uint64_t word;
    std::memcpy(&word, in + bit / 8, sizeof(word));
    word >>= shift;
    if (shift + bit_width > 64) word |= uint64_t{in[bit / 8 + 8]} << (64 - shift);
    out[i] = word & mask;
  }
}

}  // namespace

UnpackFunction unpack_function(int32_t bit_width) noexcept {
  return kTable[static_cast<size_t>(bit_width)];
}

void unpack_block(const uint8_t* in, const uint8_t* readable_end, int32_t bit_width,
                  uint64_t* out) noexcept {
  const int64_t block_bytes = bit_width * (kUnpackBlock / 8);
  uint8_t padded[kMaxUnpackWidth * (kUnpackBlock / 8) + kUnpackOverread];
  if (const int64_t readable = readable_end - in; readable < block_bytes + kUnpackOverread) {
    const int64_t copied = std::min(readable, block_bytes);
    std::memcpy(padded, in, static_cast<size_t>(copied));
    std::memset(padded + copied, 0, static_cast<size_t>(block_bytes - copied + kUnpackOverread));
    in = padded;
  }
  if (bit_width > kMaxTableWidth) return unpack_wide(in, bit_width, out);
  uint32_t narrow[kUnpackBlock];
  unpack_function(bit_width)(in, narrow);
  std::copy(narrow, narrow + kUnpackBlock, out);
}

}  // namespace colonnade::parquet
