#include "parquet/column/leaf.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parquet/testing/error_of.h"
#include "parquet/testing/file_builder.h"

namespace colonnade::parquet {
namespace {

using Kind = LogicalType::Kind;
using testing::Bytes;
using testing::error_of;
using testing::FileBuilder;
using testing::group;
using testing::leaf;

FileSchema schema_of(const FileBuilder& builder) {
  auto bytes = std::make_shared<Bytes>(builder.build_footer());
  const Buffer buffer = Buffer::wrap(bytes->data(), static_cast<int64_t>(bytes->size()), bytes);
  return make_file_schema(Footer::parse(Context(), buffer, 1 << 20));
}

FileSchema schema_of(const std::vector<SchemaElement>& elements) {
  FileBuilder builder;
  for (const SchemaElement& element : elements) builder.element(element);
  return schema_of(builder);
}

struct TypeCase {
  const char* name;
  PhysicalType physical_type;
  int32_t type_length;
  LogicalType logical_type;
  std::optional<ConvertedType> converted_type;
  const char* type;
  const char* refusal;
};

SchemaElement element_of(const TypeCase& c) {
  SchemaElement element =
      leaf(c.name, c.physical_type, Repetition::kOptional, c.logical_type, c.type_length);
  element.converted_type = c.converted_type;
  if (c.converted_type == ConvertedType::kDecimal) {
    element.precision = 7;
    element.scale = 2;
  }
  return element;
}

constexpr PhysicalType kBool = PhysicalType::kBoolean;
constexpr PhysicalType kI32 = PhysicalType::kInt32;
constexpr PhysicalType kI64 = PhysicalType::kInt64;
constexpr PhysicalType kBytes = PhysicalType::kByteArray;
constexpr PhysicalType kFixed = PhysicalType::kFixedLenByteArray;

LogicalType of(Kind kind) { return {.kind = kind}; }
LogicalType integer(int32_t bits, bool is_signed) {
  return {.kind = Kind::kInteger, .is_signed = is_signed, .bit_width = bits};
}
LogicalType decimal(int32_t precision, int32_t scale) {
  return {.kind = Kind::kDecimal, .precision = precision, .scale = scale};
}
LogicalType in_time(Kind kind, TimeUnit unit, bool utc) {
  return {.kind = kind, .unit = unit, .adjusted_to_utc = utc};
}

std::vector<TypeCase> type_cases() {
  constexpr auto kNo = std::nullopt;
  using C = ConvertedType;
  return {
      {"bool", kBool, 0, {}, kNo, "bool", ""},
      {"int32", kI32, 0, {}, kNo, "int32", ""},
      {"int64", kI64, 0, {}, kNo, "int64", ""},
      {"int96", PhysicalType::kInt96, 0, {}, kNo, "timestamp[ns]", ""},
      {"float", PhysicalType::kFloat, 0, {}, kNo, "float32", ""},
      {"double", PhysicalType::kDouble, 0, {}, kNo, "float64", ""},
      {"bytes", kBytes, 0, {}, kNo, "binary", ""},
      {"fixed", kFixed, 5, {}, kNo, "fixed_binary(5)", ""},
      {"i8", kI32, 0, integer(8, true), kNo, "int8", ""},
      {"u8", kI32, 0, integer(8, false), kNo, "uint8", ""},
      {"i16", kI32, 0, integer(16, true), kNo, "int16", ""},
      {"u16", kI32, 0, integer(16, false), kNo, "uint16", ""},
      {"i32", kI32, 0, integer(32, true), kNo, "int32", ""},
      {"u32", kI32, 0, integer(32, false), kNo, "uint32", ""},
      {"i64", kI64, 0, integer(64, true), kNo, "int64", ""},
      {"u64", kI64, 0, integer(64, false), kNo, "uint64", ""},
      {"c_i8", kI32, 0, {}, C::kInt8, "int8", ""},
      {"c_u8", kI32, 0, {}, C::kUint8, "uint8", ""},
      {"c_i16", kI32, 0, {}, C::kInt16, "int16", ""},
      {"c_u16", kI32, 0, {}, C::kUint16, "uint16", ""},
      {"c_i32", kI32, 0, {}, C::kInt32, "int32", ""},
      {"c_u32", kI32, 0, {}, C::kUint32, "uint32", ""},
      {"c_i64", kI64, 0, {}, C::kInt64, "int64", ""},
      {"c_u64", kI64, 0, {}, C::kUint64, "uint64", ""},
      {"float16", kFixed, 2, of(Kind::kFloat16), kNo, "float16", ""},
      {"dec32", kI32, 0, decimal(9, 2), kNo, "decimal(9, 2)", ""},
      {"dec64", kI64, 0, decimal(18, 18), kNo, "decimal(18, 18)", ""},
      {"dec32_in_64", kI64, 0, decimal(5, 0), kNo, "decimal(5, 0)", ""},
      {"dec_fixed", kFixed, 16, decimal(38, 10), kNo, "decimal(38, 10)", ""},
      {"dec_fixed_32", kFixed, 32, decimal(76, 76), kNo, "decimal(76, 76)", ""},
      {"dec_bytes", kBytes, 0, decimal(76, 1), kNo, "decimal(76, 1)", ""},
      {"c_dec", kI32, 0, {}, C::kDecimal, "decimal(7, 2)", ""},
      {"date", kI32, 0, of(Kind::kDate), kNo, "date32", ""},
      {"c_date", kI32, 0, {}, C::kDate, "date32", ""},
      {"time_ms", kI32, 0, in_time(Kind::kTime, TimeUnit::kMilli, false), kNo, "time[ms]", ""},
      {"time_us", kI64, 0, in_time(Kind::kTime, TimeUnit::kMicro, true), kNo, "time[us]", ""},
      {"time_ns", kI64, 0, in_time(Kind::kTime, TimeUnit::kNano, false), kNo, "time[ns]", ""},
      {"c_time_ms", kI32, 0, {}, C::kTimeMillis, "time[ms]", ""},
      {"c_time_us", kI64, 0, {}, C::kTimeMicros, "time[us]", ""},
      {"ts_ms", kI64, 0, in_time(Kind::kTimestamp, TimeUnit::kMilli, false), kNo, "timestamp[ms]",
       ""},
      {"ts_us", kI64, 0, in_time(Kind::kTimestamp, TimeUnit::kMicro, false), kNo, "timestamp[us]",
       ""},
      {"ts_ns_utc", kI64, 0, in_time(Kind::kTimestamp, TimeUnit::kNano, true), kNo,
       "timestamp[ns, UTC]", ""},
      {"c_ts_ms", kI64, 0, {}, C::kTimestampMillis, "timestamp[ms, UTC]", ""},
      {"c_ts_us", kI64, 0, {}, C::kTimestampMicros, "timestamp[us, UTC]", ""},
      {"string", kBytes, 0, of(Kind::kString), kNo, "string", ""},
      {"c_string", kBytes, 0, {}, C::kUtf8, "string", ""},
      {"enum", kBytes, 0, of(Kind::kEnum), kNo, "string", ""},
      {"c_enum", kBytes, 0, {}, C::kEnum, "string", ""},
      {"json", kBytes, 0, of(Kind::kJson), kNo, "string", ""},
      {"c_json", kBytes, 0, {}, C::kJson, "string", ""},
      {"bson", kBytes, 0, of(Kind::kBson), kNo, "binary", ""},
      {"c_bson", kBytes, 0, {}, C::kBson, "binary", ""},
      {"uuid", kFixed, 16, of(Kind::kUuid), kNo, "fixed_binary(16)", ""},
      {"geometry", kBytes, 0, of(Kind::kGeometry), kNo, "binary", ""},
      {"geography", kBytes, 0, of(Kind::kGeography), kNo, "binary", ""},
      {"null", kI32, 0, of(Kind::kUnknown), kNo, "null", ""},
      {"interval", kFixed, 12, {}, C::kInterval, "interval[months, days, ns]", ""},
      {"newer", kI64, 0, of(static_cast<Kind>(99)), kNo, "int64", ""},
      {"newer_and_older", kBytes, 0, of(static_cast<Kind>(99)), C::kUtf8, "string", ""},
      // The logical type goes first.
      {"both", kI64, 0, in_time(Kind::kTimestamp, TimeUnit::kMicro, false), C::kTimestampMicros,
       "timestamp[us]", ""},
  };
}

TEST(Leaf, TypesOfFlatColumns) {
  const std::vector<TypeCase> cases = type_cases();
  std::vector<SchemaElement> elements;
  for (const TypeCase& c : cases) elements.push_back(element_of(c));
  const FileSchema schema = schema_of(elements);
  ASSERT_EQ(schema.fields.size(), cases.size());
  ASSERT_EQ(schema.leaves.size(), cases.size());
  ASSERT_EQ(schema.schema->num_fields(), static_cast<int32_t>(cases.size()));
  for (size_t i = 0; i < cases.size(); ++i) {
    const FileField& field = schema.fields[i];
    EXPECT_EQ(field.field.name, cases[i].name);
    EXPECT_EQ(field.field.type.to_string(), cases[i].type) << cases[i].name;
    EXPECT_EQ(field.refusal, cases[i].refusal) << cases[i].name;
    EXPECT_TRUE(field.field.nullable);
    EXPECT_EQ(field.first_leaf, static_cast<int32_t>(i));
    EXPECT_EQ(field.shape.num_leaves, 1);
    EXPECT_TRUE(schema.schema->field(static_cast<int32_t>(i)) == field.field);
    EXPECT_EQ(schema.leaves[i].physical_type, cases[i].physical_type);
    EXPECT_EQ(schema.leaves[i].type_length, cases[i].type_length);
    EXPECT_EQ(schema.leaves[i].max_definition_level, 1);
    EXPECT_EQ(schema.leaves[i].max_repetition_level, 0);
    EXPECT_EQ(schema.leaves[i].dotted_path, cases[i].name);
  }
}

TEST(Leaf, LogicalTypesThatContradictTheirPhysicalType) {
  using C = ConvertedType;
  const std::vector<TypeCase> cases = {
      {"c", kI64, 0, of(Kind::kString), {}, "", ""},
      {"c", kFixed, 4, of(Kind::kEnum), {}, "", ""},
      {"c", kI32, 0, of(Kind::kJson), {}, "", ""},
      {"c", kFixed, 9, of(Kind::kBson), {}, "", ""},
      {"c", kI64, 0, {}, C::kUtf8, "", ""},
      {"c", kI32, 0, decimal(10, 2), {}, "", ""},
      {"c", kI64, 0, decimal(19, 2), {}, "", ""},
      {"c", kFixed, 5, decimal(12, 0), {}, "", ""},
      {"c", kFixed, 16, decimal(39, 0), {}, "", ""},
      {"c", PhysicalType::kDouble, 0, decimal(9, 2), {}, "", ""},
      {"c", PhysicalType::kInt96, 0, decimal(9, 2), {}, "", ""},
      {"c", kI64, 0, of(Kind::kDate), {}, "", ""},
      {"c", kI64, 0, in_time(Kind::kTime, TimeUnit::kMilli, false), {}, "", ""},
      {"c", kI32, 0, in_time(Kind::kTime, TimeUnit::kMicro, false), {}, "", ""},
      {"c", kI32, 0, in_time(Kind::kTimestamp, TimeUnit::kMilli, false), {}, "", ""},
      {"c", PhysicalType::kInt96, 0, in_time(Kind::kTimestamp, TimeUnit::kNano, false), {}, "", ""},
      {"c", kI64, 0, integer(32, true), {}, "", ""},
      {"c", kI32, 0, integer(64, true), {}, "", ""},
      {"c", kBool, 0, integer(8, true), {}, "", ""},
      {"c", kFixed, 15, of(Kind::kUuid), {}, "", ""},
      {"c", kBytes, 0, of(Kind::kUuid), {}, "", ""},
      {"c", kFixed, 4, of(Kind::kFloat16), {}, "", ""},
      {"c", PhysicalType::kFloat, 0, of(Kind::kFloat16), {}, "", ""},
      {"c", kFixed, 8, {}, C::kInterval, "", ""},
      {"c", kBytes, 0, of(Kind::kList), {}, "", ""},
      {"c", kBytes, 0, of(Kind::kMap), {}, "", ""},
      {"c", kBytes, 0, of(Kind::kVariant), {}, "", ""},
      {"c", kI32, 0, of(Kind::kGeometry), {}, "", ""},
      {"c", kI32, 0, of(Kind::kGeography), {}, "", ""},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    const Error error = error_of([&] { schema_of({leaf("first", kI32), element_of(cases[i])}); });
    EXPECT_EQ(error.code(), ErrorCode::kCorruptData) << i << ": " << error.what();
    EXPECT_EQ(error.place().column, "c") << i;
  }
}

TEST(Leaf, MessagesNameBothTypes) {
  const Error error =
      error_of([] { schema_of({leaf("c", kI32, Repetition::kRequired, decimal(12, 2))}); });
  EXPECT_STREQ(error.what(),
               "logical type that its physical type cannot hold: column 'c': DECIMAL of 12 digits "
               "in INT32, which "
               "holds 9");
}

// Of n bytes, 2^(8n - 1) - 1 has this many digits, the first of which may not be all ten.
TEST(Leaf, DigitsThatFixedBytesHold) {
  const std::vector<int32_t> digits = {2, 4, 6, 9, 11, 14, 16, 18, 21, 23, 26, 28, 31, 33, 35, 38};
  for (int32_t bytes = 1; bytes <= 16; ++bytes) {
    const int32_t max = digits[static_cast<size_t>(bytes - 1)];
    EXPECT_NO_THROW(schema_of({leaf("c", kFixed, Repetition::kRequired, decimal(max, 0), bytes)}))
        << bytes;
    EXPECT_EQ(error_of([&] {
                schema_of({leaf("c", kFixed, Repetition::kRequired, decimal(max + 1, 0), bytes)});
              }).code(),
              ErrorCode::kCorruptData)
        << bytes;
  }
}

TEST(Leaf, DecimalsOfMoreThan76DigitsAreRefused) {
  const FileSchema schema =
      schema_of({leaf("c", kFixed, Repetition::kRequired, decimal(77, 2), 40)});
  EXPECT_EQ(schema.fields[0].refusal, "decimals of more than 76 digits are not read");
  EXPECT_EQ(schema.fields[0].field.type.to_string(), "fixed_binary(40)");
}

TEST(Leaf, RequiredColumnsAreNotNullable) {
  const FileSchema schema = schema_of({leaf("r", kI32, Repetition::kRequired)});
  EXPECT_FALSE(schema.fields[0].field.nullable);
  EXPECT_EQ(schema.leaves[0].max_definition_level, 0);
}

TEST(Leaf, FieldIdsAndKeyValuesBecomeMetadata) {
  SchemaElement with_id = leaf("a", kI32);
  with_id.field_id = 42;
  FileBuilder builder;
  builder.element(with_id).column("b", kI32).key_value("k", "v").key_value("ARROW:schema",
                                                                           "not base64");
  const FileSchema schema = schema_of(builder);
  EXPECT_EQ(schema.fields[0].field.metadata, (std::vector<KeyValue>{{"PARQUET:field_id", "42"}}));
  EXPECT_TRUE(schema.fields[1].field.metadata.empty());
  EXPECT_EQ(schema.schema->field(0).metadata, schema.fields[0].field.metadata);
  EXPECT_EQ(schema.schema->metadata(), (std::vector<KeyValue>{{"k", "v"}}));
}

// "S1{0,2}": a struct that is valid from definition level 1 on, of a leaf that is never null and
// one that is not null at 2. "L1/2r3(0)": a list valid from 1 on, with elements from 2 on, further
// ones at repetition level 3.
std::string to_text(const Shape& shape) {
  std::string text = std::to_string(shape.valid_level);
  if (shape.kind == Shape::Kind::kLeaf) return text;
  if (shape.kind == Shape::Kind::kList) {
    return "L" + text + "/" + std::to_string(shape.element_level) + "r" +
           std::to_string(shape.repetition_level) + "(" + to_text(shape.children.at(0)) + ")";
  }
  text = "S" + text + "{";
  for (const Shape& child : shape.children)
    text += (&child == shape.children.data() ? "" : ",") + to_text(child);
  return text + "}";
}

// A group, its type and its shape.
void expect_group(const std::vector<SchemaElement>& elements, const char* type, const char* shape) {
  const FileSchema schema = schema_of(elements);
  ASSERT_EQ(schema.fields.size(), 1u);
  EXPECT_EQ(schema.fields[0].field.type.to_string(), type);
  EXPECT_EQ(schema.fields[0].refusal, "");
  EXPECT_EQ(to_text(schema.fields[0].shape), shape);
  EXPECT_EQ(schema.fields[0].shape.num_leaves, static_cast<int32_t>(schema.leaves.size()));
}

constexpr Repetition kRequired = Repetition::kRequired;
constexpr Repetition kOptional = Repetition::kOptional;
constexpr Repetition kRepeated = Repetition::kRepeated;

TEST(Leaf, ListsInEveryForm) {
  expect_group({group("l", 1, kOptional, of(Kind::kList)), group("list", 1, kRepeated),
                leaf("element", kI32, kOptional)},
               "list<element: int32>", "L1/2r1(3)");
  SchemaElement legacy = group("l", 1, kOptional);
  legacy.converted_type = ConvertedType::kList;
  expect_group({legacy, group("bag", 1, kRepeated), leaf("array_element", kI32, kRequired)},
               "list<array_element: int32 not null>", "L1/2r1(0)");
  expect_group({legacy, leaf("element", kI32, kRepeated)}, "list<element: int32 not null>",
               "L1/2r1(0)");
  expect_group({legacy, group("element", 2, kRepeated), leaf("a", kI32), leaf("b", kI32)},
               "list<element: struct<a: int32 not null, b: int32 not null> not null>",
               "L1/2r1(S0{0,0})");
  expect_group({legacy, group("array", 1, kRepeated), leaf("a", kI32)},
               "list<array: struct<a: int32 not null> not null>", "L1/2r1(S0{0})");
  expect_group({legacy, group("l_tuple", 1, kRepeated), leaf("a", kI32)},
               "list<l_tuple: struct<a: int32 not null> not null>", "L1/2r1(S0{0})");
  SchemaElement array = group("array", 1, kRepeated);
  array.converted_type = ConvertedType::kList;
  expect_group({legacy, array, leaf("array", kI32, kRepeated)},
               "list<array: list<array: int32 not null> not null>", "L1/2r1(L0/3r2(0))");
  expect_group({leaf("r", kI32, kRepeated)}, "list<r: int32 not null>", "L0/1r1(0)");
  expect_group({group("r", 1, kRepeated), leaf("a", kI32)},
               "list<r: struct<a: int32 not null> not null>", "L0/1r1(S0{0})");
}

TEST(Leaf, MapsInEveryForm) {
  expect_group({group("m", 1, kOptional, of(Kind::kMap)), group("key_value", 2, kRepeated),
                leaf("key", kI32, kRequired), leaf("value", kI64, kOptional)},
               "map<key: int32 not null, value: int64>", "L1/2r1(S0{0,3})");
  SchemaElement legacy = group("m", 1, kOptional);
  legacy.converted_type = ConvertedType::kMapKeyValue;
  expect_group(
      {legacy, group("map", 2, kRepeated), leaf("k", kI32, kOptional), leaf("v", kI32, kRequired)},
      "map<k: int32 not null, v: int32 not null>", "L1/2r1(S0{3,0})");
  expect_group({legacy, group("map", 1, kRepeated), leaf("k", kI32, kRequired)},
               "list<k: int32 not null>", "L1/2r1(0)");
}

TEST(Leaf, StructsAndGroupsThatBreakTheirRules) {
  expect_group(
      {group("s", 2, kOptional), leaf("a", kI32), group("inner", 1), leaf("b", kBytes, kOptional)},
      "struct<a: int32 not null, inner: struct<b: binary> not null>", "S1{0,S0{2}}");
  expect_group({group("l", 2, kOptional, of(Kind::kList)), leaf("a", kI32), leaf("b", kI32)},
               "struct<a: int32 not null, b: int32 not null>", "S1{0,0}");
  expect_group({group("m", 1, kOptional, of(Kind::kMap)), leaf("a", kI32)},
               "struct<a: int32 not null>", "S1{0}");
  expect_group({group("v", 2, kOptional, of(Kind::kVariant)), leaf("metadata", kBytes),
                leaf("value", kBytes)},
               "struct<metadata: binary not null, value: binary not null>", "S1{0,0}");
}

TEST(Leaf, LevelsAndPathsOfNestedLeaves) {
  const FileSchema schema = schema_of({
      leaf("first", kI32, kRequired),
      group("a", 2, kOptional),
      group("list", 1, kRepeated),
      leaf("x", kI32, kOptional),
      leaf("y", kI64, kRequired),
      group("empty", 0, kOptional),
      leaf("last", kI32, kRepeated),
  });
  ASSERT_EQ(schema.leaves.size(), 4u);
  EXPECT_EQ(schema.leaves[1].path, (std::vector<std::string>{"a", "list", "x"}));
  EXPECT_EQ(schema.leaves[1].dotted_path, "a.list.x");
  EXPECT_EQ(schema.leaves[1].max_definition_level, 3);
  EXPECT_EQ(schema.leaves[1].max_repetition_level, 1);
  EXPECT_EQ(schema.leaves[2].dotted_path, "a.y");
  EXPECT_EQ(schema.leaves[2].max_definition_level, 1);
  EXPECT_EQ(schema.leaves[2].max_repetition_level, 0);
  EXPECT_EQ(schema.leaves[3].dotted_path, "last");
  EXPECT_EQ(schema.leaves[3].max_definition_level, 1);
  EXPECT_EQ(schema.leaves[3].max_repetition_level, 1);
  ASSERT_EQ(schema.fields.size(), 4u);
  EXPECT_EQ(schema.fields[1].first_leaf, 1);
  EXPECT_EQ(schema.fields[1].shape.num_leaves, 2);
  EXPECT_EQ(schema.fields[2].first_leaf, 3);
  EXPECT_EQ(schema.fields[2].shape.num_leaves, 0);
  EXPECT_EQ(schema.fields[3].first_leaf, 3);
}

TEST(Leaf, ErrorsInGroupsNameTheWholePath) {
  const Error error = error_of([] {
    schema_of({group("a", 1), group("b", 1), leaf("c", kI32, kRequired, of(Kind::kString))});
  });
  EXPECT_EQ(error.place().column, "a.b.c");
}

TEST(Leaf, TheSchemaIsChargedWhileItLives) {
  Context context;
  context.memory = MemoryPool::make_root("schema");
  const Bytes footer = FileBuilder().column("a", kI32).column("b", kI32).build_footer();
  {
    const Footer parsed = Footer::parse(
        context, Buffer::wrap(footer.data(), static_cast<int64_t>(footer.size()), nullptr),
        1 << 20);
    const int64_t before = context.memory->used_bytes();
    const FileSchema schema = make_file_schema(parsed);
    EXPECT_GT(context.memory->used_bytes(), before);
  }
  EXPECT_EQ(context.memory->used_bytes(), 0);
}

}  // namespace
}  // namespace colonnade::parquet
