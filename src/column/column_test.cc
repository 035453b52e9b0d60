#include <colonnade/column.h>
#include <colonnade/error.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>

#include "column/builder.h"
#include "column/testing/random_column.h"
#include "column/testing/reference.h"

namespace colonnade {
namespace {

using testing::ColumnShape;
using testing::first_difference;
using testing::RandomColumns;
using testing::to_values;

std::string invalid_argument_of(const std::function<void()>& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.code() == ErrorCode::kInvalidArgument ? error.what() : "another code";
  }
  return "no error";
}

ColumnParts int32_parts(int64_t rows) {
  ColumnParts parts;
  parts.type = DataType(TypeId::kInt32);
  parts.storage = Storage::kFixed;
  parts.byte_width = 4;
  parts.length = rows;
  parts.values = Context().memory->allocate_zeroed(rows * 4).freeze();
  return parts;
}

TEST(ColumnTest, RefusesPartsThatDoNotFit) {
  const auto refusal = [](const std::function<void(ColumnParts&)>& change) {
    ColumnParts parts = int32_parts(10);
    change(parts);
    return invalid_argument_of([&] { Column::make(parts); });
  };
  EXPECT_EQ(refusal([](ColumnParts&) {}), "no error");
  EXPECT_EQ(refusal([](ColumnParts& p) { p.length = 11; }).substr(0, 31),
            "buffer of a column is too small");
  EXPECT_EQ(refusal([](ColumnParts& p) { p.offset = 1; }).substr(0, 31),
            "buffer of a column is too small");
  EXPECT_EQ(refusal([](ColumnParts& p) { p.length = -1; }).substr(0, 15), "negative length");
  EXPECT_EQ(refusal([](ColumnParts& p) { p.byte_width = 8; }).substr(0, 12), "storage does");
  EXPECT_EQ(refusal([](ColumnParts& p) { p.storage = Storage::kViews; }).substr(0, 12),
            "storage does");
  EXPECT_EQ(refusal([](ColumnParts& p) { p.null_count = 11; }).substr(0, 10), "null count");
  EXPECT_EQ(refusal([](ColumnParts& p) { p.null_count = 1; }).substr(0, 18), "null count without");
  EXPECT_EQ(refusal([](ColumnParts& p) { p.validity = p.values.slice(0, 1); }).substr(0, 6),
            "buffer");
  EXPECT_EQ(refusal([](ColumnParts& p) { p.encoding = Encoding::kDictionary; }).substr(0, 14),
            "encoded column");
  EXPECT_EQ(refusal([](ColumnParts& p) {
              p.length = 2;
              p.values = p.values.slice(1, 39);
            }).substr(0, 33),
            "buffer of a column is not aligned");
  EXPECT_EQ(refusal([](ColumnParts& p) {
              p.children.push_back(Column::nulls(p.type, 10));
            }).substr(0, 18),
            "number of children");
}

TEST(ColumnTest, RefusesChildrenThatDoNotFit) {
  ColumnParts parts;
  parts.type = DataType::struct_of({Field{"a", DataType(TypeId::kInt32)}});
  parts.storage = Storage::kStruct;
  parts.length = 5;
  parts.children = {Column::make(int32_parts(4))};
  EXPECT_EQ(invalid_argument_of([&] { Column::make(parts); }).substr(0, 30),
            "child of a column is too short");
  parts.children = {Column::nulls(DataType(TypeId::kInt64), 5)};
  EXPECT_EQ(invalid_argument_of([&] { Column::make(parts); }).substr(0, 29),
            "child of a column has another");
  parts.children = {Column::make(int32_parts(6))};
  parts.offset = 1;
  EXPECT_EQ(invalid_argument_of([&] { Column::make(parts); }), "no error");
}

TEST(ColumnTest, RefusesDictionariesWithNulls) {
  const Context context;
  ColumnBuilder values(context, DataType(TypeId::kInt32));
  values.append(1);
  values.append_null();
  ColumnParts parts = int32_parts(3);
  parts.encoding = Encoding::kDictionary;
  parts.dictionary = Dictionary::make(values.finish(), true, false);
  EXPECT_EQ(invalid_argument_of([&] { Column::make(parts); }).substr(0, 15), "nulls among the");
}

TEST(ColumnTest, GivesEveryDictionaryItsOwnGeneration) {
  const ColumnPtr values = Column::make(int32_parts(1));
  EXPECT_NE(Dictionary::make(values, true, true)->generation,
            Dictionary::make(values, true, true)->generation);
}

TEST(ColumnTest, HasOneOffsetAlsoWithoutRows) {
  ColumnParts parts;
  parts.type = DataType(TypeId::kString);
  parts.storage = Storage::kOffsets64;
  EXPECT_GE(Column::make(parts)->parts().offsets.size(), 8);
}

TEST(ColumnTest, MakesConstantsAndNullsOfEveryType) {
  for (const DataType& type : testing::all_types()) {
    SCOPED_TRACE(type.to_string());
    const ColumnPtr nulls = Column::nulls(type, 5);
    EXPECT_EQ(nulls->null_count(), 5);
    EXPECT_EQ(to_values(*nulls), std::vector<testing::Value>(5));
    EXPECT_EQ(Column::nulls(type, 0)->length(), 0);

    RandomColumns random(Context{}, 1);
    const ColumnPtr value = random.make(type, 1, {.null_fraction = 0});
    const ColumnPtr constant = Column::constant(value, 3);
    EXPECT_EQ(to_values(*constant), std::vector<testing::Value>(3, testing::value_at(*value, 0)));
    EXPECT_EQ(constant->slice(1, 2)->length(), 2);
  }
}

TEST(ColumnTest, SlicesEveryTypeEncodingAndStorage) {
  RandomColumns random(Context{}, 2);
  for (const DataType& type : testing::all_types()) {
    for (const Encoding encoding : {Encoding::kFlat, Encoding::kDictionary, Encoding::kConstant}) {
      SCOPED_TRACE(type.to_string() + " encoding " + std::to_string(static_cast<int>(encoding)));
      const ColumnPtr column =
          random.make(type, 37, {.null_fraction = 0.3, .encoding = encoding, .sliced = true});
      const auto values = to_values(*column);
      int64_t nulls = 0;
      for (int64_t row = 0; row < 37; ++row) {
        const bool valid = values[static_cast<size_t>(row)].content.index() != 0;
        EXPECT_EQ(column->is_valid(row), valid);
        nulls += valid ? 0 : 1;
      }
      EXPECT_EQ(column->null_count(), nulls);
      for (const auto& [offset, length] :
           {std::pair<int64_t, int64_t>{0, 37}, {3, 20}, {36, 1}, {37, 0}}) {
        const auto begin = values.begin() + offset;
        EXPECT_EQ(to_values(*column->slice(offset, length)),
                  std::vector<testing::Value>(begin, begin + length));
      }
      EXPECT_EQ(to_values(*column->slice(3, 30)->slice(4, 5)),
                std::vector<testing::Value>(values.begin() + 7, values.begin() + 12));
      EXPECT_NE(invalid_argument_of([&] { column->slice(30, 8); }), "no error");
      EXPECT_NE(invalid_argument_of([&] { column->slice(-1, 8); }), "no error");
    }
  }
}

TEST(ColumnTest, CountsNullsOnceForAllThreads) {
  RandomColumns random(Context{}, 3);
  const ColumnPtr column =
      random.make(DataType(TypeId::kInt32), 10'000, {.null_fraction = 0.5, .sliced = true});
  std::vector<int64_t> counts(4);
  std::vector<std::thread> threads;
  for (int64_t& count : counts) threads.emplace_back([&] { count = column->null_count(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counts, std::vector<int64_t>(4, counts[0]));
  EXPECT_GT(counts[0], 4'000);
}

TEST(ColumnTest, TellsTheBytesOfItsRows) {
  const Context context;
  ColumnBuilder strings(context, DataType(TypeId::kString));
  for (const char* text : {"a", "", "four", "hundreds"}) strings.append_bytes(text);
  const ColumnPtr column = strings.finish();
  EXPECT_EQ(column->slice_bytes(), 4 * 4 + 13);
  EXPECT_EQ(column->slice(2, 1)->slice_bytes(), 4 + 4);
  EXPECT_EQ(column->slice(2, 0)->slice_bytes(), 0);

  ColumnBuilder lists(context, DataType::list(Field{"e", DataType(TypeId::kInt64)}));
  lists.child(0).append(int64_t{1});
  lists.child(0).append(int64_t{2});
  lists.append_list();
  lists.append_null();
  EXPECT_EQ(lists.finish()->slice_bytes(), 1 + 2 * 4 + 2 * 8);

  ColumnBuilder views(context, DataType(TypeId::kBinary), Storage::kViews);
  views.append_bytes("inline");
  views.append_bytes("longer than twelve");
  EXPECT_EQ(views.finish()->slice_bytes(), 2 * 16 + 18);
}

TEST(BatchTest, RefusesColumnsThatDoNotFitItsSchema) {
  const auto schema =
      std::make_shared<const Schema>(std::vector<Field>{{"a", DataType(TypeId::kInt32)}});
  EXPECT_EQ(invalid_argument_of([&] { Batch(schema, 3, {Column::make(int32_parts(3))}); }),
            "no error");
  EXPECT_NE(invalid_argument_of([&] { Batch(schema, 2, {Column::make(int32_parts(3))}); }),
            "no error");
  EXPECT_NE(invalid_argument_of([&] { Batch(schema, 3, {}); }), "no error");
  EXPECT_NE(invalid_argument_of([&] { Batch(schema, 3, {nullptr}); }), "no error");
  EXPECT_NE(
      invalid_argument_of([&] { Batch(schema, 3, {Column::nulls(DataType(TypeId::kInt64), 3)}); }),
      "no error");
  EXPECT_NE(invalid_argument_of([&] { Batch(nullptr, 0, {}); }), "no error");
}

TEST(BatchTest, FindsColumnsByNameAndSlices) {
  const auto schema =
      std::make_shared<const Schema>(std::vector<Field>{{"a", DataType(TypeId::kInt32)}});
  const Batch batch(schema, 3, {Column::make(int32_parts(3))});
  EXPECT_EQ(batch.column("a"), batch.columns()[0]);
  EXPECT_THROW(batch.column("b"), Error);
  EXPECT_EQ(batch.slice(1, 2).num_rows(), 2);
  EXPECT_THROW(batch.slice(2, 2), Error);
  const Batch rows_only(std::make_shared<const Schema>(), 7, {});
  EXPECT_EQ(rows_only.slice(3, 4).num_rows(), 4);
}

}  // namespace
}  // namespace colonnade
