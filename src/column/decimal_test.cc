#include "column/decimal.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace colonnade {
namespace {

Decimal256 of_digits(const std::string& digits) {
  Decimal256 value;
  for (const char c : digits) value = value.multiply_add(10, static_cast<uint64_t>(c - '0'));
  return value;
}

TEST(Decimal256Test, PrintsEveryScale) {
  EXPECT_EQ(Decimal256(0).to_string(0), "0");
  EXPECT_EQ(Decimal256(0).to_string(2), "0.00");
  EXPECT_EQ(Decimal256(0).to_string(-5), "0");
  EXPECT_EQ(Decimal256(5).to_string(2), "0.05");
  EXPECT_EQ(Decimal256(-5).to_string(1), "-0.5");
  EXPECT_EQ(Decimal256(-12345).to_string(2), "-123.45");
  EXPECT_EQ(Decimal256(100).to_string(2), "1.00");
  EXPECT_EQ(Decimal256(12).to_string(-3), "12000");
  EXPECT_EQ(Decimal256(12).to_string(-1'000'000), "12E+1000000");
  EXPECT_EQ(Decimal256(-12).to_string(1'000'000), "-12E-1000000");
  EXPECT_EQ(Decimal256(std::numeric_limits<int64_t>::min()).to_string(0), "-9223372036854775808");
}

TEST(Decimal256Test, Prints76Digits) {
  const std::string digits =
      "1234567890123456789012345678901234567890123456789012345678901234567890123456";
  ASSERT_EQ(digits.size(), 76u);
  EXPECT_EQ(of_digits(digits).to_string(0), digits);
  EXPECT_EQ(of_digits(digits).negated().to_string(76), "-0." + digits);
  EXPECT_EQ(of_digits("10000000000000000000000000000000000000005").to_string(0),
            "10000000000000000000000000000000000000005");
}

TEST(Decimal256Test, LoadsAndStoresEveryWidthWithItsSign) {
  for (const int32_t width : {4, 8, 16, 32}) {
    for (const int64_t number :
         {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{2'147'483'647}, int64_t{-2'147'483'648}}) {
      std::array<uint8_t, 33> bytes{};
      Decimal256(number).store(bytes.data() + 1, width);
      EXPECT_EQ(Decimal256::load(bytes.data() + 1, width), Decimal256(number)) << width;
    }
  }
}

TEST(Decimal256Test, KnowsTheBytesAndDigitsOfAValue) {
  EXPECT_TRUE(Decimal256(2'147'483'647).fits_bytes(4));
  EXPECT_FALSE(Decimal256(2'147'483'648).fits_bytes(4));
  EXPECT_TRUE(Decimal256(-2'147'483'648).fits_bytes(4));
  EXPECT_FALSE(Decimal256(-2'147'483'649).fits_bytes(4));
  const Decimal256 two_to_127 = Decimal256(int128_t{1} << 126).multiply_add(2, 0);
  EXPECT_FALSE(two_to_127.fits_bytes(16));
  EXPECT_TRUE(two_to_127.negated().fits_bytes(16));
  for (int32_t precision = 1; precision <= 76; ++precision) {
    const Decimal256 limit = Decimal256::power_of_ten(precision);
    const Decimal256 largest = of_digits(std::string(static_cast<size_t>(precision), '9'));
    EXPECT_TRUE(largest.fits_precision(precision));
    EXPECT_TRUE(largest.negated().fits_precision(precision));
    EXPECT_FALSE(limit.fits_precision(precision));
    EXPECT_FALSE(limit.negated().fits_precision(precision));
  }
}

TEST(Decimal256Test, OrdersSignedValues) {
  EXPECT_LT(Decimal256(-2), Decimal256(-1));
  EXPECT_LT(Decimal256(-1), Decimal256(0));
  EXPECT_LT(Decimal256(1), Decimal256::power_of_ten(76));
  EXPECT_LT(Decimal256::power_of_ten(76).negated(), Decimal256(-1));
}

}  // namespace
}  // namespace colonnade
