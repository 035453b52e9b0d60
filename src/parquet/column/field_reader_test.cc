// Lists, maps and structs: random trees against the values they were made of, and files that lie.
#include "parquet/column/field_reader.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <colonnade/arrow.h>

#include "parquet/column/testing/chunk_reading.h"
#include "parquet/column/testing/random_nested.h"

namespace colonnade::parquet {
namespace {

using colonnade::testing::Sequence;
using colonnade::testing::Value;
using namespace testing;

Value number(int64_t value) { return {value}; }
Value list(std::vector<Value> values) { return {Sequence{std::move(values)}}; }

class RandomTrees : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(FieldReader, RandomTrees,
                         ::testing::Values("[i?]?", "[i]", "[s?]?", "{i?s}?", "{i{s?}?}",
                                           "[{is?}?]?", "<is?>?", "[[i?]?]?", "[[[s]]?]",
                                           "{[i]?[s?]}?", "<i[{s?<is>?}]?>?", "[{[i?]i?}]?",
                                           "{{{{i?}?}?}?}?", "[<s{i[i]?}?>?]", "{i}",
                                           "{i[{ii?}]?}"));

TEST_P(RandomTrees, PagesAndBatchesOfAllSizes) {
  uint64_t seed = 1;
  for (const double nulls : {0.0, 0.01, 0.5, 1.0}) {
    for (const int64_t page : {1, 7, 5000}) {
      for (const int form : {0, 1, 2}) {
        NestedShape shape{.tree = GetParam(), .null_fraction = nulls, .max_page_values = page};
        shape.v2 = form == 1;
        shape.bit_packed_levels = form == 2;
        shape.codec = page == 7 ? CompressionCodec::kSnappy : CompressionCodec::kUncompressed;
        const WrittenNested written = write_random_nested(shape, seed++);
        const ChunkFile file(written.file);
        for (const int64_t max_rows : {int64_t{1}, int64_t{7}, int64_t{100}, kAllRows}) {
          for (const int64_t max_bytes : {0, 1, 100, 3000}) {
            EXPECT_TRUE(file.field_values({.max_rows = max_rows, .max_bytes = max_bytes}) ==
                        written.values)
                << max_rows << " rows, " << max_bytes << " bytes, seed " << seed;
          }
        }
        for (const StringForm strings :
             {StringForm::kOffsets64, StringForm::kViews, StringForm::kDictionary}) {
          EXPECT_TRUE(file.field_values({.max_rows = 97, .options = {.strings = strings}}) ==
                      written.values);
        }
      }
    }
  }
}

// More values than are looked at together, in pages that do not end with them.
TEST_P(RandomTrees, LongLists) {
  NestedShape shape{
      .tree = GetParam(), .num_rows = 40, .max_elements = 60, .max_page_values = 10'000};
  const WrittenNested written = write_random_nested(shape, 99);
  const ChunkFile file(written.file);
  for (const int64_t max_rows : {int64_t{1}, int64_t{7}, kAllRows})
    EXPECT_TRUE(file.field_values({.max_rows = max_rows}) == written.values);
}

TEST_P(RandomTrees, ColumnsAreWellFormed) {
  const WrittenNested written = write_random_nested({.tree = GetParam()}, 7);
  const ChunkFile file(written.file);
  const Field& field = file.schema().fields[0].field;
  FieldReader reader = file.field_reader();
  for (int64_t rows = 0; rows < 300;) {
    const ColumnPtr column = reader.read(std::min<int64_t>(128, 300 - rows), 0);
    arrow::validate(file.context(), field, *column, arrow::Validation::kFull);
    EXPECT_EQ(column->type(), field.type);
    rows += column->length();
  }
}

TEST_P(RandomTrees, EveryFailedAllocationLeavesNothingBehind) {
  NestedShape shape{.tree = GetParam(), .num_rows = 50};
  shape.codec = CompressionCodec::kSnappy;
  const WrittenNested written = write_random_nested(shape, 11);
  bool succeeded = false;
  for (int64_t nth = 1; !succeeded; ++nth) {
    ASSERT_LT(nth, 10000);
    MemoryOptions memory;
    memory.test_mode.fail_allocation = nth;
    std::shared_ptr<MemoryPool> pool;
    try {
      const ChunkFile file(written.file, memory);
      pool = file.pool();
      EXPECT_TRUE(file.field_values({.max_rows = 30}) == written.values);
      succeeded = true;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget) << error.what();
    }
    if (pool) {
      EXPECT_EQ(pool->used_bytes(), 0);
    }
  }
}

// Whatever single bit of the pages is turned over: an error or as many rows.
TEST_P(RandomTrees, BitFlips) {
  for (const bool v2 : {false, true}) {
    NestedShape shape{.tree = GetParam(), .num_rows = 12, .max_elements = 3, .max_page_values = 9};
    shape.v2 = v2;
    const WrittenNested written = write_random_nested(shape, 5);
    const ChunkFile whole(written.file);
    const Footer& footer = whole.footer();
    const ChunkMetadata last = footer.chunk(0, footer.num_leaves() - 1);
    const int64_t begin = footer.chunk(0, 0).first_page_offset();
    const int64_t end = last.first_page_offset() + last.compressed_bytes;
    for (int64_t bit = begin * 8; bit < end * 8; ++bit) {
      Bytes damaged = written.file;
      damaged[static_cast<size_t>(bit / 8)] ^= static_cast<uint8_t>(1u << (bit % 8));
      MemoryOptions memory;
      memory.limit_bytes = int64_t{64} << 20;
      try {
        EXPECT_EQ(ChunkFile(damaged, memory).field_values().size(), written.values.size());
      } catch (const Error& error) {
        EXPECT_NE(error.code(), ErrorCode::kInternal) << error.what();
        EXPECT_NE(error.code(), ErrorCode::kInvalidArgument) << error.what();
      }
    }
  }
}

// --- files by hand

LogicalType of(LogicalType::Kind kind) {
  LogicalType type;
  type.kind = kind;
  return type;
}

// An optional list of optional int32: definition levels 0 to 3.
FileBuilder list_file(int64_t num_rows) {
  return FileBuilder()
      .element(group("l", 1, Repetition::kOptional, of(LogicalType::Kind::kList)))
      .element(group("list", 1, Repetition::kRepeated))
      .element(leaf("element", PhysicalType::kInt32, Repetition::kOptional))
      .row_group(num_rows)
      .chunk();
}

Bytes list_page(const std::vector<uint32_t>& repetition, const std::vector<uint32_t>& definition,
                const std::vector<int32_t>& values) {
  return concat({levels_v1(repetition, 1), levels_v1(definition, 3), plain_int32(values)});
}

void expect_refused(const FileBuilder& builder, ErrorCode code, const std::string& words) {
  try {
    ChunkFile(builder.build()).field_values();
    ADD_FAILURE() << "not refused: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    EXPECT_FALSE(error.place().column.empty()) << error.what();
  }
}
void expect_corrupt(const FileBuilder& builder, const std::string& words) {
  expect_refused(builder, ErrorCode::kCorruptData, words);
}

TEST(Lists, NullEmptyAndNullElements) {
  const Bytes file = list_file(5)
                         .page_v1({.num_values = 7}, list_page({0, 0, 0, 1, 1, 0, 0},
                                                               {0, 1, 3, 2, 3, 2, 3}, {7, 8, 9}))
                         .build();
  EXPECT_EQ(
      ChunkFile(file).field_values(),
      (std::vector<Value>{
          {}, list({}), list({number(7), {}, number(8)}), list({Value{}}), list({number(9)})}));
}

TEST(Lists, RowsGoOnOverPages) {
  const Bytes file = list_file(2)
                         .page_v1({.num_values = 2}, list_page({0, 1}, {3, 3}, {1, 2}))
                         .page_v1({.num_values = 1}, list_page({1}, {3}, {3}))
                         .page_v1({.num_values = 2}, list_page({1, 0}, {3, 3}, {4, 5}))
                         .page_v1({.num_values = 1}, list_page({1}, {2}, {}))
                         .build();
  const std::vector<Value> values{list({number(1), number(2), number(3), number(4)}),
                                  list({number(5), {}})};
  EXPECT_EQ(ChunkFile(file).field_values(), values);
  EXPECT_EQ(ChunkFile(file).field_values({.max_rows = 1}), values);
  EXPECT_EQ(ChunkFile(file).field_values({.max_bytes = 1}), values);
}

TEST(Lists, LevelsThatContradictThemselves) {
  expect_corrupt(list_file(1).page_v1({.num_values = 1}, list_page({1}, {3}, {1})),
                 "does not begin with a row");
  for (const std::vector<uint32_t>& definition :
       {std::vector<uint32_t>{0, 3}, {1, 3}, {3, 1}, {3, 0}}) {
    const std::vector<int32_t> values(
        static_cast<size_t>(std::count(definition.begin(), definition.end(), 3u)), 1);
    expect_corrupt(list_file(1).page_v1({.num_values = 2}, list_page({0, 1}, definition, values)),
                   "go on with a list that is null or empty");
    // The same over a page's border.
    expect_corrupt(
        list_file(1)
            .page_v1({.num_values = 1},
                     list_page({0}, {definition[0]},
                               definition[0] == 3 ? std::vector{1} : std::vector<int32_t>{}))
            .page_v1({.num_values = 1},
                     list_page({1}, {definition[1]},
                               definition[1] == 3 ? std::vector{1} : std::vector<int32_t>{})),
        "go on with a list that is null or empty");
  }
}

TEST(Lists, LevelsAboveTheirMaximum) {
  // A required list of required int32 has definition levels 0 and 1, in a struct 0 to 2 of 2 bits.
  const auto file = [](const Bytes& page) {
    return FileBuilder()
        .element(group("s", 1, Repetition::kOptional))
        .element(leaf("r", PhysicalType::kInt32, Repetition::kRepeated))
        .row_group(1)
        .chunk()
        .page_v1({.num_values = 1}, page);
  };
  EXPECT_EQ(
      ChunkFile(file(concat({levels_v1({0}, 1), levels_v1({2}, 2), plain_int32({5})})).build())
          .field_values(),
      (std::vector<Value>{list({list({number(5)})})}));
  expect_corrupt(file(concat({levels_v1({0}, 1), levels_v1({3}, 3), plain_int32({5})})),
                 "level above the maximum");
}

TEST(Lists, RowsAndValuesAreCounted) {
  const auto one_page = [](FileBuilder builder) {
    return builder.page_v1({.num_values = 3}, list_page({0, 1, 0}, {3, 3, 3}, {1, 2, 3}));
  };
  expect_corrupt(one_page(list_file(1)), "more rows than its row group");
  expect_corrupt(one_page(list_file(3)), "ends before its rows");
  expect_corrupt(
      one_page(list_file(2)).lie([](FooterClaims& c) { c.row_groups[0].chunks[0].num_values = 2; }),
      "more values than its metadata says");
  expect_corrupt(
      one_page(list_file(2)).lie([](FooterClaims& c) { c.row_groups[0].chunks[0].num_values = 4; }),
      "ends before its values");
  expect_corrupt(one_page(list_file(4)), "does not fit its rows");
}

// Leaves of a struct in a list, each with pages of its own.
FileBuilder pairs_file(const std::vector<uint32_t>& a_repetition,
                       const std::vector<uint32_t>& a_definition,
                       const std::vector<uint32_t>& b_repetition,
                       const std::vector<uint32_t>& b_definition, bool map = false) {
  const auto page = [](FileBuilder& builder, const std::vector<uint32_t>& repetition,
                       const std::vector<uint32_t>& definition) {
    const std::vector<int32_t> values(
        static_cast<size_t>(std::count(definition.begin(), definition.end(), 3u)), 1);
    builder.chunk().page_v1({.num_values = static_cast<int32_t>(definition.size())},
                            list_page(repetition, definition, values));
  };
  const auto rows = std::count(a_repetition.begin(), a_repetition.end(), 0u);
  FileBuilder builder;
  builder
      .element(group("l", 1, Repetition::kOptional,
                     of(map ? LogicalType::Kind::kMap : LogicalType::Kind::kList)))
      .element(group("list", 2, Repetition::kRepeated))
      .element(leaf("a", PhysicalType::kInt32, Repetition::kOptional))
      .element(leaf("b", PhysicalType::kInt32, Repetition::kOptional))
      .row_group(rows);
  page(builder, a_repetition, a_definition);
  page(builder, b_repetition, b_definition);
  return builder;
}

TEST(Structs, LeavesThatDisagree) {
  const std::string words = "leaves of one column disagree";
  EXPECT_EQ(
      ChunkFile(pairs_file({0, 1, 0}, {3, 2, 1}, {0, 1, 0}, {2, 3, 1}).build()).field_values(),
      (std::vector<Value>{list({list({number(1), {}}), list({{}, number(1)})}), list({})}));
  // As many elements, in other rows.
  expect_corrupt(pairs_file({0, 1, 0}, {3, 3, 3}, {0, 0, 1}, {3, 3, 3}), words);
  // Null against empty, and in another row.
  expect_corrupt(pairs_file({0, 0}, {0, 1}, {0, 0}, {1, 1}), words);
  expect_corrupt(pairs_file({0, 0}, {0, 1}, {0, 0}, {1, 0}), words);
}

TEST(Maps, NullKeys) {
  EXPECT_EQ(ChunkFile(pairs_file({0}, {3}, {0}, {2}, true).build()).field_values(),
            (std::vector<Value>{list({list({number(1), {}})})}));
  expect_corrupt(pairs_file({0}, {2}, {0}, {3}, true), "a map has a null key");
}

// One RLE run of six bytes is 2^31 rows, or one row of as many elements.
TEST(Lists, HugeRunsStreamInConstantMemory) {
  const int32_t n = std::numeric_limits<int32_t>::max();
  const auto run = [&](uint64_t value, int width) {
    return rle_run(static_cast<uint64_t>(n), value, width);
  };
  MemoryOptions memory;
  memory.limit_bytes = int64_t{4} << 20;
  const ChunkFile empty(
      list_file(n).page_v2({.num_values = n, .num_nulls = n}, {}, run(1, 2), run(0, 1)).build(),
      memory);
  FieldReader reader = empty.field_reader();
  for (int i = 0; i < 100; ++i) {
    const ColumnPtr column = reader.read(8192, 0);
    ASSERT_EQ(column->length(), 8192);
    EXPECT_EQ(column->null_count(), 0);
  }
  const ChunkFile one_row(
      list_file(1)
          .page_v2({.num_values = n, .num_nulls = n, .num_rows = 1}, {}, run(2, 2),
                   concat({rle_run(1, 0, 1), rle_run(static_cast<uint64_t>(n) - 1, 1, 1)}))
          .build(),
      memory);
  try {
    one_row.field_reader().read(8192, 0);
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget) << error.what();
  }
}

TEST(Lists, CancelledBeforeTheNextValues) {
  const WrittenNested written = write_random_nested({.tree = "[i?]?"}, 3);
  const ChunkFile file(written.file);
  FieldReader reader = file.field_reader();
  reader.read(10, 0);
  CancelToken(file.context().cancel).cancel();
  try {
    reader.read(kAllRows, 0);
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
}

}  // namespace
}  // namespace colonnade::parquet
