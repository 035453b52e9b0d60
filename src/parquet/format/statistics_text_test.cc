#include "parquet/format/statistics_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace colonnade::parquet {
namespace {

using namespace std::string_literals;

template <typename T>
std::string plain(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

Field field_of(DataType type) { return Field{"f", std::move(type)}; }

// The text of a min_value of these bytes.
std::optional<std::string> text(PhysicalType physical_type, DataType type, std::string bytes) {
  Statistics statistics;
  statistics.min_value = std::move(bytes);
  return statistics_text(statistics, physical_type, field_of(std::move(type))).min;
}

TEST(StatisticsText, Integers) {
  EXPECT_EQ(text(PhysicalType::kInt32, DataType(TypeId::kInt32), plain<int32_t>(-5)), "-5");
  EXPECT_EQ(text(PhysicalType::kInt32, DataType(TypeId::kInt8), plain<int32_t>(-128)), "-128");
  EXPECT_EQ(text(PhysicalType::kInt32, DataType(TypeId::kUInt16), plain<int32_t>(65535)), "65535");
  EXPECT_EQ(text(PhysicalType::kInt32, DataType(TypeId::kUInt32), plain<int32_t>(-1)),
            "4294967295");
  EXPECT_EQ(text(PhysicalType::kInt64, DataType(TypeId::kInt64),
                 plain(std::numeric_limits<int64_t>::min())),
            "-9223372036854775808");
  EXPECT_EQ(text(PhysicalType::kInt64, DataType(TypeId::kUInt64), plain<int64_t>(-1)),
            "18446744073709551615");
  EXPECT_EQ(text(PhysicalType::kBoolean, DataType(TypeId::kBool), "\1"s), "true");
  EXPECT_EQ(text(PhysicalType::kBoolean, DataType(TypeId::kBool), "\0"s), "false");
}

TEST(StatisticsText, FloatingPoint) {
  EXPECT_EQ(text(PhysicalType::kFloat, DataType(TypeId::kFloat32), plain(0.1f)), "0.1");
  EXPECT_EQ(text(PhysicalType::kDouble, DataType(TypeId::kFloat64), plain(-1.5e300)), "-1.5e+300");
  EXPECT_EQ(text(PhysicalType::kDouble, DataType(TypeId::kFloat64), plain(-0.0)), "-0.0");
  EXPECT_EQ(text(PhysicalType::kDouble, DataType(TypeId::kFloat64), plain(HUGE_VAL)), "inf");
  EXPECT_EQ(text(PhysicalType::kFixedLenByteArray, DataType(TypeId::kFloat16), "\x00\x3e"s), "1.5");
}

TEST(StatisticsText, NaNIsNoBound) {
  EXPECT_EQ(text(PhysicalType::kFloat, DataType(TypeId::kFloat32), plain(std::nanf(""))),
            std::nullopt);
  EXPECT_EQ(text(PhysicalType::kDouble, DataType(TypeId::kFloat64), plain(std::nan(""))),
            std::nullopt);
  EXPECT_EQ(text(PhysicalType::kFixedLenByteArray, DataType(TypeId::kFloat16), "\x00\x7e"s),
            std::nullopt);
  EXPECT_EQ(text(PhysicalType::kFixedLenByteArray, DataType(TypeId::kFloat16), "\x01\xfc"s),
            std::nullopt);
  EXPECT_EQ(text(PhysicalType::kFixedLenByteArray, DataType(TypeId::kFloat16), "\x00\x7c"s), "inf");
}

TEST(StatisticsText, DecimalsFromEveryPhysicalType) {
  EXPECT_EQ(text(PhysicalType::kInt32, DataType::decimal(9, 2), plain<int32_t>(-123)), "-1.23");
  EXPECT_EQ(text(PhysicalType::kInt64, DataType::decimal(9, 2), plain<int64_t>(12345)), "123.45");
  EXPECT_EQ(
      text(PhysicalType::kFixedLenByteArray, DataType::decimal(12, 2), "\xff\xff\xff\xff\xff\x85"s),
      "-1.23");
  EXPECT_EQ(text(PhysicalType::kFixedLenByteArray, DataType::decimal(38, 0),
                 std::string(15, '\0') + "\x7f"),
            "127");
  EXPECT_EQ(text(PhysicalType::kByteArray, DataType::decimal(38, 3), "\x80"s), "-0.128");
  EXPECT_EQ(text(PhysicalType::kByteArray, DataType::decimal(76, 0), std::string(32, '\xff')),
            "-1");
  EXPECT_EQ(text(PhysicalType::kByteArray, DataType::decimal(76, 0), std::string(33, '\0')),
            std::nullopt);
  EXPECT_EQ(text(PhysicalType::kByteArray, DataType::decimal(76, 0), ""), std::nullopt);
}

TEST(StatisticsText, DatesAndTimes) {
  EXPECT_EQ(text(PhysicalType::kInt32, DataType(TypeId::kDate32), plain<int32_t>(-1)),
            "1969-12-31");
  EXPECT_EQ(text(PhysicalType::kInt32, DataType::time(TimeUnit::kMilli), plain<int32_t>(1)),
            "00:00:00.001");
  EXPECT_EQ(text(PhysicalType::kInt64, DataType::time(TimeUnit::kNano), plain<int64_t>(1)),
            "00:00:00.000000001");
  EXPECT_EQ(text(PhysicalType::kInt64, DataType::timestamp(TimeUnit::kMicro), plain<int64_t>(1)),
            "1970-01-01 00:00:00.000001");
  EXPECT_EQ(
      text(PhysicalType::kInt64, DataType::timestamp(TimeUnit::kMilli, "UTC"), plain<int64_t>(1)),
      "1970-01-01 00:00:00.001Z");
}

TEST(StatisticsText, StringsAndBinary) {
  EXPECT_EQ(text(PhysicalType::kByteArray, DataType(TypeId::kString), "az\xc3\xa9"), "az\xc3\xa9");
  EXPECT_EQ(text(PhysicalType::kByteArray, DataType(TypeId::kString), ""), "");
  // Cut within a character, and something that never was text.
  EXPECT_EQ(text(PhysicalType::kByteArray, DataType(TypeId::kString), "a\xc3"), "a\xef\xbf\xbd");
  EXPECT_EQ(text(PhysicalType::kByteArray, DataType(TypeId::kString), "\xff\xfe"),
            "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(text(PhysicalType::kByteArray, DataType(TypeId::kBinary), "\x00\xff"s), "00ff");
  EXPECT_EQ(text(PhysicalType::kFixedLenByteArray, DataType::fixed_binary(3), "abc"), "616263");
  EXPECT_EQ(text(PhysicalType::kFixedLenByteArray, DataType::fixed_binary(3), "ab"), "6162");
}

TEST(StatisticsText, LengthsThatAreNotThoseOfAValueAreAbsent) {
  for (const size_t length : {size_t{0}, size_t{1}, size_t{3}, size_t{5}, size_t{1000}}) {
    EXPECT_EQ(text(PhysicalType::kInt32, DataType(TypeId::kInt32), std::string(length, 'x')),
              std::nullopt);
    EXPECT_EQ(text(PhysicalType::kInt32, DataType(TypeId::kInt8), std::string(length, 'x')),
              std::nullopt);
    EXPECT_EQ(text(PhysicalType::kInt64, DataType::decimal(18, 2), std::string(length, 'x')),
              std::nullopt);
    EXPECT_EQ(text(PhysicalType::kDouble, DataType(TypeId::kFloat64), std::string(length, 'x')),
              std::nullopt);
    EXPECT_EQ(text(PhysicalType::kFixedLenByteArray, DataType(TypeId::kFloat16),
                   std::string(length, 'x')),
              std::nullopt);
  }
  EXPECT_EQ(text(PhysicalType::kBoolean, DataType(TypeId::kBool), ""), std::nullopt);
  EXPECT_EQ(text(PhysicalType::kBoolean, DataType(TypeId::kBool), "\1\1"), std::nullopt);
}

TEST(StatisticsText, Int96HasNoOrder) {
  EXPECT_EQ(text(PhysicalType::kInt96, DataType::timestamp(TimeUnit::kNano), std::string(12, '\0')),
            std::nullopt);
}

TEST(StatisticsText, TheNewBoundsGoFirst) {
  Statistics statistics;
  statistics.min = plain<int32_t>(1);
  statistics.max = plain<int32_t>(2);
  statistics.min_value = plain<int32_t>(3);
  statistics.max_value = plain<int32_t>(4);
  const StatisticsText both =
      statistics_text(statistics, PhysicalType::kInt32, field_of(DataType(TypeId::kInt32)));
  EXPECT_EQ(both.min, "3");
  EXPECT_EQ(both.max, "4");
  statistics.min_value.reset();
  statistics.max_value.reset();
  const StatisticsText old =
      statistics_text(statistics, PhysicalType::kInt32, field_of(DataType(TypeId::kInt32)));
  EXPECT_EQ(old.min, "1");
  EXPECT_EQ(old.max, "2");
}

TEST(StatisticsText, DeprecatedBoundsOnlyWhereSignedOrderIsRight) {
  const auto has_text = [](PhysicalType physical_type, DataType type, std::string bytes) {
    Statistics statistics;
    statistics.min = bytes;
    statistics.max = std::move(bytes);
    const StatisticsText result =
        statistics_text(statistics, physical_type, field_of(std::move(type)));
    EXPECT_EQ(result.min.has_value(), result.max.has_value());
    return result.min.has_value();
  };
  EXPECT_TRUE(has_text(PhysicalType::kInt64, DataType(TypeId::kInt64), plain<int64_t>(1)));
  EXPECT_TRUE(
      has_text(PhysicalType::kInt64, DataType::timestamp(TimeUnit::kMicro), plain<int64_t>(1)));
  EXPECT_TRUE(has_text(PhysicalType::kInt32, DataType::decimal(9, 2), plain<int32_t>(1)));
  EXPECT_TRUE(has_text(PhysicalType::kInt32, DataType(TypeId::kInt8), plain<int32_t>(1)));
  EXPECT_TRUE(has_text(PhysicalType::kDouble, DataType(TypeId::kFloat64), plain(1.0)));
  EXPECT_FALSE(has_text(PhysicalType::kInt32, DataType(TypeId::kUInt32), plain<int32_t>(1)));
  EXPECT_FALSE(has_text(PhysicalType::kInt64, DataType(TypeId::kUInt64), plain<int64_t>(1)));
  EXPECT_FALSE(has_text(PhysicalType::kByteArray, DataType(TypeId::kString), "a"));
  EXPECT_FALSE(has_text(PhysicalType::kByteArray, DataType::decimal(9, 2), "a"));
  EXPECT_FALSE(has_text(PhysicalType::kFixedLenByteArray, DataType::fixed_binary(1), "a"));
}

TEST(StatisticsText, BoundsOfAnUnknownOrderAreAbsent) {
  Statistics statistics;
  statistics.min_value = "a";
  statistics.max_value = "b";
  statistics.unknown_order = true;
  const StatisticsText result =
      statistics_text(statistics, PhysicalType::kByteArray, field_of(DataType(TypeId::kString)));
  EXPECT_FALSE(result.min.has_value());
  EXPECT_FALSE(result.max.has_value());
}

TEST(StatisticsText, NothingWhereThereIsNothing) {
  const StatisticsText result =
      statistics_text({}, PhysicalType::kInt32, field_of(DataType(TypeId::kInt32)));
  EXPECT_FALSE(result.min.has_value());
  EXPECT_FALSE(result.max.has_value());
  Statistics statistics;
  statistics.min_value = plain<int32_t>(1);
  EXPECT_FALSE(
      statistics_text(statistics, PhysicalType::kInt32, field_of(DataType())).min.has_value());
  const DataType list = DataType::list(Field{"element", DataType(TypeId::kInt32)});
  EXPECT_FALSE(statistics_text(statistics, PhysicalType::kInt32, field_of(list)).min.has_value());
}

}  // namespace
}  // namespace colonnade::parquet
