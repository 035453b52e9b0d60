#include <colonnade/arrow.h>
#include <colonnade/error.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "arrow/c_data.h"
#include "arrow/format.h"
#include "arrow/metadata.h"
#include "column/testing/random_column.h"

namespace colonnade::arrow {
namespace {

std::string format_exported(const Field& field) {
  SchemaOwner schema;
  export_field(field, schema.get());
  return schema->dictionary == nullptr
             ? schema->format
             : std::string(schema->format) + " of " + schema->dictionary->format;
}

TEST(FormatTest, WritesTheSpecificationsStrings) {
  const auto of = [](DataType type, Form form = Form::kDefault) {
    return format_exported(Field{"f", std::move(type), true, {}, form});
  };
  EXPECT_EQ(of(DataType()), "n");
  EXPECT_EQ(of(DataType(TypeId::kUInt16)), "S");
  EXPECT_EQ(of(DataType(TypeId::kFloat16)), "e");
  EXPECT_EQ(of(DataType::decimal(12, 2)), "d:12,2");
  EXPECT_EQ(of(DataType::decimal(12, 2), Form::kDecimal64), "d:12,2,64");
  EXPECT_EQ(of(DataType::decimal(9, -2), Form::kDecimal32), "d:9,-2,32");
  EXPECT_EQ(of(DataType::decimal(40, 2)), "d:40,2,256");
  EXPECT_EQ(of(DataType::timestamp(TimeUnit::kNano)), "tsn:");
  EXPECT_EQ(of(DataType::timestamp(TimeUnit::kSecond, "UTC")), "tss:UTC");
  EXPECT_EQ(of(DataType::time(TimeUnit::kMilli)), "ttm");
  EXPECT_EQ(of(DataType::duration(TimeUnit::kMicro)), "tDu");
  EXPECT_EQ(of(DataType(TypeId::kIntervalMonthDayNano)), "tin");
  EXPECT_EQ(of(DataType(TypeId::kString)), "u");
  EXPECT_EQ(of(DataType(TypeId::kString), Form::kOffsets64), "U");
  EXPECT_EQ(of(DataType(TypeId::kBinary), Form::kViews), "vz");
  EXPECT_EQ(of(DataType::fixed_binary(7)), "w:7");
  EXPECT_EQ(of(DataType::list({"e", DataType()}), Form::kOffsets64), "+L");
  EXPECT_EQ(of(DataType::fixed_size_list({"e", DataType()}, 3)), "+w:3");
  EXPECT_EQ(format_exported({"d", DataType(TypeId::kString), true, {}, Form::kViews, true}),
            "i of vu");
}

TEST(FormatTest, RefusesFormsThatDoNotFit) {
  const auto refusal = [](DataType type, Form form) {
    try {
      format_exported(Field{"f", std::move(type), true, {}, form});
    } catch (const Error& error) {
      return error.code() == ErrorCode::kInvalidArgument ? std::string(error.what())
                                                         : "another code";
    }
    return std::string("exported");
  };
  EXPECT_EQ(refusal(DataType(TypeId::kInt32), Form::kViews),
            "form of a field does not fit its type: f: int32 as views");
  EXPECT_NE(refusal(DataType::decimal(10, 0), Form::kDecimal32), "exported");
  EXPECT_NE(refusal(DataType::decimal(10, 0), Form::kOffsets64), "exported");
  EXPECT_NE(refusal(DataType(TypeId::kString), Form::kDecimal128), "exported");
  EXPECT_NE(refusal(DataType::map({"k", DataType(TypeId::kInt8), false}, {"v", DataType()}),
                    Form::kOffsets64),
            "exported");
}

TEST(FormatTest, NamesWhatItDoesNotRead) {
  const auto refusal = [](const char* format) {
    try {
      parse_format(format, "f");
    } catch (const Error& error) {
      return std::string(error_code_name(error.code())) + ": " + error.what();
    }
    return std::string("parsed");
  };
  EXPECT_EQ(refusal("+ud:0,1"), "not supported: unions are not supported: '+ud:0,1' of field 'f'");
  EXPECT_EQ(refusal("+us:0"), "not supported: unions are not supported: '+us:0' of field 'f'");
  EXPECT_EQ(refusal("+vl"), "not supported: list views are not supported: '+vl' of field 'f'");
  EXPECT_EQ(refusal("+vL"), "not supported: list views are not supported: '+vL' of field 'f'");
  EXPECT_EQ(refusal("q"), "not supported: unknown Arrow format: 'q' of field 'f'");
  for (const char* format : {"d:",        "d:10",      "d:10,",   "d:0,0",         "d:39,0",
                             "d:10,2,16", "d:10,2,32", "d:10,2,", "d:x,2",         "d:10,2,128,1",
                             "w:",        "w:-1",      "w:3,",    "w:99999999999", "+w:",
                             "+w:-2",     "t",         "tsx:",    "tsn",           "tt",
                             "ttx",       "tdX"}) {
    EXPECT_EQ(refusal(format).substr(0, 12), "corrupt data") << format;
  }
  EXPECT_EQ(refusal("").substr(0, 13), "not supported");
}

TEST(SchemaExportTest, KeepsNamesFlagsMetadataAndForms) {
  std::vector<Field> fields;
  for (const DataType& type : colonnade::testing::all_types()) {
    fields.push_back(Field{"nullable " + std::to_string(fields.size()), type});
    fields.push_back(Field{"", type, false, {{"ARROW:extension:name", "geo"}, {"empty", ""}}});
    if (type.id() != TypeId::kNull)
      fields.push_back(Field{"d", type, true, {}, Form::kDefault, true, true});
  }
  const Schema schema(fields, {{"pandas", std::string("\0binary\xFF", 8)}});
  ArrowSchema c_schema;
  export_schema(schema, &c_schema);
  const SchemaPtr imported = import_schema(&c_schema);
  EXPECT_EQ(c_schema.release, nullptr);
  EXPECT_EQ(*imported, schema);
  EXPECT_EQ(imported->metadata(), schema.metadata());
  for (size_t i = 0; i < fields.size(); ++i) {
    EXPECT_EQ(imported->fields()[i].metadata, fields[i].metadata);
    EXPECT_EQ(imported->fields()[i].dictionary, fields[i].dictionary);
    EXPECT_EQ(imported->fields()[i].dictionary_ordered, fields[i].dictionary_ordered);
    EXPECT_EQ(imported->fields()[i].type.keys_sorted(), fields[i].type.keys_sorted());
  }
}

TEST(SchemaExportTest, RefusesNamesThatACStringWouldCut) {
  const Schema schema({Field{std::string("price\0net", 9), DataType(TypeId::kInt32)}});
  ArrowSchema c_schema{};
  try {
    export_schema(schema, &c_schema);
    FAIL() << "exported";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("price\\u0000net"));
  }
  EXPECT_EQ(c_schema.release, nullptr);
}

TEST(SchemaExportTest, ChildrenLiveOnWhenMovedOut) {
  SchemaOwner schema;
  export_field({"s", DataType::struct_of(
                         {{"child", DataType::list({"grandchild", DataType(TypeId::kInt8)})}})},
               schema.get());
  SchemaOwner child(schema->children[0]);
  EXPECT_EQ(schema->children[0]->release, nullptr);
  schema.reset();
  EXPECT_STREQ(child->name, "child");
  EXPECT_STREQ(child->children[0]->name, "grandchild");
}

// A schema that is not ours: format and children by hand.
struct HandMade {
  explicit HandMade(const char* format) {
    schema.format = format;
    schema.name = "f";
    schema.release = [](ArrowSchema* s) {
      ++*static_cast<int*>(s->private_data);
      s->release = nullptr;
    };
    schema.private_data = &released;
  }
  ArrowSchema schema{};
  int released = 0;
};

std::string import_refusal(HandMade& made) {
  std::string message = "imported";
  try {
    import_field(&made.schema);
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(made.released, 1);
  EXPECT_EQ(made.schema.release, nullptr);
  return message;
}

TEST(SchemaImportTest, RefusesBrokenSchemasAndReleasesThem) {
  {
    HandMade made(nullptr);
    EXPECT_NE(import_refusal(made), "imported");
  }
  {
    HandMade made("i");
    made.schema.n_children = 1;
    EXPECT_NE(import_refusal(made), "imported");
  }
  {
    HandMade made("+l");
    EXPECT_NE(import_refusal(made), "imported");
  }
  {
    HandMade made("+s");
    made.schema.n_children = -1;
    EXPECT_NE(import_refusal(made), "imported");
  }
  {
    HandMade made("+s");
    made.schema.n_children = 2;
    EXPECT_NE(import_refusal(made), "imported");
  }
  {
    HandMade made("+l");
    ArrowSchema released{};
    ArrowSchema* children[] = {&released};
    made.schema.n_children = 1;
    made.schema.children = children;
    EXPECT_NE(import_refusal(made), "imported");
  }
  {
    // A list of itself, without end.
    HandMade made("+l");
    HandMade child("+l");
    ArrowSchema* children[] = {&child.schema};
    made.schema.n_children = child.schema.n_children = 1;
    made.schema.children = child.schema.children = children;
    EXPECT_EQ(import_refusal(made).substr(0, 36), "Arrow schema is nested too deeply: m");
  }
  {
    HandMade made("i");
    const int32_t negative = -1;
    made.schema.metadata = reinterpret_cast<const char*>(&negative);
    EXPECT_NE(import_refusal(made), "imported");
  }
  {
    HandMade made("f");
    HandMade dictionary("u");
    made.schema.dictionary = &dictionary.schema;
    EXPECT_EQ(import_refusal(made),
              "dictionary ids or run ends that are not integers: 'f' of field 'f'");
  }
  {
    HandMade made("i");
    EXPECT_THROW(import_schema(&made.schema), Error);
    EXPECT_EQ(made.released, 1);
  }
}

TEST(SchemaImportTest, TakesRunEndsAsTheirValues) {
  HandMade made("+r");
  HandMade ends("s");
  HandMade values("u");
  values.schema.flags = ARROW_FLAG_NULLABLE;
  ArrowSchema* children[] = {&ends.schema, &values.schema};
  made.schema.n_children = 2;
  made.schema.children = children;
  const Field field = import_field(&made.schema);
  EXPECT_EQ(field, (Field{"f", DataType(TypeId::kString)}));
  EXPECT_EQ(field.import_encoding.run_ends, ImportEncoding::Integer::kInt16);
}

}  // namespace
}  // namespace colonnade::arrow
