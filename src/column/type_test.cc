#include <colonnade/error.h>
#include <colonnade/type.h>
#include <gtest/gtest.h>

namespace colonnade {
namespace {

ErrorCode code_of(auto&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::kInternal;
}

const Field kKey{"key", DataType(TypeId::kString), false};
const Field kValue{"value", DataType(TypeId::kInt32), true};

TEST(DataTypeTest, NamesTypesWithTheirParameters) {
  EXPECT_EQ(DataType().to_string(), "null");
  EXPECT_EQ(DataType(TypeId::kInt32).to_string(), "int32");
  EXPECT_EQ(DataType::decimal(12, 2).to_string(), "decimal(12, 2)");
  EXPECT_EQ(DataType::timestamp(TimeUnit::kMicro, "UTC").to_string(), "timestamp[us, UTC]");
  EXPECT_EQ(DataType::timestamp(TimeUnit::kNano).to_string(), "timestamp[ns]");
  EXPECT_EQ(DataType::time(TimeUnit::kMilli).to_string(), "time[ms]");
  EXPECT_EQ(DataType::fixed_binary(16).to_string(), "fixed_binary(16)");
  EXPECT_EQ(DataType::list(Field{"element", DataType(TypeId::kString)}).to_string(),
            "list<element: string>");
  EXPECT_EQ(DataType::fixed_size_list(kValue, 3).to_string(), "fixed_size_list<value: int32>[3]");
  EXPECT_EQ(DataType::struct_of({kKey, kValue}).to_string(),
            "struct<key: string not null, value: int32>");
  EXPECT_EQ(DataType::map(kKey, kValue, true).to_string(),
            "map<key: string not null, value: int32, keys sorted>");
}

TEST(DataTypeTest, HoldsDecimalsInTheFewestBytes) {
  EXPECT_EQ(DataType::decimal(9, 2).storage_width(), 4);
  EXPECT_EQ(DataType::decimal(10, 2).storage_width(), 8);
  EXPECT_EQ(DataType::decimal(18, 2).storage_width(), 8);
  EXPECT_EQ(DataType::decimal(19, 2).storage_width(), 16);
  EXPECT_EQ(DataType::decimal(38, 2).storage_width(), 16);
  EXPECT_EQ(DataType::decimal(39, 2).storage_width(), 32);
  EXPECT_EQ(DataType::time(TimeUnit::kMilli).storage_width(), 4);
  EXPECT_EQ(DataType::time(TimeUnit::kMicro).storage_width(), 8);
  EXPECT_EQ(DataType(TypeId::kBool).storage_width(), 0);
}

TEST(DataTypeTest, ComparesParametersAndChildrenButNotTheirForms) {
  EXPECT_EQ(DataType::decimal(9, 2), DataType::decimal(9, 2));
  EXPECT_NE(DataType::decimal(9, 2), DataType::decimal(9, 3));
  EXPECT_NE(DataType::timestamp(TimeUnit::kMilli), DataType::timestamp(TimeUnit::kMicro));
  EXPECT_NE(DataType::timestamp(TimeUnit::kMilli), DataType::timestamp(TimeUnit::kMilli, "UTC"));
  EXPECT_NE(DataType::map(kKey, kValue, true), DataType::map(kKey, kValue, false));
  Field other_form = kValue;
  other_form.form = Form::kViews;
  other_form.metadata = {{"k", "v"}};
  EXPECT_EQ(DataType::list(kValue), DataType::list(other_form));
  Field other_name = kValue;
  other_name.name = "w";
  EXPECT_NE(DataType::list(kValue), DataType::list(other_name));
  Field required = kValue;
  required.nullable = false;
  EXPECT_NE(DataType::list(kValue), DataType::list(required));
}

TEST(DataTypeTest, RefusesWhatMakesNoSense) {
  EXPECT_EQ(code_of([] { static_cast<void>(DataType(TypeId::kDecimal)); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([] { DataType::decimal(0, 0); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([] { DataType::decimal(77, 0); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([] { DataType::fixed_binary(-1); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([] { DataType::fixed_size_list(kValue, -1); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([] { DataType::map(kValue, kValue); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([] { DataType::map_of_entries(kKey, false); }), ErrorCode::kInvalidArgument);
}

TEST(SchemaTest, FindsTheFirstFieldOfAName) {
  const Schema schema({kKey, kValue, kKey});
  EXPECT_EQ(schema.index_of("key"), 0);
  EXPECT_EQ(schema.index_of("value"), 1);
  EXPECT_EQ(schema.index_of("Value"), std::nullopt);
  EXPECT_EQ(schema.to_string(), "key: string not null\nvalue: int32\nkey: string not null\n");
  EXPECT_EQ(schema, Schema({kKey, kValue, kKey}, {{"a", "b"}}));
  EXPECT_FALSE(schema == Schema({kKey, kValue}));
}

}  // namespace
}  // namespace colonnade
