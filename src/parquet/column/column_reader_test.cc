#include "parquet/column/column_reader.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parquet/column/testing/chunk_reading.h"
#include "parquet/column/testing/random_chunk.h"

namespace colonnade::parquet {
namespace {

using colonnade::testing::Value;
using testing::ChunkFile;
using testing::ChunkShape;
using testing::kAllRows;
using testing::ReadTrial;
using testing::ValueKind;
using testing::WrittenChunk;

constexpr StringForm kStringForms[] = {StringForm::kOffsets32, StringForm::kOffsets64,
                                       StringForm::kViews, StringForm::kDictionary};

std::vector<StringForm> forms_of(const ValueKind& kind) {
  if (kind.name == "string" || kind.name == "binary") {
    return {std::begin(kStringForms), std::end(kStringForms)};
  }
  return {StringForm::kOffsets32};
}

void expect_reads(const ValueKind& kind, const ChunkShape& shape, uint64_t seed,
                  const std::vector<int64_t>& batch_rows) {
  const WrittenChunk written = write_random_chunk(kind, shape, seed);
  for (const StringForm form : forms_of(kind)) {
    // Memory that was given back is overwritten, so that nothing can rest on it.
    MemoryOptions memory;
    memory.test_mode.fill = true;
    const ChunkFile file(written.file, memory);
    const int64_t used = file.pool()->used_bytes();
    for (const int64_t max_rows : batch_rows) {
      ReadTrial trial;
      trial.max_rows = max_rows;
      trial.options.strings = form;
      // A window smaller than most pages, so that pages cross its border.
      trial.window_bytes = 64;
      const std::vector<Value> values = file.values(trial);
      ASSERT_EQ(values.size(), written.values.size());
      for (size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(values[i], written.values[i])
            << kind.name << ", form " << static_cast<int>(form) << ", batches of " << max_rows
            << ", row " << i << ", seed " << seed;
      }
    }
    EXPECT_EQ(file.pool()->used_bytes(), used) << kind.name;
  }
}

class EveryKind : public ::testing::TestWithParam<ValueKind> {};

INSTANTIATE_TEST_SUITE_P(ColumnReader, EveryKind, ::testing::ValuesIn(testing::value_kinds()),
                         [](const auto& trial) { return trial.param.name; });

TEST_P(EveryKind, NullsPagesAndBatchesOfAllSizes) {
  uint64_t seed = 100;
  for (const double null_fraction : {0.0, 0.01, 0.5, 1.0}) {
    for (const int64_t max_page_rows : {3, 200}) {
      for (const double dictionary_fraction : {0.0, 0.5, 1.0}) {
        ChunkShape shape;
        shape.num_rows = 400;
        shape.null_fraction = null_fraction;
        shape.max_page_rows = max_page_rows;
        shape.dictionary_fraction = dictionary_fraction;
        shape.v2 = seed % 2 == 0;
        shape.codec = seed % 3 == 0   ? CompressionCodec::kUncompressed
                      : seed % 3 == 1 ? CompressionCodec::kSnappy
                                      : CompressionCodec::kZstd;
        expect_reads(GetParam(), shape, seed++, {1, 7, kAllRows});
      }
    }
  }
}

TEST_P(EveryKind, RequiredColumnsInLargePages) {
  for (const bool v2 : {false, true}) {
    ChunkShape shape;
    shape.num_rows = 20000;
    shape.optional = false;
    shape.max_page_rows = 15000;
    shape.distinct_values = 3000;
    shape.v2 = v2;
    shape.codec = CompressionCodec::kSnappy;
    expect_reads(GetParam(), shape, 200, {1000, 8192, kAllRows});
  }
}

TEST_P(EveryKind, OptionalColumnsInLargePages) {
  ChunkShape shape;
  shape.num_rows = 20000;
  shape.null_fraction = 0.02;
  shape.max_page_rows = 15000;
  expect_reads(GetParam(), shape, 300, {8192, kAllRows});
}

// Where a read stops for its bytes depends on nothing but the file and the limits, and is as late
// as it can be.
TEST_P(EveryKind, BytesLimitRowsAtTheLastThatFits) {
  const ValueKind& kind = GetParam();
  ChunkShape shape;
  shape.num_rows = 5000;
  shape.null_fraction = 0.2;
  shape.max_page_rows = 3000;
  const WrittenChunk written = write_random_chunk(kind, shape, 400);
  const ChunkFile file(written.file);
  const auto row_bits = [&](const Column& column, const Value& value) -> int64_t {
    if (column.storage() == Storage::kBits) return 1;
    if (column.storage() == Storage::kFixed) return column.byte_width() * 8;
    const auto* text = std::get_if<std::string>(&value.content);
    return 32 + (text != nullptr ? static_cast<int64_t>(text->size()) * 8 : 0);
  };
  for (const StringForm form : forms_of(kind)) {
    if (form == StringForm::kDictionary) continue;  // ids alone count where pages have them
    for (const int64_t max_bytes : {1, 100, 1000, 20000}) {
      ReadTrial trial;
      trial.max_bytes = max_bytes;
      trial.options.strings = form;
      const std::vector<ColumnPtr> columns = file.columns(trial);
      size_t row = 0;
      for (size_t i = 0; i < columns.size(); ++i) {
        int64_t bits = 0;
        for (int64_t j = 0; j < columns[i]->length(); ++j, ++row) {
          bits += row_bits(*columns[i], written.values[row]);
          ASSERT_EQ(colonnade::testing::value_at(*columns[i], j), written.values[row]);
        }
        if (columns[i]->length() > 1) {
          EXPECT_LE(bits, max_bytes * 8);
        }
        if (i + 1 < columns.size()) {
          EXPECT_GT(bits + row_bits(*columns[i], written.values[row]), max_bytes * 8);
        }
      }
      EXPECT_EQ(row, written.values.size());
    }
  }
}

TEST(ColumnReader, DictionaryIsSharedUntilAPlainPage) {
  ChunkShape shape;
  shape.num_rows = 1000;
  shape.dictionary_fraction = 0.5;
  const WrittenChunk written = write_random_chunk(testing::value_kind("string"), shape, 500);
  const ChunkFile file(written.file);
  ReadTrial trial;
  trial.max_rows = 100;
  trial.options.strings = StringForm::kDictionary;
  const std::vector<ColumnPtr> columns = file.columns(trial);
  ASSERT_EQ(columns.size(), 10u);
  for (size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(columns[i]->parts().dictionary, columns[0]->parts().dictionary) << i;
  }
  for (size_t i = 7; i < 10; ++i) {
    EXPECT_NE(columns[i]->parts().dictionary->generation,
              columns[i - 1]->parts().dictionary->generation);
  }
}

TEST(ColumnReader, RepeatedDictionaryEntriesBecomeOne) {
  using namespace testing;
  const Bytes file =
      FileBuilder()
          .column("c", PhysicalType::kByteArray, Repetition::kOptional,
                  {.kind = LogicalType::Kind::kString})
          .row_group(6)
          .chunk()
          .dictionary_page({.num_values = 4}, plain_byte_array({"a", "b", "a", "c"}))
          .page_v1({.num_values = 6, .encoding = EncodingId::kRleDictionary},
                   concat({levels_v1({1, 1, 0, 1, 1, 1}, 1), dictionary_ids({2, 1, 0, 3, 2}, 2)}))
          .build();
  ReadTrial trial;
  trial.options.strings = StringForm::kDictionary;
  const ChunkFile chunk(file);
  const std::vector<ColumnPtr> columns = chunk.columns(trial);
  ASSERT_EQ(columns.size(), 1u);
  EXPECT_EQ(columns[0]->parts().dictionary->values->length(), 3);
  EXPECT_EQ(chunk.values(trial), (std::vector<Value>{{"a"}, {"b"}, {}, {"a"}, {"c"}, {"a"}}));
}

TEST(ColumnReader, ViewsPointIntoPagesThatOutliveTheReader) {
  using namespace testing;
  const std::string longer(1000, 'x');
  for (const bool snappy : {false, true}) {
    const CompressionCodec codec =
        snappy ? CompressionCodec::kSnappy : CompressionCodec::kUncompressed;
    const Bytes page = concat({levels_v1({1, 1, 0}, 1), plain_byte_array({longer, "short"})});
    const Bytes bytes =
        FileBuilder()
            .column("c", PhysicalType::kByteArray, Repetition::kOptional)
            .row_group(3)
            .chunk(codec)
            .page_v1({.num_values = 3, .uncompressed_bytes = static_cast<int32_t>(page.size())},
                     compressed(codec, page))
            .build();
    ColumnPtr column;
    {
      const ChunkFile file(bytes);
      ReadTrial trial;
      trial.options.strings = StringForm::kViews;
      column = file.columns(trial).at(0);
    }
    EXPECT_EQ(column->storage(), Storage::kViews);
    ASSERT_EQ(column->parts().view_buffers.size(), 1u);
    EXPECT_EQ(colonnade::testing::to_values(*column),
              (std::vector<Value>{{longer}, {"short"}, {}}));
  }
}

// The dictionary's bytes are now the first, now another buffer of the views.
TEST(ColumnReader, ViewsOfPagesInTurnWithViewsOfTheDictionary) {
  using namespace testing;
  const std::vector<std::string> longer = {std::string(20, 'a'), std::string(30, 'b'),
                                           std::string(40, 'c')};
  const auto plain_page = [](FileBuilder& file, const std::string& value) {
    file.page_v1({.num_values = 2}, concat({levels_v1({0, 1}, 1), plain_byte_array({value})}));
  };
  const auto dictionary_page = [](FileBuilder& file) {
    file.page_v1({.num_values = 4, .encoding = EncodingId::kRleDictionary},
                 concat({levels_v1({1, 0, 1, 1}, 1), dictionary_ids({1, 0, 1}, 2)}));
  };
  FileBuilder file;
  file.column("c", PhysicalType::kByteArray, Repetition::kOptional)
      .row_group(12)
      .chunk()
      .dictionary_page({.num_values = 2}, plain_byte_array({"short", longer[0]}));
  plain_page(file, longer[1]);
  dictionary_page(file);
  plain_page(file, longer[2]);
  dictionary_page(file);
  const std::vector<Value> from_dictionary = {{longer[0]}, {}, {"short"}, {longer[0]}};
  std::vector<Value> expected = {{}, {longer[1]}};
  expected.insert(expected.end(), from_dictionary.begin(), from_dictionary.end());
  expected.insert(expected.end(), {{}, {longer[2]}});
  expected.insert(expected.end(), from_dictionary.begin(), from_dictionary.end());
  const ChunkFile chunk(file.build());
  for (const int64_t max_rows : {int64_t{1}, int64_t{2}, int64_t{3}, int64_t{5}, kAllRows}) {
    ReadTrial trial;
    trial.max_rows = max_rows;
    trial.options.strings = StringForm::kViews;
    EXPECT_EQ(chunk.values(trial), expected) << max_rows;
  }
}

// parquet-java#1555: pages without values, levels absent, before others; and index pages.
TEST(ColumnReader, PagesWithoutValuesAreSteppedOver) {
  using namespace testing;
  const Bytes file =
      FileBuilder()
          .column("c", PhysicalType::kInt32, Repetition::kOptional)
          .row_group(2)
          .chunk()
          .page_v1({.num_values = 0}, {})
          .index_page(Bytes(10))
          .page_v2({.num_values = 0}, {})
          .page_v1({.num_values = 2}, concat({levels_v1({1, 0}, 1), plain_int32({5})}))
          .page_v1({.num_values = 0}, {})
          .build();
  EXPECT_EQ(ChunkFile(file).values(), (std::vector<Value>{{int64_t{5}}, {}}));
}

TEST(ColumnReader, NullTypeHasRowsOnly) {
  using namespace testing;
  const auto file = [](const Bytes& levels, const Bytes& values) {
    return FileBuilder()
        .column("c", PhysicalType::kInt32, Repetition::kOptional,
                {.kind = LogicalType::Kind::kUnknown})
        .row_group(3)
        .chunk()
        .page_v1({.num_values = 3}, concat({levels, values}))
        .build();
  };
  EXPECT_EQ(ChunkFile(file(levels_v1({0, 0, 0}, 1), {})).values(), std::vector<Value>(3));
  EXPECT_THROW(ChunkFile(file(levels_v1({0, 1, 0}, 1), plain_int32({1}))).values(), Error);
}

TEST(ColumnReader, BooleansAsRuns) {
  using namespace testing;
  const auto with_length = [](const Bytes& runs) {
    return concat({plain_int32({static_cast<int32_t>(runs.size())}), runs});
  };
  const std::vector<uint32_t> bits = {1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
  std::vector<Value> expected;
  for (const uint32_t bit : bits) expected.push_back({bit == 1});
  expected.push_back({});
  std::vector<uint32_t> levels(bits.size(), 1);
  levels.push_back(0);
  const int32_t n = static_cast<int32_t>(expected.size());
  const auto start = [&] {
    return FileBuilder()
        .column("c", PhysicalType::kBoolean, Repetition::kOptional)
        .row_group(n)
        .chunk();
  };
  const Bytes values = with_length(hybrid(bits, 1));
  EXPECT_EQ(ChunkFile(start()
                          .page_v1({.num_values = n, .encoding = EncodingId::kRle},
                                   concat({levels_v1(levels, 1), values}))
                          .build())
                .values(),
            expected);
  EXPECT_EQ(ChunkFile(start()
                          .page_v2({.num_values = n, .num_nulls = 1, .encoding = EncodingId::kRle},
                                   values, levels_v2(levels, 1))
                          .build())
                .values(),
            expected);
}

// pyarrow does so: the low bits of what is stored.
TEST(ColumnReader, NarrowIntegersWrapAround) {
  using namespace testing;
  LogicalType int8;
  int8.kind = LogicalType::Kind::kInteger;
  int8.bit_width = 8;
  const Bytes file = FileBuilder()
                         .column("c", PhysicalType::kInt32, Repetition::kRequired, int8)
                         .row_group(4)
                         .chunk()
                         .page_v1({.num_values = 4}, plain_int32({127, 128, -129, 1000}))
                         .build();
  EXPECT_EQ(ChunkFile(file).values(),
            (std::vector<Value>{{int64_t{127}}, {int64_t{-128}}, {int64_t{127}}, {int64_t{-24}}}));
}

// One RLE run of six bytes is 2^31 rows.
TEST(ColumnReader, HugeRunsStreamInConstantMemory) {
  using namespace testing;
  const int32_t n = std::numeric_limits<int32_t>::max();
  const Bytes levels = rle_run(static_cast<uint64_t>(n), 1, 1);
  const Bytes ids = concat({Bytes{1}, rle_run(static_cast<uint64_t>(n), 1, 1)});
  const Bytes file =
      FileBuilder()
          .column("c", PhysicalType::kInt64, Repetition::kOptional)
          .row_group(n)
          .chunk()
          .dictionary_page({.num_values = 2}, plain_int64({3, 4}))
          .page_v2({.num_values = n, .encoding = EncodingId::kRleDictionary}, ids, levels)
          .build();
  MemoryOptions memory;
  memory.limit_bytes = int64_t{4} << 20;
  const ChunkFile chunk(file, memory);
  ColumnReader reader = chunk.reader();
  for (int i = 0; i < 100; ++i) {
    const ColumnPtr column = reader.read(8192, 0);
    ASSERT_EQ(column->length(), 8192);
    EXPECT_EQ(column->parts().values.as<int64_t>()[8191], 4);
  }
  // A whole column of them does not fit, and says so.
  try {
    reader.read(kAllRows, 0);
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget) << error.what();
  }
}

TEST(ColumnReader, CancelledBeforeTheNextPage) {
  ChunkShape shape;
  const WrittenChunk written = write_random_chunk(testing::value_kind("int32"), shape, 600);
  const ChunkFile file(written.file);
  ColumnReader reader = file.reader();
  reader.read(10, 0);
  CancelToken(file.context().cancel).cancel();
  try {
    reader.read(kAllRows, 0);
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
}

TEST(ColumnReader, OutputIsTheSameUnderEveryFillPattern) {
  for (const char* name : {"boolean", "int16", "decimal16_fixed7", "string", "fixed5"}) {
    ChunkShape shape;
    shape.null_fraction = 0.3;
    shape.num_rows = 3001;
    const ValueKind& kind = testing::value_kind(name);
    const WrittenChunk written = write_random_chunk(kind, shape, 700);
    for (const StringForm form : forms_of(kind)) {
      std::vector<std::vector<uint8_t>> outputs;
      for (const uint8_t pattern : {uint8_t{0xA5}, uint8_t{0x3C}}) {
        MemoryOptions memory;
        memory.test_mode.fill = true;
        memory.test_mode.pattern = pattern;
        memory.test_mode.poison_slack = true;
        const ChunkFile file(written.file, memory);
        ReadTrial trial;
        trial.options.strings = form;
        std::vector<uint8_t>& output = outputs.emplace_back();
        for (const ColumnPtr& column : file.columns(trial)) {
          const ColumnParts& parts = column->parts();
          for (const Buffer* buffer :
               {&parts.validity, &parts.values, &parts.offsets, &parts.bytes}) {
            output.insert(output.end(), buffer->data(), buffer->data() + buffer->size());
          }
        }
      }
      EXPECT_TRUE(outputs[0] == outputs[1]) << name << " " << static_cast<int>(form);
    }
  }
}

TEST(ColumnReader, EveryFailedAllocationLeavesNothingBehind) {
  ChunkShape shape;
  shape.codec = CompressionCodec::kSnappy;
  for (const char* name : {"int64", "decimal32_in_bytes", "string"}) {
    const ValueKind& kind = testing::value_kind(name);
    const WrittenChunk written = write_random_chunk(kind, shape, 800);
    for (const StringForm form : forms_of(kind)) {
      bool succeeded = false;
      for (int64_t nth = 1; !succeeded; ++nth) {
        ASSERT_LT(nth, 10000);
        MemoryOptions memory;
        memory.test_mode.fail_allocation = nth;
        std::shared_ptr<MemoryPool> pool;
        try {
          const ChunkFile file(written.file, memory);
          pool = file.pool();
          ReadTrial trial;
          trial.max_rows = 300;
          trial.options.strings = form;
          EXPECT_TRUE(file.values(trial) == written.values);
          succeeded = true;
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget) << error.what();
        }
        if (pool) {
          EXPECT_EQ(pool->used_bytes(), 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace colonnade::parquet
