#include "column/common_type.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "column/testing/random_column.h"

namespace colonnade {
namespace {

// "none" where there is no common type.
std::string common(const DataType& a, const DataType& b) {
  const std::optional<DataType> type = common_type(a, b);
  return type ? type->to_string() : "none";
}

std::string common(TypeId a, TypeId b) { return common(DataType(a), DataType(b)); }

DataType decimal(int32_t precision, int32_t scale) { return DataType::decimal(precision, scale); }

Field field(std::string name, DataType type, bool nullable = true) {
  return Field{std::move(name), std::move(type), nullable};
}

TEST(CommonType, OfIntegersHoldsBothRanges) {
  EXPECT_EQ(common(TypeId::kInt8, TypeId::kInt32), "int32");
  EXPECT_EQ(common(TypeId::kUInt8, TypeId::kUInt64), "uint64");
  EXPECT_EQ(common(TypeId::kInt8, TypeId::kUInt8), "int16");
  EXPECT_EQ(common(TypeId::kInt64, TypeId::kUInt8), "int64");
  EXPECT_EQ(common(TypeId::kInt8, TypeId::kUInt32), "int64");
  EXPECT_EQ(common(TypeId::kInt8, TypeId::kUInt64), "none");
}

TEST(CommonType, OfFloatsTakesInOnlyIntegersThatStayExact) {
  EXPECT_EQ(common(TypeId::kFloat16, TypeId::kFloat64), "float64");
  EXPECT_EQ(common(TypeId::kFloat16, TypeId::kInt8), "float32");
  EXPECT_EQ(common(TypeId::kFloat32, TypeId::kUInt16), "float32");
  EXPECT_EQ(common(TypeId::kFloat32, TypeId::kInt32), "float64");
  EXPECT_EQ(common(TypeId::kFloat64, TypeId::kUInt32), "float64");
  EXPECT_EQ(common(TypeId::kFloat64, TypeId::kInt64), "none");
  EXPECT_EQ(common(DataType(TypeId::kFloat64), decimal(5, 2)), "none");
}

TEST(CommonType, OfDecimalsKeepsDigitsOnBothSidesOfThePoint) {
  EXPECT_EQ(common(decimal(10, 2), decimal(8, 5)), "decimal(13, 5)");
  EXPECT_EQ(common(decimal(38, 0), decimal(38, 38)), "decimal(76, 38)");
  EXPECT_EQ(common(decimal(39, 0), decimal(38, 38)), "none");
  EXPECT_EQ(common(decimal(5, -3), decimal(5, 0)), "decimal(8, 0)");
  EXPECT_EQ(common(DataType(TypeId::kInt8), decimal(2, 1)), "decimal(4, 1)");
  EXPECT_EQ(common(DataType(TypeId::kInt32), decimal(5, 2)), "decimal(12, 2)");
  EXPECT_EQ(common(DataType(TypeId::kInt64), decimal(5, 2)), "decimal(21, 2)");
  EXPECT_EQ(common(DataType(TypeId::kUInt64), decimal(5, 2)), "decimal(22, 2)");
}

TEST(CommonType, OfOthersIsTheirsOrNone) {
  EXPECT_EQ(common(TypeId::kNull, TypeId::kDate32), "date32");
  EXPECT_EQ(common(TypeId::kString, TypeId::kString), "string");
  EXPECT_EQ(common(TypeId::kString, TypeId::kBinary), "none");
  EXPECT_EQ(common(TypeId::kBool, TypeId::kInt8), "none");
  EXPECT_EQ(common(DataType::timestamp(TimeUnit::kMilli), DataType::timestamp(TimeUnit::kMicro)),
            "none");
  EXPECT_EQ(
      common(DataType::timestamp(TimeUnit::kMilli), DataType::timestamp(TimeUnit::kMilli, "UTC")),
      "none");
  EXPECT_EQ(common(DataType::fixed_binary(3), DataType::fixed_binary(4)), "none");
}

TEST(CommonType, OfStructsHasTheFieldsOfBoth) {
  const DataType a = DataType::struct_of(
      {field("x", DataType(TypeId::kInt8), false), field("y", DataType(TypeId::kString), false)});
  const DataType b = DataType::struct_of(
      {field("z", DataType(TypeId::kBool), false), field("x", DataType(TypeId::kInt64), false)});
  EXPECT_EQ(common(a, b), "struct<x: int64 not null, y: string, z: bool>");
  EXPECT_EQ(common(DataType::struct_of({}), a), "struct<x: int8, y: string>");
  EXPECT_EQ(common(a, DataType::struct_of({field("x", DataType(TypeId::kString))})), "none");
  const DataType twice = DataType::struct_of(
      {field("x", DataType(TypeId::kInt8)), field("x", DataType(TypeId::kInt8))});
  EXPECT_EQ(common(twice, twice), twice.to_string());
  EXPECT_EQ(common(twice, a), "none");
  EXPECT_EQ(common(a, DataType(TypeId::kInt8)), "none");
}

TEST(CommonType, OfListsAndMapsIsThatOfTheirParts) {
  const Field narrow = field("element", DataType(TypeId::kInt8), false);
  const Field wide = field("item", DataType(TypeId::kInt16));
  EXPECT_EQ(common(DataType::list(narrow), DataType::list(wide)), "list<element: int16>");
  EXPECT_EQ(common(DataType::list(narrow), DataType::fixed_size_list(narrow, 2)), "none");
  EXPECT_EQ(common(DataType::fixed_size_list(narrow, 2), DataType::fixed_size_list(wide, 2)),
            "fixed_size_list<element: int16>[2]");
  EXPECT_EQ(common(DataType::fixed_size_list(narrow, 2), DataType::fixed_size_list(narrow, 3)),
            "none");
  const Field key = field("key", DataType(TypeId::kString), false);
  EXPECT_EQ(common(DataType::map(key, narrow, true), DataType::map(key, wide)),
            "map<key: string not null, element: int16>");
  EXPECT_EQ(common(DataType::map(key, narrow), DataType::map(narrow, narrow)), "none");
}

TEST(CommonType, TakesInBothAndDoesNotDependOnTheirOrder) {
  testing::RandomColumns random(Context{}, 31);
  std::vector<DataType> types = testing::all_types();
  for (int i = 0; i < 100; ++i) types.push_back(random.type(3));
  int found = 0;
  for (const DataType& a : types) {
    for (const DataType& b : types) {
      const std::optional<DataType> type = common_type(a, b);
      EXPECT_EQ(common_type(b, a).has_value(), type.has_value()) << common(a, b);
      if (!type) continue;
      ++found;
      EXPECT_EQ(common_type(*type, a), *type);
      EXPECT_EQ(common_type(*type, b), *type);
      if (!a.is_nested()) {
        EXPECT_EQ(common_type(b, a), *type);
      }
    }
  }
  EXPECT_GT(found, 200);
}

TEST(CommonType, OfFieldsIsNullableWhereOneIs) {
  Field a = field("n", DataType(TypeId::kInt8), false);
  a.metadata = {{"k", "v"}};
  const Field b = field("m", DataType(TypeId::kInt16), true);
  const std::optional<Field> common = common_field(a, b);
  ASSERT_TRUE(common.has_value());
  EXPECT_EQ(common->to_string(), "n: int16");
  EXPECT_EQ(common->metadata, a.metadata);
  EXPECT_FALSE(common_field(a, a)->nullable);
  EXPECT_FALSE(common_field(a, field("n", DataType(TypeId::kBool))).has_value());
}

}  // namespace
}  // namespace colonnade
