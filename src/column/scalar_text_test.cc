#include "column/scalar_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "column/builder.h"
#include "column/date_time_text.h"
#include "column/float16.h"
#include "column/testing/random_column.h"
#include "column/testing/reference.h"

namespace colonnade {
namespace {

template <typename T>
std::string text_of(const DataType& type, T value) {
  ColumnBuilder builder(Context{}, type);
  builder.append(value);
  const ColumnPtr column = builder.finish();
  std::string text;
  append_text(text, ScalarRef(*column, 0));
  return text;
}

TEST(ScalarTextTest, PrintsNumbers) {
  EXPECT_EQ(text_of(DataType(TypeId::kInt8), int8_t{-128}), "-128");
  EXPECT_EQ(text_of(DataType(TypeId::kUInt64), std::numeric_limits<uint64_t>::max()),
            "18446744073709551615");
  EXPECT_EQ(text_of(DataType(TypeId::kFloat32), 0.1f), "0.1");
  EXPECT_EQ(text_of(DataType(TypeId::kFloat64), -0.0), "-0.0");
  EXPECT_EQ(text_of(DataType(TypeId::kFloat64), 3.0), "3.0");
  EXPECT_EQ(text_of(DataType(TypeId::kFloat32), 16777216.0f), "16777216.0");
  EXPECT_EQ(text_of(DataType(TypeId::kFloat64), 1e300), "1e+300");
  EXPECT_EQ(text_of(DataType(TypeId::kFloat64), std::nan("")), "nan");
  EXPECT_EQ(text_of(DataType(TypeId::kFloat64), double{-INFINITY}), "-inf");
  EXPECT_EQ(text_of(DataType(TypeId::kFloat16), uint16_t{0x2E66}), "0.1");
  EXPECT_EQ(text_of(DataType(TypeId::kFloat16), uint16_t{0x7BFF}), "6.55e+04");
  EXPECT_EQ(text_of(DataType(TypeId::kFloat16), uint16_t{0x8000}), "-0.0");
  EXPECT_EQ(text_of(DataType::decimal(5, 2), int32_t{-7}), "-0.07");
}

TEST(ScalarTextTest, NamesEveryHalfSoThatItReadsBack) {
  for (uint32_t bits = 0; bits < 0x7C00; ++bits) {
    const std::string text = text_of(DataType(TypeId::kFloat16), static_cast<uint16_t>(bits));
    const double read = std::strtod(text.c_str(), nullptr);
    const double here = float_of_half(static_cast<uint16_t>(bits));
    const double below = bits == 0 ? -1 : double{float_of_half(static_cast<uint16_t>(bits - 1))};
    const double above =
        bits == 0x7BFF ? 65'536 : double{float_of_half(static_cast<uint16_t>(bits + 1))};
    EXPECT_TRUE(std::abs(read - here) < std::abs(read - below) &&
                std::abs(read - here) < std::abs(read - above))
        << bits << " " << text;
  }
}

TEST(ScalarTextTest, PrintsDatesFarAndNear) {
  const auto date = [](int64_t days) {
    std::string text;
    append_date(text, days);
    return text;
  };
  EXPECT_EQ(date(0), "1970-01-01");
  EXPECT_EQ(date(-1), "1969-12-31");
  EXPECT_EQ(date(11'016), "2000-02-29");
  EXPECT_EQ(date(11'017), "2000-03-01");
  EXPECT_EQ(date(-719'162), "0001-01-01");
  EXPECT_EQ(date(-719'528), "0000-01-01");
  EXPECT_EQ(date(-719'529), "-0001-12-31");
  EXPECT_EQ(date(2'932'896), "9999-12-31");
  EXPECT_EQ(date(2'932'897), "+10000-01-01");
  EXPECT_EQ(date(std::numeric_limits<int32_t>::max()), "+5881580-07-11");
  EXPECT_EQ(date(std::numeric_limits<int32_t>::min()), "-5877641-06-23");
  EXPECT_NE(date(std::numeric_limits<int64_t>::max()), "");
  EXPECT_NE(date(std::numeric_limits<int64_t>::min()), "");
}

TEST(ScalarTextTest, PrintsTimes) {
  EXPECT_EQ(text_of(DataType::time(TimeUnit::kSecond), int32_t{86'399}), "23:59:59");
  EXPECT_EQ(text_of(DataType::time(TimeUnit::kNano), int64_t{1}), "00:00:00.000000001");
  EXPECT_EQ(text_of(DataType::timestamp(TimeUnit::kMilli), int64_t{-1}), "1969-12-31 23:59:59.999");
  EXPECT_EQ(text_of(DataType::timestamp(TimeUnit::kSecond, "Asia/Tokyo"), int64_t{0}),
            "1970-01-01 00:00:00Z");
  EXPECT_EQ(text_of(DataType::timestamp(TimeUnit::kMicro), int64_t{253'402'300'799'000'000}),
            "9999-12-31 23:59:59.000000");
  EXPECT_EQ(text_of(DataType::timestamp(TimeUnit::kNano), std::numeric_limits<int64_t>::min()),
            "1677-09-21 00:12:43.145224192");
  EXPECT_EQ(text_of(DataType(TypeId::kDate64), int64_t{-86'400'000}), "1969-12-31");
  EXPECT_EQ(text_of(DataType::duration(TimeUnit::kMilli), int64_t{93'784'500}), "PT26H3M4.5S");
  EXPECT_EQ(text_of(DataType::duration(TimeUnit::kSecond), int64_t{0}), "PT0S");
  EXPECT_EQ(text_of(DataType::duration(TimeUnit::kSecond), int64_t{-60}), "-PT1M");
  EXPECT_EQ(text_of(DataType(TypeId::kIntervalMonths), int32_t{-14}), "P-14M");
  EXPECT_EQ(text_of(DataType(TypeId::kIntervalDayTime), (uint64_t{500} << 32) | 3), "P3DT0.5S");
  std::string text;
  append_interval(text, {1, -2, -1});
  EXPECT_EQ(text, "P1M-2DT-0.000000001S");
  text.clear();
  append_interval(text, {});
  EXPECT_EQ(text, "P0D");
}

TEST(ScalarTextTest, PrintsBytesAsHexOrRaw) {
  ColumnBuilder builder(Context{}, DataType(TypeId::kBinary));
  builder.append_bytes(std::string_view("\x00\xFFz", 3));
  const ColumnPtr column = builder.finish();
  std::string text;
  append_text(text, ScalarRef(*column, 0));
  EXPECT_EQ(text, "00ff7a");
  text.clear();
  append_text(text, ScalarRef(*column, 0), {.binary = BinaryText::kRaw});
  EXPECT_EQ(text, std::string("\x00\xFFz", 3));
}

TEST(ScalarTextTest, PrintsNestedValuesAsJson) {
  const Field number{"n", DataType(TypeId::kFloat64)};
  ColumnBuilder builder(
      Context(), DataType::struct_of({{"a\"", DataType::list(number)},
                                      {"m", DataType::map({"k", DataType(TypeId::kDate32), false},
                                                          {"v", DataType(TypeId::kString)})}}));
  builder.child(0).child(0).append(1.5);
  builder.child(0).child(0).append(std::nan(""));
  builder.child(0).child(0).append_null();
  builder.child(0).append_list();
  builder.child(1).child(0).child(0).append(int32_t{1});
  builder.child(1).child(0).child(1).append_bytes("x\xFFy\n");
  builder.child(1).child(0).append_struct();
  builder.child(1).append_list();
  builder.append_struct();
  const ColumnPtr column = builder.finish();
  std::string text;
  append_text(text, ScalarRef(*column, 0));
  EXPECT_EQ(text, "{\"a\\\"\":[1.5,\"NaN\",null],\"m\":{\"1970-01-02\":\"x\xEF\xBF\xBDy\\n\"}}");
}

// The accessor against the plain reference, through every encoding, storage and offset.
testing::Value value_of(const ScalarRef& ref) {
  if (!ref.is_valid()) return {};
  switch (ref.type().id()) {
    case TypeId::kNull:
      return {};
    case TypeId::kBool:
      return {ref.as_bool()};
    case TypeId::kUInt8:
    case TypeId::kUInt16:
    case TypeId::kUInt32:
    case TypeId::kUInt64:
      return {ref.as_uint64()};
    case TypeId::kDecimal:
      return {ref.as_decimal()};
    case TypeId::kIntervalMonths:
    case TypeId::kIntervalDayTime:
    case TypeId::kIntervalMonthDayNano:
      return {ref.as_interval()};
    case TypeId::kString:
    case TypeId::kBinary:
    case TypeId::kFixedBinary:
      return {std::string(ref.as_bytes())};
    case TypeId::kList:
    case TypeId::kFixedSizeList:
    case TypeId::kMap: {
      testing::Sequence list;
      const ScalarRange range = ref.as_list();
      for (int64_t i = 0; i < range.length; ++i) list.values.push_back(value_of(range[i]));
      return {std::move(list)};
    }
    case TypeId::kStruct: {
      testing::Sequence fields;
      for (size_t i = 0; i < ref.type().fields().size(); ++i)
        fields.values.push_back(value_of(ref.field(i)));
      return {std::move(fields)};
    }
    default:
      return {ref.as_int64()};
  }
}

TEST(ScalarRefTest, ReadsEveryTypeEncodingAndStorage) {
  testing::RandomColumns random(Context{}, 4);
  for (const DataType& type : testing::all_types()) {
    if (type.id() == TypeId::kFloat16 || type.id() == TypeId::kFloat32 ||
        type.id() == TypeId::kFloat64)
      continue;
    for (int round = 0; round < 6; ++round) {
      SCOPED_TRACE(type.to_string());
      const ColumnPtr column = random.make(type, 20,
                                           {.null_fraction = 0.3,
                                            .encoding = std::nullopt,
                                            .sliced = round > 2,
                                            .wide_decimals = true});
      for (int64_t row = 0; row < column->length(); ++row) {
        EXPECT_EQ(value_of(ScalarRef(*column, row)), testing::value_at(*column, row));
        std::string text;
        append_json(text, ScalarRef(*column, row));
        EXPECT_FALSE(text.empty());
      }
    }
  }
}

}  // namespace
}  // namespace colonnade
