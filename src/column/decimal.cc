#include "column/decimal.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace colonnade {
namespace {

constexpr uint64_t kTenToThe19 = 10'000'000'000'000'000'000u;

// Divides the number in place, gives the remainder.
uint64_t divide(std::array<uint64_t, 4>& words, uint64_t divisor) noexcept {
  uint128_t remainder = 0;
  for (size_t i = words.size(); i-- > 0;) {
    const uint128_t part = (remainder << 64) | words[i];
    words[i] = static_cast<uint64_t>(part / divisor);
    remainder = part % divisor;
  }
  return static_cast<uint64_t>(remainder);
}

// Decimal digits of an unsigned 256-bit number, without leading zeroes; "0" for zero.
std::string digits_of(std::array<uint64_t, 4> words) {
  std::array<uint64_t, 5> groups{};  // of 19 digits, least significant first; 2^256 < 10^78
  size_t num_groups = 0;
  do {
    groups[num_groups++] = divide(words, kTenToThe19);
  } while (words != std::array<uint64_t, 4>{});
  std::string text;
  for (size_t i = num_groups; i-- > 0;) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof(digits), groups[i]).ptr;
    const auto count = static_cast<size_t>(end - digits);
    if (!text.empty()) text.append(19 - count, '0');
    text.append(digits, count);
  }
  return text;
}

std::array<Decimal256, Decimal256::kMaxPrecision + 1> make_powers() noexcept {
  std::array<Decimal256, Decimal256::kMaxPrecision + 1> powers;
  powers[0] = Decimal256(1);
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1].multiply_add(10, 0);
  return powers;
}

}  // namespace

Decimal256 Decimal256::load(const uint8_t* bytes, int32_t byte_width) noexcept {
  Decimal256 value;
  std::memcpy(value.words_.data(), bytes, static_cast<size_t>(byte_width));
  if (byte_width == 4) {
    value.words_[0] = static_cast<uint64_t>(int64_t{static_cast<int32_t>(value.words_[0])});
  }
  const size_t num_words = std::max<size_t>(static_cast<size_t>(byte_width) / 8, 1);
  const uint64_t sign = sign_word(static_cast<int64_t>(value.words_[num_words - 1]) < 0);
  std::fill(value.words_.begin() + static_cast<std::ptrdiff_t>(num_words), value.words_.end(),
            sign);
  return value;
}

void Decimal256::store(uint8_t* bytes, int32_t byte_width) const noexcept {
  std::memcpy(bytes, words_.data(), static_cast<size_t>(byte_width));
}

const Decimal256& Decimal256::power_of_ten(int32_t exponent) noexcept {
  static const auto powers = make_powers();
  return powers[static_cast<size_t>(exponent)];
}

bool Decimal256::fits_bytes(int32_t byte_width) const noexcept {
  uint8_t low[32];
  store(low, byte_width);
  return load(low, byte_width) == *this;
}

bool Decimal256::fits_precision(int32_t precision) const noexcept {
  const Decimal256& limit = power_of_ten(precision);
  return *this < limit && limit.negated() < *this;
}

Decimal256 Decimal256::negated() const noexcept {
  Decimal256 result;
  uint64_t carry = 1;
  for (size_t i = 0; i < words_.size(); ++i) {
    result.words_[i] = ~words_[i] + carry;
    carry = carry != 0 && result.words_[i] == 0 ? 1 : 0;
  }
  return result;
}

Decimal256 Decimal256::multiply_add(uint64_t factor, uint64_t addend) const noexcept {
  Decimal256 result;
  uint128_t carry = addend;
  for (size_t i = 0; i < words_.size(); ++i) {
    carry += static_cast<uint128_t>(words_[i]) * factor;
    result.words_[i] = static_cast<uint64_t>(carry);
    carry >>= 64;
  }
  return result;
}

std::string Decimal256::to_string(int32_t scale) const {
  std::string text = digits_of(is_negative() ? negated().words_ : words_);
  const auto num_digits = static_cast<int64_t>(text.size());
  if (scale > 0) {
    const int64_t missing_zeroes =
        scale - num_digits + 1;  // so that one digit stands before the point
    if (missing_zeroes > kMaxPrecision) {
      text += "E-" + std::to_string(scale);
    } else {
      if (missing_zeroes > 0) text.insert(0, static_cast<size_t>(missing_zeroes), '0');
      text.insert(text.size() - static_cast<size_t>(scale), 1, '.');
    }
  } else if (scale < 0 && text != "0") {
    if (scale < -kMaxPrecision) {
      text += "E+" + std::to_string(-int64_t{scale});
    } else {
      text.append(static_cast<size_t>(-scale), '0');
    }
  }
  if (is_negative()) text.insert(0, 1, '-');
  return text;
}

std::strong_ordering operator<=>(const Decimal256& a, const Decimal256& b) noexcept {
  if (a.is_negative() != b.is_negative()) {
    return a.is_negative() ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  for (size_t i = a.words_.size(); i-- > 0;) {
    if (a.words_[i] != b.words_[i]) return a.words_[i] <=> b.words_[i];
  }
  return std::strong_ordering::equal;
}

}  // namespace colonnade
