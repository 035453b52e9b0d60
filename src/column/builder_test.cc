#include "column/builder.h"

#include <colonnade/error.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "column/testing/reference.h"

namespace colonnade {
namespace {

using testing::to_values;
using testing::Value;

std::string printed(const Column& column) {
  std::string text;
  for (const Value& value : to_values(column)) text += testing::to_string(value) + ";";
  return text;
}

TEST(ColumnBuilderTest, BuildsFixedWidthValuesWithNullsAsZeroes) {
  ColumnBuilder builder(Context{}, DataType(TypeId::kInt16));
  builder.append(int16_t{-5});
  builder.append_null();
  builder.append(int16_t{7});
  builder.append_zero();
  const ColumnPtr column = builder.finish();
  EXPECT_EQ(printed(*column), "-5;null;7;0;");
  EXPECT_EQ(column->parts().values.as<int16_t>()[1], 0);
  EXPECT_EQ(column->parts().validity.data()[0], 0b1101);
  EXPECT_EQ(builder.length(), 0);
  EXPECT_EQ(builder.finish()->length(), 0);
}

TEST(ColumnBuilderTest, HasNoValidityWithoutNulls) {
  ColumnBuilder builder(Context{}, DataType(TypeId::kBool));
  for (int i = 0; i < 20; ++i) builder.append_bool(i % 3 == 0);
  const ColumnPtr column = builder.finish();
  EXPECT_TRUE(column->parts().validity.empty());
  EXPECT_EQ(column->parts().values.data()[0], 0b01001001);
}

TEST(ColumnBuilderTest, SetsEarlierRowsValidAtTheFirstNull) {
  for (const int first : {0, 1, 7, 8, 9, 16}) {
    ColumnBuilder builder(Context{}, DataType(TypeId::kInt8));
    for (int i = 0; i < first; ++i) builder.append(int8_t{1});
    builder.append_null();
    builder.append(int8_t{1});
    const ColumnPtr column = builder.finish();
    EXPECT_EQ(column->null_count(), 1);
    for (int i = 0; i < first + 2; ++i)
      EXPECT_EQ(column->is_valid(i), i != first) << i << " of " << first;
  }
}

TEST(ColumnBuilderTest, BuildsStringsInEveryStorage) {
  for (const Storage storage : {Storage::kOffsets32, Storage::kOffsets64, Storage::kViews}) {
    ColumnBuilder builder(Context{}, DataType(TypeId::kString), storage);
    builder.append_bytes("twelve bytes");
    builder.append_bytes("more than twelve");
    builder.append_null();
    builder.append_bytes("");
    const std::string large(3'000'000, 'x');
    builder.append_bytes(large);
    builder.append_bytes("after the large one");
    const auto values = to_values(*builder.finish());
    EXPECT_EQ(values[0], Value{std::string("twelve bytes")});
    EXPECT_EQ(values[1], Value{std::string("more than twelve")});
    EXPECT_EQ(values[2], Value{});
    EXPECT_EQ(values[3], Value{std::string()});
    EXPECT_EQ(values[4], Value{large});
    EXPECT_EQ(values[5], Value{std::string("after the large one")});
  }
}

TEST(ColumnBuilderTest, BuildsListsStructsAndMaps) {
  const Field number{"n", DataType(TypeId::kInt32), false};
  ColumnBuilder builder(
      Context(),
      DataType::struct_of({{"list", DataType::list(number)},
                           {"pair", DataType::fixed_size_list(number, 2)},
                           {"map", DataType::map(number, {"v", DataType(TypeId::kString)})}}));
  builder.child(0).child(0).append(1);
  builder.child(0).child(0).append(2);
  builder.child(0).append_list();
  builder.child(1).child(0).append(3);
  builder.child(1).child(0).append(4);
  builder.child(1).append_list();
  builder.child(2).child(0).child(0).append(5);
  builder.child(2).child(0).child(1).append_null();
  builder.child(2).child(0).append_struct();
  builder.child(2).append_list();
  builder.append_struct();
  builder.append_null();
  builder.child(0).append_list();
  builder.child(1).append_null();
  builder.child(2).append_zero();
  builder.append_struct();
  builder.append_zero();
  const ColumnPtr column = builder.finish();
  EXPECT_EQ(printed(*column),
            "[[1, 2], [3, 4], [[5, null]]];null;[[], null, []];[[], [0, 0], []];");
  // Below a null the child whose field is required has a zero, not a null.
  EXPECT_EQ(column->parts().children[1]->parts().children[0]->null_count(), 0);
}

TEST(ColumnBuilderTest, RefusesWhatDoesNotFit) {
  ColumnBuilder builder(Context{}, DataType(TypeId::kInt32));
  EXPECT_THROW(builder.append(int64_t{1}), Error);
  EXPECT_THROW(builder.append_bool(true), Error);
  EXPECT_THROW(builder.append_bytes("abcd"), Error);
  EXPECT_THROW(builder.append_list(), Error);
  EXPECT_THROW(ColumnBuilder(Context{}, DataType(TypeId::kInt32), Storage::kViews), Error);
  ColumnBuilder fixed(Context{}, DataType::fixed_binary(3));
  EXPECT_THROW(fixed.append_bytes("four"), Error);
  fixed.append_bytes("abc");
  ColumnBuilder pair(Context{}, DataType::fixed_size_list({"n", DataType(TypeId::kInt32)}, 2));
  pair.child(0).append(1);
  EXPECT_THROW(pair.append_list(), Error);
  ColumnBuilder pairs(Context{}, DataType::struct_of({{"a", DataType(TypeId::kInt32)}}));
  EXPECT_THROW(pairs.append_struct(), Error);
}

TEST(ColumnBuilderTest, ChecksTheDigitsOfDecimals) {
  ColumnBuilder builder(Context{}, DataType::decimal(9, 2));
  builder.append_decimal(Decimal256(999'999'999));
  builder.append_decimal(Decimal256(-999'999'999));
  EXPECT_THROW(builder.append_decimal(Decimal256(1'000'000'000)), Error);
  EXPECT_THROW(builder.append_decimal(Decimal256(-1'000'000'000)), Error);
  ColumnBuilder wide = ColumnBuilder::decimals(Context{}, DataType::decimal(9, 2), 32);
  wide.append_decimal(Decimal256(-5));
  const ColumnPtr column = wide.finish();
  EXPECT_EQ(column->byte_width(), 32);
  EXPECT_EQ(column->parts().values.as<int64_t>()[3], -1);
}

TEST(ColumnBuilderTest, ChargesItsContext) {
  Context context;
  MemoryOptions options;
  options.limit_bytes = 1 << 20;
  context.memory = MemoryPool::make_root("small", options);
  ColumnBuilder builder(context, DataType(TypeId::kInt64));
  try {
    for (int64_t i = 0; i < (1 << 20); ++i) builder.append(i);
    FAIL() << "8 MiB in a budget of 1 MiB";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget);
  }
}

}  // namespace
}  // namespace colonnade
