// Bits of validity and boolean buffers: least significant bit first, as Arrow has them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace colonnade::bits {

static_assert(std::endian::native == std::endian::little, "buffers are read as little endian");

constexpr int64_t bytes_for(int64_t num_bits) noexcept { return num_bits / 8 + (num_bits % 8 != 0); }
constexpr int64_t round_up(int64_t value, int64_t multiple_of_power_of_two) noexcept {
  return (value + multiple_of_power_of_two - 1) & ~(multiple_of_power_of_two - 1);
}

inline bool get(const uint8_t* bits, int64_t i) noexcept { return (bits[i >> 3] >> (i & 7)) & 1; }
inline void set(uint8_t* bits, int64_t i) noexcept { bits[i >> 3] = static_cast<uint8_t>(bits[i >> 3] | (1u << (i & 7))); }
inline void clear(uint8_t* bits, int64_t i) noexcept { bits[i >> 3] = static_cast<uint8_t>(bits[i >> 3] & ~(1u << (i & 7))); }

// Sets bits [offset, offset + length) to `value`; other bits stay.
void fill(uint8_t* bits, int64_t offset, int64_t length, bool value) noexcept;
// Ones among bits [offset, offset + length).
int64_t count(const uint8_t* bits, int64_t offset, int64_t length) noexcept;
// Copies `length` bits; the ranges do not overlap; other bits of `out` stay.
void copy(const uint8_t* in, int64_t in_offset, int64_t length, uint8_t* out, int64_t out_offset) noexcept;

// Calls run(start, length) for each maximal run of ones in [offset, offset + length); start counts from `offset`.
template <typename Run>
void for_each_run(const uint8_t* bits, int64_t offset, int64_t length, Run&& run);

}  // namespace colonnade::bits
