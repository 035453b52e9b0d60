#include "base/bits.h"

#include <algorithm>

namespace colonnade::bits {

namespace {

// Replaces bits [begin, end) of one byte, 0 <= begin < end <= 8, by those of `value`.
void merge_byte(uint8_t& byte, int begin, int end, uint8_t value) noexcept {
  const unsigned mask = ((1u << (end - begin)) - 1) << begin;
  byte = static_cast<uint8_t>((byte & ~mask) | (value & mask));
}

int64_t count_words_anywhere(const uint8_t* bytes, int64_t num_words) noexcept {
  int64_t ones = 0;
  for (int64_t i = 0; i < num_words; ++i) {
    uint64_t word;
    std::memcpy(&word, bytes + 8 * i, 8);
    ones += std::popcount(word);
  }
  return ones;
}

#if defined(__x86_64__)
// The same loop where the CPU has the instruction, which the baseline of x86-64 lacks.
[[gnu::target("popcnt")]] int64_t count_words_popcnt(const uint8_t* bytes,
                                                     int64_t num_words) noexcept {
  int64_t ones = 0;
  for (int64_t i = 0; i < num_words; ++i) {
    uint64_t word;
    std::memcpy(&word, bytes + 8 * i, 8);
    ones += __builtin_popcountll(word);
  }
  return ones;
}

int64_t count_words(const uint8_t* bytes, int64_t num_words) noexcept {
  static const bool has_popcnt = __builtin_cpu_supports("popcnt") != 0;
  return has_popcnt ? count_words_popcnt(bytes, num_words) : count_words_anywhere(bytes, num_words);
}
#else
int64_t count_words(const uint8_t* bytes, int64_t num_words) noexcept {
  return count_words_anywhere(bytes, num_words);
}
#endif

}  // namespace

void fill(uint8_t* bits, int64_t offset, int64_t length, bool value) noexcept {
  if (length <= 0) return;
  const uint8_t byte = value ? 0xFF : 0x00;
  uint8_t* at = bits + (offset >> 3);
  const int begin = static_cast<int>(offset & 7);
  if (begin != 0) {
    const int end = static_cast<int>(std::min<int64_t>(8, begin + length));
    merge_byte(*at++, begin, end, byte);
    length -= end - begin;
  }
  const int64_t num_bytes = length / 8;
  std::memset(at, byte, static_cast<size_t>(num_bytes));
  const int tail = static_cast<int>(length % 8);
  if (tail != 0) merge_byte(at[num_bytes], 0, tail, byte);
}

int64_t count(const uint8_t* bits, int64_t offset, int64_t length) noexcept {
  if (length <= 0) return 0;
  // Up to the first whole byte, then words, then what is left.
  const int64_t head = std::min<int64_t>(length, (8 - (offset & 7)) & 7);
  int64_t ones = std::popcount(load(bits, offset, head));
  offset += head;
  length -= head;
  const int64_t num_words = length / 64;
  if (num_words > 0) ones += count_words(bits + (offset >> 3), num_words);
  return ones + std::popcount(load(bits, offset + 64 * num_words, length % 64));
}

void copy(const uint8_t* in, int64_t in_offset, int64_t length, uint8_t* out,
          int64_t out_offset) noexcept {
  if (length <= 0) return;
  uint8_t* at = out + (out_offset >> 3);
  const int begin = static_cast<int>(out_offset & 7);
  if (begin != 0) {
    const int end = static_cast<int>(std::min<int64_t>(8, begin + length));
    merge_byte(*at++, begin, end, static_cast<uint8_t>(load(in, in_offset, end - begin) << begin));
    in_offset += end - begin;
    length -= end - begin;
  }
  // `at` begins a byte of the output from here on.
  if ((in_offset & 7) == 0) {
    const int64_t num_bytes = length / 8;
    std::memcpy(at, in + (in_offset >> 3), static_cast<size_t>(num_bytes));
    at += num_bytes;
    in_offset += 8 * num_bytes;
    length -= 8 * num_bytes;
  }
  for (; length >= 64; length -= 64, in_offset += 64, at += 8) {
    const uint64_t word = load(in, in_offset, 64);
    std::memcpy(at, &word, 8);
  }
  if (length == 0) return;
  const uint64_t word = load(in, in_offset, length);
  const int64_t num_bytes = length / 8;
  std::memcpy(at, &word, static_cast<size_t>(num_bytes));
  const int tail = static_cast<int>(length % 8);
  if (tail != 0) merge_byte(at[num_bytes], 0, tail, static_cast<uint8_t>(word >> (8 * num_bytes)));
}

void pack(const uint8_t* bytes, int64_t length, uint8_t* bits, int64_t offset) noexcept {
  const auto store = [&](int64_t at) {
    bytes[at] != 0 ? set(bits, offset + at) : clear(bits, offset + at);
  };
  int64_t i = 0;
  for (; i < length && ((offset + i) & 7) != 0; ++i) store(i);
  for (; length - i >= 8; i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes + i, 8);
    // Byte i of the word times the one bit that moves it to bit 56 + i.
    bits[(offset + i) >> 3] = static_cast<uint8_t>((word * 0x0102040810204080u) >> 56);
  }
  for (; i < length; ++i) store(i);
}

}  // namespace colonnade::bits
