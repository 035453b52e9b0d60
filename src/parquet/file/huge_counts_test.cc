// More rows than 32 bits count, more row groups and pages than 16 bits count, more string bytes
// than 32-bit offsets reach: small files, made so by run lengths.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <colonnade/parquet.h>

#include "column/testing/reference.h"
#include "parquet/testing/file_builder.h"

namespace colonnade::parquet {
namespace {

using colonnade::testing::to_values;
using colonnade::testing::Value;
using testing::Bytes;
using testing::concat;
using testing::FileBuilder;

constexpr int64_t kTwo31 = int64_t{1} << 31;

File open(const Bytes& bytes, const Context& context = {}) {
  auto owner = std::make_shared<const Bytes>(bytes);
  return File::open(
      open_memory_file(Buffer::wrap(owner->data(), static_cast<int64_t>(owner->size()), owner)),
      context);
}

Context with_budget(int64_t bytes) {
  Context context;
  context.memory = MemoryPool::make_root("test", {.limit_bytes = bytes});
  return context;
}

// One row group of three columns over two pages, of 2^31 - 1 rows and of 1,000: an optional one
// without values, dictionary ids that are all 0 and then all 1, booleans that are true and then
// false.
constexpr int64_t kFirstPage = kTwo31 - 1;
constexpr int64_t kManyRows = kFirstPage + 1000;
Bytes many_rows() {
  FileBuilder file;
  file.column("none", PhysicalType::kInt32, Repetition::kOptional)
      .column("id", PhysicalType::kInt32)
      .column("flag", PhysicalType::kBoolean)
      .row_group(kManyRows);
  const auto pages = [&](auto&& page) {
    page(0, static_cast<int32_t>(kFirstPage));
    page(1, static_cast<int32_t>(kManyRows - kFirstPage));
  };
  const auto run = [](int32_t count, uint64_t value) {
    return testing::rle_run(static_cast<uint64_t>(count), value, 1);
  };
  const auto with_length = [](const Bytes& runs) {
    return concat({testing::plain_int32({static_cast<int32_t>(runs.size())}), runs});
  };
  file.chunk();
  pages([&](uint64_t, int32_t count) {
    file.page_v1({.num_values = count}, with_length(run(count, 0)));
  });
  file.chunk().dictionary_page({.num_values = 2}, testing::plain_int32({70, 71}));
  pages([&](uint64_t id, int32_t count) {
    file.page_v1({.num_values = count, .encoding = EncodingId::kRleDictionary},
                 concat({{1}, run(count, id)}));
  });
  file.chunk();
  pages([&](uint64_t id, int32_t count) {
    file.page_v1({.num_values = count, .encoding = EncodingId::kRle},
                 with_length(run(count, 1 - id)));
  });
  return file.build();
}

TEST(HugeCounts, MoreThan2To31RowsAreReadAtTheirEnd) {
  const Bytes bytes = many_rows();
  EXPECT_LT(bytes.size(), 1000u);
  const File file = open(bytes, with_budget(8 << 20));
  EXPECT_EQ(file.num_rows(), kManyRows);
  for (const int32_t threads : {1, 2}) {
    ScanOptions options;
    options.row_ranges = {{0, 1}, {kFirstPage - 1, 2}, {kManyRows - 1, 1}};
    options.row_number_column = "row";
    options.threads = threads;
    const auto scan = file.scan(options);
    std::vector<std::vector<Value>> columns(4);
    while (const auto batch = scan->next()) {
      for (int32_t i = 0; i < 4; ++i) {
        for (Value& value : to_values(*batch->column(i))) {
          columns[static_cast<size_t>(i)].push_back(std::move(value));
        }
      }
    }
    const Value null;
    EXPECT_EQ(columns[0], (std::vector<Value>{null, null, null, null}));
    EXPECT_EQ(columns[1],
              (std::vector<Value>{{int64_t{70}}, {int64_t{70}}, {int64_t{71}}, {int64_t{71}}}));
    EXPECT_EQ(columns[2], (std::vector<Value>{{true}, {true}, {false}, {false}}));
    EXPECT_EQ(columns[3],
              (std::vector<Value>{{int64_t{0}}, {kFirstPage - 1}, {kFirstPage}, {kManyRows - 1}}));
  }
}

// 2^31 rows stream within a budget that holds none of their pages decoded.
TEST(HugeCounts, MoreThan2To31RowsStreamInConstantMemory) {
  const File file = open(many_rows(), with_budget(8 << 20));
  ScanOptions options;
  options.columns = {"none", "flag"};
  options.threads = 1;
  options.batch_rows = 1 << 20;
  const auto scan = file.scan(options);
  int64_t rows = 0;
  int64_t nulls = 0;
  while (const auto batch = scan->next()) {
    rows += batch->num_rows();
    nulls += batch->column(0)->null_count();
  }
  EXPECT_EQ(rows, kManyRows);
  EXPECT_EQ(nulls, kManyRows);
}

constexpr int32_t kManyParts = 40000;  // more than 16 bits with a sign count

TEST(HugeCounts, MoreThan32767RowGroups) {
  FileBuilder builder;
  builder.column("a", PhysicalType::kInt32);
  for (int32_t i = 0; i < kManyParts; ++i) {
    builder.row_group(1).chunk().page_v1({.num_values = 1}, testing::plain_int32({i}));
  }
  const File file = open(builder.build());
  EXPECT_EQ(file.num_row_groups(), kManyParts);
  for (const int32_t threads : {1, 2}) {
    ScanOptions options;
    options.threads = threads;
    const auto scan = file.scan(options);
    int64_t rows = 0;
    while (const auto batch = scan->next()) {
      for (const Value& value : to_values(*batch->column(0))) ASSERT_EQ(value, Value{rows++});
    }
    EXPECT_EQ(rows, kManyParts);
  }
  ScanOptions last;
  last.row_groups = {kManyParts - 1};
  EXPECT_EQ(to_values(*file.scan(last)->next()->column(0)),
            (std::vector<Value>{{int64_t{kManyParts - 1}}}));
}

TEST(HugeCounts, MoreThan32767PagesOfAChunk) {
  FileBuilder builder;
  builder.column("a", PhysicalType::kInt32).row_group(kManyParts).chunk();
  for (int32_t i = 0; i < kManyParts; ++i) {
    builder.page_v1({.num_values = 1}, testing::plain_int32({i}));
  }
  const File file = open(builder.build());
  const auto scan = file.scan();
  int64_t rows = 0;
  while (const auto batch = scan->next()) {
    for (const Value& value : to_values(*batch->column(0))) ASSERT_EQ(value, Value{rows++});
  }
  EXPECT_EQ(rows, kManyParts);
  ScanOptions options;
  options.row_ranges = {{kManyParts - 2, 2}};
  EXPECT_EQ(to_values(*file.scan(options)->next()->column(0)),
            (std::vector<Value>{{int64_t{kManyParts - 2}}, {int64_t{kManyParts - 1}}}));
}

// A value of 1 MiB, 2,049 times.
constexpr int64_t kLongBytes = int64_t{1} << 20;
constexpr int64_t kLongRows = 2049;
Bytes long_strings() {
  const std::string value(static_cast<size_t>(kLongBytes), 'v');
  FileBuilder file;
  file.column("s", PhysicalType::kByteArray, Repetition::kRequired,
              {.kind = LogicalType::Kind::kString})
      .row_group(kLongRows)
      .chunk()
      .dictionary_page({.num_values = 1}, testing::plain_byte_array({value}))
      .page_v1({.num_values = kLongRows, .encoding = EncodingId::kRleDictionary},
               concat({{1}, testing::rle_run(kLongRows, 0, 1)}));
  return file.build();
}

TEST(HugeCounts, MoreThan2GiBOfStringsInOneBatch) {
  const File file = open(long_strings());
  ScanOptions options = ScanOptions::whole_row_groups();
  options.threads = 1;
  for (const StringForm form :
       {StringForm::kOffsets64, StringForm::kViews, StringForm::kDictionary}) {
    options.strings = form;
    const auto scan = file.scan(options);
    const auto batch = scan->next();
    ASSERT_TRUE(batch);
    EXPECT_EQ(batch->num_rows(), kLongRows);
    EXPECT_FALSE(scan->next());
  }
  // 32-bit offsets end at 2^31 - 1: the row that passes them begins another batch.
  options.strings = StringForm::kOffsets32;
  const auto scan = file.scan(options);
  int64_t first = scan->next()->num_rows();
  EXPECT_EQ(first, (kTwo31 - 1) / kLongBytes);
  EXPECT_EQ(scan->next()->num_rows(), kLongRows - first);
  EXPECT_FALSE(scan->next());
}

}  // namespace
}  // namespace colonnade::parquet
