// Unscaled decimals of up to 76 digits.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

namespace colonnade {

__extension__ typedef __int128 int128_t;
__extension__ typedef unsigned __int128 uint128_t;

// An unscaled decimal, sign-extended to 256 bits: two's complement, least significant word first.
// It holds any value of 4, 8, 16 or 32 bytes.
class Decimal256 {
 public:
  static constexpr int32_t kMaxPrecision = 76;

  constexpr Decimal256() = default;
  constexpr explicit Decimal256(int128_t value)
      : words_{static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64),
               sign_word(value < 0), sign_word(value < 0)} {}
  // `byte_width` is 4, 8, 16 or 32; little endian, of any alignment.
  static Decimal256 load(const uint8_t* bytes, int32_t byte_width) noexcept;
  // Writes the low `byte_width` bytes; fits_bytes(byte_width) says whether that is the value.
  void store(uint8_t* bytes, int32_t byte_width) const noexcept;
  // 10^exponent, 0 <= exponent <= 76.
  static const Decimal256& power_of_ten(int32_t exponent) noexcept;

  bool is_negative() const noexcept { return static_cast<int64_t>(words_[3]) < 0; }
  bool fits_bytes(int32_t byte_width) const noexcept;
  // Whether the absolute value is below 10^precision, 1 <= precision <= 76.
  bool fits_precision(int32_t precision) const noexcept;

  Decimal256 negated() const noexcept;
  // this * factor + addend, modulo 2^256.
  Decimal256 multiply_add(uint64_t factor, uint64_t addend) const noexcept;

  // With `scale` digits behind the point ("-0.05"), and all digits written out; where that would
  // take more than kMaxPrecision zeroes, "5E-100" instead.
  std::string to_string(int32_t scale) const;

  friend constexpr bool operator==(const Decimal256&, const Decimal256&) = default;
  friend std::strong_ordering operator<=>(const Decimal256& a, const Decimal256& b) noexcept;

 private:
  static constexpr uint64_t sign_word(bool negative) { return negative ? ~uint64_t{0} : 0; }

  std::array<uint64_t, 4> words_{};
};

}  // namespace colonnade
