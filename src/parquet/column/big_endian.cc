#include "parquet/column/big_endian.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/fail.h"

namespace colonnade::parquet {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr int64_t kWordBytes = 8;

[[noreturn, gnu::cold]] void fail_range(int64_t in_bytes, int32_t out_bytes) {
  fail(ErrorCode::kCorruptData, "decimal outside the range of its precision",
       "value of {} bytes does not fit into {}", in_bytes, out_bytes);
}

uint64_t load_word(const uint8_t* in) noexcept {
  uint64_t word;
  std::memcpy(&word, in, sizeof(word));
  return __builtin_bswap64(word);
}

// Values of 1 to 8 bytes: a whole word is loaded and the bytes behind the value shifted out.
template <typename Out>
void convert_short(const uint8_t* in, int32_t in_bytes, int64_t n, uint8_t* out) {
  const int shift = static_cast<int>(kWordBytes - in_bytes) * 8;
  uint64_t outside = 0;  // not 0 once a value did not fit
  for (int64_t i = 0; i < n; ++i) {
    const int64_t wide = static_cast<int64_t>(load_word(in)) >> shift;
    in += in_bytes;
    if constexpr (sizeof(Out) <= kWordBytes) {
      const Out value = static_cast<Out>(wide);
      outside |= static_cast<uint64_t>(wide ^ int64_t{value});
      std::memcpy(out, &value, sizeof(value));
    } else {
      const int64_t words[2] = {wide, wide >> 63};
      std::memcpy(out, words, sizeof(words));
    }
    out += sizeof(Out);
  }
  if (outside != 0) fail_range(in_bytes, sizeof(Out));
}

struct Int128 {
  int64_t words[2];
};

// Values of 9 to 16 bytes: the first and the last word of each, which overlap.
template <typename Out>
void convert_long(const uint8_t* in, int32_t in_bytes, int64_t n, uint8_t* out) {
  const int shift = static_cast<int>(2 * kWordBytes - in_bytes) * 8;
  uint64_t outside = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t high = static_cast<int64_t>(load_word(in)) >> shift;
    const int64_t low = static_cast<int64_t>(load_word(in + in_bytes - kWordBytes));
    in += in_bytes;
    if constexpr (sizeof(Out) == sizeof(Int128)) {
      const int64_t words[2] = {low, high};
      std::memcpy(out, words, sizeof(words));
    } else {
      const Out value = static_cast<Out>(low);
      outside |= static_cast<uint64_t>((low ^ int64_t{value}) | (high ^ (low >> 63)));
      std::memcpy(out, &value, sizeof(value));
    }
    out += sizeof(Out);
  }
  if (outside != 0) fail_range(in_bytes, sizeof(Out));
}

template <typename Out>
void convert(const uint8_t* in, int32_t in_bytes, int64_t n, uint8_t* out) {
  if (in_bytes <= kWordBytes) {
    // The last values, 7 bytes at most, are too close to the end for loads of a whole word.
    const int64_t tail = std::min(n, (kWordBytes - 1) / in_bytes);
    convert_short<Out>(in, in_bytes, n - tail, out);
    in += (n - tail) * in_bytes;
    out += (n - tail) * static_cast<int64_t>(sizeof(Out));
    uint8_t copy[2 * kWordBytes] = {};
    std::memcpy(copy, in, static_cast<size_t>(tail * in_bytes));
    convert_short<Out>(copy, in_bytes, tail, out);
  } else if (in_bytes <= 2 * kWordBytes) {
    convert_long<Out>(in, in_bytes, n, out);
  } else {
    for (int64_t i = 0; i < n; ++i) {
      convert_big_endian_value(in + i * in_bytes, in_bytes, sizeof(Out),
                               out + i * static_cast<int64_t>(sizeof(Out)));
    }
  }
}

}  // namespace

void convert_big_endian(const uint8_t* in, int32_t in_bytes, int64_t n, int32_t out_bytes,
                        uint8_t* out) {
  switch (out_bytes) {
    case 4:
      return convert<int32_t>(in, in_bytes, n, out);
    case 8:
      return convert<int64_t>(in, in_bytes, n, out);
    case 16:
      return convert<Int128>(in, in_bytes, n, out);
    default:
      for (int64_t i = 0; i < n; ++i) {
        convert_big_endian_value(in + i * in_bytes, in_bytes, out_bytes, out + i * out_bytes);
      }
  }
}

void convert_big_endian_value(const uint8_t* in, int64_t in_bytes, int32_t out_bytes,
                              uint8_t* out) {
  if (in_bytes == 0) fail(ErrorCode::kCorruptData, "decimal without any byte");
  const uint8_t sign = (in[0] & 0x80) != 0 ? 0xFF : 0x00;
  const int64_t kept = std::min<int64_t>(in_bytes, out_bytes);
  const int64_t dropped = in_bytes - kept;
  for (int64_t i = 0; i < dropped; ++i) {
    if (in[i] != sign) fail_range(in_bytes, out_bytes);
  }
  if (((in[dropped] ^ sign) & 0x80) != 0) fail_range(in_bytes, out_bytes);
  for (int64_t i = 0; i < kept; ++i) out[i] = in[in_bytes - 1 - i];
  std::memset(out + kept, sign, static_cast<size_t>(out_bytes - kept));
}

}  // namespace colonnade::parquet
