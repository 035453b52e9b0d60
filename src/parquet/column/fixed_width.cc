#include "parquet/column/fixed_width.h"

#include <algorithm>
#include <cstring>

#include "base/bits.h"

namespace colonnade::parquet {
namespace {

struct Words2 {
  uint64_t words[2];
};
struct Words4 {
  uint64_t words[4];
};

// Any width, as std::memcpy copies it.
struct AnyWidth {
  size_t bytes;
  void copy(const uint8_t* in, int64_t from, uint8_t* out, int64_t to) const {
    std::memcpy(out + static_cast<size_t>(to) * bytes, in + static_cast<size_t>(from) * bytes,
                bytes);
  }
  void move(const uint8_t* in, int64_t from, uint8_t* out, int64_t to, int64_t n) const {
    std::memmove(out + static_cast<size_t>(to) * bytes, in + static_cast<size_t>(from) * bytes,
                 static_cast<size_t>(n) * bytes);
  }
  void zero(uint8_t* out, int64_t to, int64_t n) const {
    std::memset(out + static_cast<size_t>(to) * bytes, 0, static_cast<size_t>(n) * bytes);
  }
  // The value at `from`, or zeros; `from` may be the place `to` itself.
  void move_or_zero(uint8_t* values, int64_t from, int64_t to, bool valid) const {
    if (valid) {
      move(values, from, values, to, 1);
    } else {
      zero(values, to, 1);
    }
  }
};

// A width the compiler knows.
template <typename T>
struct Width {
  static constexpr int64_t kBytes = sizeof(T);
  static void copy(const uint8_t* in, int64_t from, uint8_t* out, int64_t to) {
    std::memcpy(out + to * kBytes, in + from * kBytes, sizeof(T));
  }
  static void move(const uint8_t* in, int64_t from, uint8_t* out, int64_t to, int64_t n) {
    std::memmove(out + to * kBytes, in + from * kBytes, static_cast<size_t>(n) * sizeof(T));
  }
  static void zero(uint8_t* out, int64_t to, int64_t n) {
    std::memset(out + to * kBytes, 0, static_cast<size_t>(n) * sizeof(T));
  }
  static void move_or_zero(uint8_t* values, int64_t from, int64_t to, bool valid) {
    T value;
    std::memcpy(&value, values + from * kBytes, sizeof(T));
    value = valid ? value : T{};
    std::memcpy(values + to * kBytes, &value, sizeof(T));
  }
};

// Calls body with the type that stands for a width.
template <typename Body>
void with_width(int32_t width_bytes, Body&& body) {
  switch (width_bytes) {
    case 0:
      return;
    case 1:
      return body(Width<uint8_t>{});
    case 2:
      return body(Width<uint16_t>{});
    case 4:
      return body(Width<uint32_t>{});
    case 8:
      return body(Width<uint64_t>{});
    case 16:
      return body(Width<Words2>{});
    case 32:
      return body(Width<Words4>{});
    default:
      return body(AnyWidth{static_cast<size_t>(width_bytes)});
  }
}

// Up to 64 bits from `bit` on, the first lowest; those behind `n` are zero.
uint64_t load_bits(const uint8_t* bits, int64_t bit, int64_t n) {
  uint8_t bytes[9] = {};
  const int64_t first = bit / 8;
  const int shift = static_cast<int>(bit % 8);
  std::memcpy(bytes, bits + first, static_cast<size_t>(bits::bytes_for(shift + n)));
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  word >>= shift;
  if (shift != 0) word |= uint64_t{bytes[8]} << (64 - shift);
  return n == 64 ? word : word & ((uint64_t{1} << n) - 1);
}

// The loops take what they need by value: a store through a byte pointer could change anything
// else.

template <typename W>
void gather(W width, const uint8_t* dictionary, const uint32_t* ids, int64_t n, uint8_t* out) {
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    width.copy(dictionary, ids[i], out, i);
    width.copy(dictionary, ids[i + 1], out, i + 1);
    width.copy(dictionary, ids[i + 2], out, i + 2);
    width.copy(dictionary, ids[i + 3], out, i + 3);
  }
  for (; i < n; ++i) width.copy(dictionary, ids[i], out, i);
}

template <typename W>
void repeat(W width, const uint8_t* value, int64_t n, uint8_t* out) {
  for (int64_t i = 0; i < n; ++i) width.copy(value, 0, out, i);
}

template <typename W>
void spread(W width, const uint8_t* validity, int64_t bit_offset, int64_t num_rows,
            int64_t num_valid, uint8_t* values) {
  // From the end, so that no value is overwritten before it was moved; 64 rows at a time. Once as
  // many values are left as rows, all of them stand where they belong.
  int64_t row = num_rows;
  int64_t from = num_valid;
  while (row > from) {
    const int64_t n = std::min<int64_t>(64, row);
    row -= n;
    const uint64_t word = load_bits(validity, bit_offset + row, n);
    const int64_t valid = std::popcount(word);
    if (valid == n) {
      from -= n;
      width.move(values, from, values, row, n);
    } else if (valid == 0) {
      width.zero(values, row, n);
    } else {
      for (int64_t i = n - 1; i >= 0; --i) {
        const bool is_valid = (word >> i) & 1;
        from -= is_valid ? 1 : 0;
        width.move_or_zero(values, from, row + i, is_valid);
      }
    }
  }
}

}  // namespace

void gather_values(const uint8_t* dictionary, const uint32_t* ids, int64_t n, int32_t width_bytes,
                   uint8_t* out) {
  with_width(width_bytes, [=](auto width) { gather(width, dictionary, ids, n, out); });
}

void repeat_value(const uint8_t* value, int64_t n, int32_t width_bytes, uint8_t* out) {
  with_width(width_bytes, [=](auto width) { repeat(width, value, n, out); });
}

void spread_values(const uint8_t* validity, int64_t bit_offset, int64_t num_rows, int64_t num_valid,
                   int32_t width_bytes, uint8_t* values) {
  with_width(width_bytes,
             [=](auto width) { spread(width, validity, bit_offset, num_rows, num_valid, values); });
}

void spread_bits(const uint8_t* validity, int64_t bit_offset, int64_t num_rows,
                 const uint8_t* packed, uint8_t* out) {
  int64_t from = 0;
  for (int64_t row = 0; row < num_rows; row += 64) {
    const int64_t n = std::min<int64_t>(64, num_rows - row);
    const uint64_t word = load_bits(validity, bit_offset + row, n);
    const int64_t valid = std::popcount(word);
    uint64_t spread = 0;
    if (valid > 0) {
      uint64_t values = load_bits(packed, from, valid);
      if (valid == n) {
        spread = values;
      } else {
        for (uint64_t rest = word; rest != 0; rest &= rest - 1) {
          spread |= (rest & (~rest + 1)) & (~(values & 1) + 1);
          values >>= 1;
        }
      }
      from += valid;
    }
    uint8_t bytes[8];
    std::memcpy(bytes, &spread, sizeof(bytes));
    bits::copy(bytes, 0, n, out, bit_offset + row);
  }
}

}  // namespace colonnade::parquet
