// Export and import of every type, encoding, storage and slice, against the plain reference.
#include <colonnade/arrow.h>
#include <colonnade/error.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "arrow/c_data.h"
#include "arrow/convert.h"
#include "arrow/format.h"
#include "column/testing/random_column.h"
#include "column/testing/reference.h"

namespace colonnade::arrow {
namespace {

using colonnade::testing::ColumnShape;
using colonnade::testing::first_difference;
using colonnade::testing::RandomColumns;

// The forms that a type may leave in.
std::vector<Form> forms_of(const DataType& type) {
  std::vector<Form> forms;
  for (const Form form : {Form::kDefault, Form::kOffsets64, Form::kViews, Form::kDecimal32,
                          Form::kDecimal64, Form::kDecimal128, Form::kDecimal256}) {
    try {
      layout_of(Field{"f", type, true, {}, form});
      forms.push_back(form);
    } catch (const Error&) {
    }
  }
  return forms;
}

ColumnPtr round_trip(const Context& context, const Field& field, const ColumnPtr& column) {
  ArrowSchema schema;
  export_field(field, &schema);
  const Field imported = import_field(&schema);
  EXPECT_EQ(schema.release, nullptr);
  EXPECT_EQ(imported, field);
  EXPECT_EQ(format_of(imported), format_of(field));
  EXPECT_EQ(imported.dictionary, field.dictionary);
  ArrowArray array;
  export_column(context, field, column, &array);
  ColumnPtr result = import_column(context, imported, &array, Validation::kFull);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_TRUE(has_form(imported, *result));
  return result;
}

class RoundTripTest : public ::testing::TestWithParam<size_t> {
 protected:
  DataType type() const { return colonnade::testing::all_types()[GetParam()]; }
};

TEST_P(RoundTripTest, KeepsEveryValue) {
  Context context;
  context.memory = MemoryPool::make_root("test");
  {
    RandomColumns random(context, GetParam());
    for (const double null_fraction : {0.0, 0.01, 0.5, 1.0}) {
      for (const Encoding encoding :
           {Encoding::kFlat, Encoding::kDictionary, Encoding::kConstant}) {
        for (const bool sliced : {false, true}) {
          for (const Form form : forms_of(type())) {
            for (const bool dictionary : {false, true}) {
              if (dictionary && type().id() == TypeId::kNull) continue;
              const int64_t length = static_cast<int64_t>(random.below(3)) == 0 ? 0 : 45;
              const ColumnPtr column = random.make(
                  type(), length, {null_fraction, encoding, std::nullopt, sliced, true});
              Field field{"f", type(), true, {{"key", "value"}}, form, dictionary};
              SCOPED_TRACE(field.to_string() + " encoding " +
                           std::to_string(static_cast<int>(encoding)) + " form " +
                           std::to_string(static_cast<int>(form)) +
                           (dictionary ? " dictionary" : "") + (sliced ? " sliced" : ""));
              const ColumnPtr result = round_trip(context, field, column);
              EXPECT_EQ(first_difference(*column, *result), "");
              EXPECT_EQ(column->null_count(), result->null_count());
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(context.memory->used_bytes(), 0);
  EXPECT_EQ(context.memory->exported_bytes(), 0);
}

INSTANTIATE_TEST_SUITE_P(EveryType, RoundTripTest,
                         ::testing::Range(size_t{0}, colonnade::testing::all_types().size()));

TEST(BatchRoundTripTest, KeepsBatchesOfRandomSchemas) {
  const Context context;
  RandomColumns random(context, 11);
  for (int round = 0; round < 60; ++round) {
    std::vector<Field> fields;
    std::vector<ColumnPtr> columns;
    const auto rows = static_cast<int64_t>(random.below(70));
    for (uint64_t i = random.below(5); i > 0; --i) {
      const DataType type = random.type(3);
      const std::vector<Form> forms = forms_of(type);
      fields.push_back(Field{"f" + std::to_string(i),
                             type,
                             true,
                             {},
                             forms[random.below(forms.size())],
                             type.id() != TypeId::kNull && random.chance(0.3)});
      columns.push_back(
          random.make(type, rows, {0.2, std::nullopt, std::nullopt, random.chance(0.5), true}));
    }
    const auto schema =
        std::make_shared<const Schema>(fields, std::vector<KeyValue>{{"a", "b"}, {"", "\n"}});
    const Batch batch(schema, rows, columns);
    ArrowSchema c_schema;
    export_schema(*schema, &c_schema);
    const SchemaPtr imported_schema = import_schema(&c_schema);
    ASSERT_EQ(*imported_schema, *schema);
    EXPECT_EQ(imported_schema->metadata(), schema->metadata());
    ArrowArray array;
    export_batch(context, *schema, batch, &array);
    const Batch imported = import_batch(context, imported_schema, &array, Validation::kFull);
    ASSERT_EQ(imported.num_rows(), rows);
    for (size_t i = 0; i < columns.size(); ++i) {
      EXPECT_EQ(first_difference(*columns[i], *imported.columns()[i]), "") << fields[i].to_string();
    }
  }
}

TEST(BatchRoundTripTest, ImportsASlicedBatchAtItsOffset) {
  const Context context;
  RandomColumns random(context, 12);
  const auto schema = std::make_shared<const Schema>(
      std::vector<Field>{{"a", DataType(TypeId::kString)}, {"b", DataType(TypeId::kBool)}});
  const ColumnPtr a = random.make(schema->field(0).type, 40, {0.2});
  const ColumnPtr b = random.make(schema->field(1).type, 40, {0.2});
  ArrowArray array;
  export_batch(context, *schema, Batch(schema, 40, {a, b}), &array);
  array.offset = 3;
  array.length = 30;
  const Batch batch = import_batch(context, schema, &array, Validation::kFull);
  EXPECT_EQ(first_difference(*a->slice(3, 30), *batch.column(0)), "");
  EXPECT_EQ(first_difference(*b->slice(3, 30), *batch.column(1)), "");
}

}  // namespace
}  // namespace colonnade::arrow
