#include "arrow/widen.h"

#include <colonnade/error.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "column/common_type.h"
#include "column/float16.h"
#include "column/testing/random_column.h"
#include "column/testing/reference.h"

namespace colonnade::arrow {
namespace {

using colonnade::testing::ColumnShape;
using colonnade::testing::FloatBits;
using colonnade::testing::RandomColumns;
using colonnade::testing::Sequence;
using colonnade::testing::to_values;
using colonnade::testing::Value;

double as_double(const FloatBits& value) {
  switch (value.byte_width) {
    case 2:
      return float_of_half(static_cast<uint16_t>(value.bits));
    case 4:
      return std::bit_cast<float>(static_cast<uint32_t>(value.bits));
    default:
      return std::bit_cast<double>(value.bits);
  }
}

FloatBits as_bits(double value, const DataType& type) {
  if (type.id() == TypeId::kFloat32) return {std::bit_cast<uint32_t>(static_cast<float>(value)), 4};
  return {std::bit_cast<uint64_t>(value), 8};
}

int128_t as_integer(const Value& value) {
  const int64_t* const is_signed = std::get_if<int64_t>(&value.content);
  return is_signed ? int128_t{*is_signed} : int128_t{std::get<uint64_t>(value.content)};
}

// A value of `from` as one of `to`, by the plainest means.
Value wider(const Value& value, const DataType& from, const DataType& to) {
  if (from == to || std::holds_alternative<std::monostate>(value.content)) return value;
  if (from.is_nested()) {
    const Sequence& there = std::get<Sequence>(value.content);
    Sequence wide;
    if (to.id() == TypeId::kStruct) {
      for (size_t i = 0; i < to.fields().size(); ++i) {
        wide.values.emplace_back();
        for (size_t k = 0; k < from.fields().size(); ++k) {
          if (from.fields()[k].name == to.fields()[i].name) {
            wide.values.back() = wider(there.values[k], from.fields()[k].type, to.fields()[i].type);
          }
        }
      }
    } else {
      for (const Value& element : there.values)
        wide.values.push_back(wider(element, from.fields()[0].type, to.fields()[0].type));
    }
    return {wide};
  }
  if (to.id() == TypeId::kDecimal) {
    const bool is_decimal = from.id() == TypeId::kDecimal;
    Decimal256 decimal =
        is_decimal ? std::get<Decimal256>(value.content) : Decimal256(as_integer(value));
    for (int32_t i = is_decimal ? from.scale() : 0; i < to.scale(); ++i)
      decimal = decimal.multiply_add(10, 0);
    return {decimal};
  }
  if (to.id() == TypeId::kFloat32 || to.id() == TypeId::kFloat64) {
    const FloatBits* const bits = std::get_if<FloatBits>(&value.content);
    return {as_bits(bits ? as_double(*bits) : static_cast<double>(as_integer(value)), to)};
  }
  const int128_t integer = as_integer(value);
  const bool to_unsigned =
      to.id() == TypeId::kUInt16 || to.id() == TypeId::kUInt32 || to.id() == TypeId::kUInt64;
  if (to_unsigned) return {static_cast<uint64_t>(integer)};
  return {static_cast<int64_t>(integer)};
}

// The bits of NaN may change when a float becomes wider.
bool is_nan(const Value& value) {
  const FloatBits* const bits = std::get_if<FloatBits>(&value.content);
  return bits && std::isnan(as_double(*bits));
}

bool same(const Value& a, const Value& b) {
  const Sequence* const in_a = std::get_if<Sequence>(&a.content);
  const Sequence* const in_b = std::get_if<Sequence>(&b.content);
  if (!in_a || !in_b) return a == b || (is_nan(a) && is_nan(b));
  return std::equal(in_a->values.begin(), in_a->values.end(), in_b->values.begin(),
                    in_b->values.end(), same);
}

std::vector<DataType> numbers_and_shapes() {
  std::vector<DataType> types;
  for (const TypeId id :
       {TypeId::kNull, TypeId::kInt8, TypeId::kInt16, TypeId::kInt32, TypeId::kInt64,
        TypeId::kUInt8, TypeId::kUInt16, TypeId::kUInt32, TypeId::kUInt64, TypeId::kFloat16,
        TypeId::kFloat32, TypeId::kFloat64, TypeId::kString})
    types.emplace_back(id);
  for (const auto& [precision, scale] :
       {std::pair{3, 1}, {9, 0}, {12, 6}, {18, 18}, {30, 2}, {38, 30}, {50, 0}, {76, 40}})
    types.push_back(DataType::decimal(precision, scale));
  const size_t leaves = types.size();
  const auto of = [&](size_t i) { return Field{"element", types[i % leaves]}; };
  for (size_t i = 0; i < leaves; ++i) {
    types.push_back(DataType::list(of(i)));
    types.push_back(DataType::fixed_size_list(of(i), 2));
    types.push_back(DataType::struct_of({Field{i % 2 ? "a" : "b", of(i).type}, of(i + 1)}));
    types.push_back(DataType::map(Field{"key", DataType(TypeId::kString), false},
                                  Field{"value", types[leaves + i * 4]}));
  }
  return types;
}

TEST(Widen, KeepsEveryValue) {
  Context context;
  context.memory = MemoryPool::make_root("test");
  {
    RandomColumns random(context, 20);
    const std::vector<DataType> types = numbers_and_shapes();
    int pairs = 0;
    for (const DataType& from : types) {
      for (const DataType& other : types) {
        const std::optional<DataType> to = common_type(from, other);
        if (!to) continue;
        ++pairs;
        ColumnShape shape;
        shape.null_fraction = std::vector{0.0, 0.2, 1.0}[random.below(3)];
        shape.encoding.reset();
        shape.sliced = random.chance(0.5);
        shape.wide_decimals = random.chance(0.5);
        const int64_t length = std::vector<int64_t>{0, 1, 65, 3000}[random.below(4)];
        const ColumnPtr column = random.make(from, length, shape);
        const ColumnPtr wide = widen(context, column, *to);
        ASSERT_EQ(wide->type(), *to);
        ASSERT_EQ(wide->length(), length);
        const std::vector<Value> before = to_values(*column);
        const std::vector<Value> after = to_values(*wide);
        for (size_t i = 0; i < before.size(); ++i) {
          const Value expected = wider(before[i], from, *to);
          ASSERT_TRUE(same(expected, after[i]))
              << from.to_string() << " as " << to->to_string() << ", row " << i << ": "
              << to_string(after[i]) << " instead of " << to_string(expected);
        }
      }
    }
    EXPECT_GT(pairs, 300);
  }
  EXPECT_EQ(context.memory->used_bytes(), 0);
}

TEST(Widen, GivesTheSameColumnWhereNothingChanges) {
  const Context context;
  const ColumnPtr column = RandomColumns(context, 1).make(DataType(TypeId::kInt32), 10, {});
  EXPECT_EQ(widen(context, column, column->type()), column);
}

TEST(Widen, RefusesTypesThatLackValues) {
  const Context context;
  const ColumnPtr column = RandomColumns(context, 1).make(DataType(TypeId::kInt32), 10, {});
  for (const DataType& type : {DataType(TypeId::kInt16), DataType(TypeId::kUInt64),
                               DataType(TypeId::kFloat32), DataType::decimal(9, 0)}) {
    try {
      widen(context, column, type);
      FAIL() << type.to_string();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_NE(std::string(error.what()).find("int32 as " + type.to_string()), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace colonnade::arrow
