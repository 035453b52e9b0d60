// Bits of validity and boolean buffers: least significant bit first, as Arrow has them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace colonnade::bits {

static_assert(std::endian::native == std::endian::little, "buffers are read as little endian");

constexpr int64_t bytes_for(int64_t num_bits) noexcept {
  return num_bits / 8 + (num_bits % 8 != 0);
}
constexpr int64_t round_up(int64_t value, int64_t multiple_of_power_of_two) noexcept {
  return (value + multiple_of_power_of_two - 1) & ~(multiple_of_power_of_two - 1);
}

inline bool get(const uint8_t* bits, int64_t i) noexcept { return (bits[i >> 3] >> (i & 7)) & 1; }
inline void set(uint8_t* bits, int64_t i) noexcept {
  bits[i >> 3] = static_cast<uint8_t>(bits[i >> 3] | (1u << (i & 7)));
}
inline void clear(uint8_t* bits, int64_t i) noexcept {
  bits[i >> 3] = static_cast<uint8_t>(bits[i >> 3] & ~(1u << (i & 7)));
}

// Sets bits [offset, offset + length) to `value`; other bits stay.
void fill(uint8_t* bits, int64_t offset, int64_t length, bool value) noexcept;
// Ones among bits [offset, offset + length).
int64_t count(const uint8_t* bits, int64_t offset, int64_t length) noexcept;
// Copies `length` bits; the ranges do not overlap; other bits of `out` stay.
void copy(const uint8_t* in, int64_t in_offset, int64_t length, uint8_t* out,
          int64_t out_offset) noexcept;

// Bits [offset, offset + length) from bytes that are 0 or 1; other bits stay.
void pack(const uint8_t* bytes, int64_t length, uint8_t* bits, int64_t offset) noexcept;

// Bits [offset, offset + num_bits) in the low bits of a word, zeros above; num_bits <= 64. Touches
// only the bytes that hold them.
inline uint64_t load(const uint8_t* bits, int64_t offset, int64_t num_bits) noexcept {
  if (num_bits == 0) return 0;
  const uint8_t* first = bits + (offset >> 3);
  const int shift = static_cast<int>(offset & 7);
  const int64_t num_bytes = bytes_for(shift + num_bits);  // 1 to 9
  uint64_t word = 0;
  if (num_bytes >= 8) {
    std::memcpy(&word, first, 8);
  } else {
    std::memcpy(&word, first, static_cast<size_t>(num_bytes));
  }
  word >>= shift;
  // A ninth byte is there only when shift > 0.
  if (num_bytes == 9) word |= static_cast<uint64_t>(first[8]) << (64 - shift);
  return num_bits == 64 ? word : word & ((uint64_t{1} << num_bits) - 1);
}

// Calls run(start, length) for each maximal run of ones in [offset, offset + length); start counts
// from `offset`.
template <typename Run>
void for_each_run(const uint8_t* bits, int64_t offset, int64_t length, Run&& run) {
  int64_t open = -1;  // where the run began that reaches the end of the words so far; -1: none
  for (int64_t begin = 0; begin < length; begin += 64) {
    const int n = static_cast<int>(length - begin < 64 ? length - begin : 64);
    uint64_t word = load(bits, offset + begin, n);
    int at = 0;  // bits of the word that are done
    if (open >= 0) {
      at = std::countr_one(word);
      if (at >= n) continue;
      run(open, begin + at - open);
      open = -1;
      word >>= at;
    }
    while (word != 0) {
      const int zeros = std::countr_zero(word);
      at += zeros;
      word >>= zeros;
      const int ones = std::countr_one(word);
      if (at + ones >= n) {
        open = begin + at;
        break;
      }
      run(begin + at, int64_t{ones});
      at += ones;
      word >>= ones;  // at + ones < n: fewer than 64
    }
  }
  if (open >= 0) run(open, length - open);
}

}  // namespace colonnade::bits
