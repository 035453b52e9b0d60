#include "parquet/encoding/bit_unpack.h"

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

constexpr auto kTable = unpack_table(std::make_integer_sequence<int, 33>{});

}  // namespace

UnpackFunction unpack_function(int32_t bit_width) noexcept {
  return kTable[static_cast<size_t>(bit_width)];
}

}  // namespace colonnade::parquet
