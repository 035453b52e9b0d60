// Files that lie, and files that others write in unusual ways.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parquet/column/testing/chunk_reading.h"
#include "parquet/column/testing/random_chunk.h"

namespace colonnade::parquet {
namespace {

using colonnade::testing::Value;
using namespace testing;

Value number(int64_t value) { return {value}; }

FileBuilder int32_file(int64_t num_rows, Repetition repetition = Repetition::kOptional,
                       CompressionCodec codec = CompressionCodec::kUncompressed) {
  return FileBuilder()
      .column("group", PhysicalType::kInt32, repetition)
      .row_group(num_rows)
      .chunk(codec);
}
FileBuilder string_file(int64_t num_rows) {
  return FileBuilder()
      .column("c", PhysicalType::kByteArray, Repetition::kOptional)
      .row_group(num_rows)
      .chunk();
}

// Reading all values fails with this code and these words, naming column and page.
void expect_refused(const FileBuilder& builder, ErrorCode code, const std::string& words) {
  try {
    ChunkFile(builder.build()).values();
    ADD_FAILURE() << "not refused: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    EXPECT_FALSE(error.place().column.empty()) << error.what();
    EXPECT_GE(error.place().page_offset, 4) << error.what();
  }
}
void expect_corrupt(const FileBuilder& builder, const std::string& words) {
  expect_refused(builder, ErrorCode::kCorruptData, words);
}

// --- duckdb#2882, cudf#19756: v2 pages that are not compressed in a chunk that is

TEST(CaseA05, PagesLeftUncompressedAmongCompressedOnes) {
  const Bytes definition = levels_v2({1, 1}, 1);
  const Bytes first = plain_int32({1, 2});
  const Bytes second = plain_int32({3, 4});
  const int32_t size = static_cast<int32_t>(definition.size() + 8);
  const Bytes file =
      int32_file(6, Repetition::kOptional, CompressionCodec::kSnappy)
          .page_v2({.num_values = 2, .uncompressed_bytes = size, .is_compressed = true},
                   compressed(CompressionCodec::kSnappy, first), definition)
          .page_v2({.num_values = 2, .is_compressed = false}, second, definition)
          // The flag absent means compressed.
          .page_v2({.num_values = 2, .uncompressed_bytes = size},
                   compressed(CompressionCodec::kSnappy, first), definition)
          .build();
  EXPECT_EQ(ChunkFile(file).values(),
            (std::vector<Value>{number(1), number(2), number(3), number(4), number(1), number(2)}));
}

// --- parquet-testing#71, arrow-rs#7388: pages of nulls only

TEST(CaseA06, PagesOfNullsHoldNothingOrAFrameOfNothing) {
  const Bytes definition = levels_v2({0, 0, 0}, 1);
  const int32_t size = static_cast<int32_t>(definition.size());
  for (const CompressionCodec codec : {CompressionCodec::kSnappy, CompressionCodec::kZstd}) {
    for (const bool frame : {false, true}) {
      const Bytes file = int32_file(3, Repetition::kOptional, codec)
                             .page_v2({.num_values = 3, .num_nulls = 3, .uncompressed_bytes = size},
                                      frame ? compressed(codec, {}) : Bytes{}, definition)
                             .build();
      EXPECT_EQ(ChunkFile(file).values(), std::vector<Value>(3));
    }
  }
}

// --- duckdb#23279: v2 sizes that contradict each other

TEST(CaseA07, LevelsLongerThanTheirPage) {
  const Bytes definition = levels_v2({1, 1}, 1);
  expect_corrupt(int32_file(2).page_v2({.num_values = 2, .definition_bytes = 11},
                                       plain_int32({1, 2}), definition),
                 "levels longer than their page");
  expect_corrupt(int32_file(2).page_v2(
                     {.num_values = 2, .definition_bytes = 5, .repetition_bytes = 0x7FFFFFFF},
                     plain_int32({1, 2}), definition),
                 "levels longer than their page");
  // More level bytes than uncompressed bytes.
  expect_corrupt(int32_file(2).page_v2({.num_values = 2, .uncompressed_bytes = 1},
                                       plain_int32({1, 2}), definition),
                 "levels longer than their page");
}

TEST(CaseA07, NoPayloadForASizeThatIsNotZero) {
  const Bytes definition = levels_v2({1, 1}, 1);
  for (const CompressionCodec codec :
       {CompressionCodec::kUncompressed, CompressionCodec::kSnappy, CompressionCodec::kZstd}) {
    expect_corrupt(int32_file(2, Repetition::kOptional, codec)
                       .page_v2({.num_values = 2,
                                 .uncompressed_bytes = static_cast<int32_t>(definition.size() + 8)},
                                {}, definition),
                   "decompressed size");
  }
}

// --- parquet-java#1419, arrow-rs#8885: dictionary-encoded pages of nulls only

TEST(CaseA09, NullsNeedNeitherIdsNorDictionaryEntries) {
  const V1Options options = {.num_values = 3, .encoding = EncodingId::kRleDictionary};
  const Bytes nulls = levels_v1({0, 0, 0}, 1);
  const Bytes int32s = int32_file(6)
                           .dictionary_page({.num_values = 0}, {})
                           .page_v1(options, nulls)
                           .page_v1(options, concat({nulls, Bytes{0}}))
                           .build();
  EXPECT_EQ(ChunkFile(int32s).values(), std::vector<Value>(6));
  const Bytes strings =
      string_file(3).dictionary_page({.num_values = 0}, {}).page_v1(options, nulls).build();
  for (const StringForm form : {StringForm::kOffsets32, StringForm::kOffsets64, StringForm::kViews,
                                StringForm::kDictionary}) {
    ReadTrial trial;
    trial.options.strings = form;
    EXPECT_EQ(ChunkFile(strings).values(trial), std::vector<Value>(3));
    // Without any dictionary page.
    EXPECT_EQ(ChunkFile(string_file(3).page_v1(options, nulls).build()).values(trial),
              std::vector<Value>(3));
  }
}

TEST(CaseA09, AnIdIntoAnEmptyDictionaryIsCorrupt) {
  const V1Options options = {.num_values = 3, .encoding = EncodingId::kRleDictionary};
  const Bytes page = concat({levels_v1({0, 1, 0}, 1), dictionary_ids({0}, 0)});
  expect_corrupt(int32_file(3).dictionary_page({.num_values = 0}, {}).page_v1(options, page),
                 "dictionary id outside the dictionary");
  expect_corrupt(int32_file(3).page_v1(options, page), "without a dictionary page");
  expect_corrupt(string_file(3).dictionary_page({.num_values = 0}, {}).page_v1(options, page),
                 "dictionary id outside the dictionary");
  expect_corrupt(string_file(3).page_v1(options, page), "without a dictionary page");
}

// --- SPARK-34167: decimals in every physical form

TEST(CaseA14, SameDecimalsFromEveryPhysicalForm) {
  LogicalType decimal;
  decimal.kind = LogicalType::Kind::kDecimal;
  decimal.precision = 9;
  decimal.scale = 2;
  const auto values = [&](PhysicalType type, int32_t type_length, const Bytes& plain) {
    const auto build = [&](bool dictionary) {
      FileBuilder builder;
      builder.column("d", type, Repetition::kRequired, decimal, type_length).row_group(3).chunk();
      if (!dictionary) return builder.page_v1({.num_values = 3}, plain).build();
      return builder.dictionary_page({.num_values = 3}, plain)
          .page_v1({.num_values = 3, .encoding = EncodingId::kPlainDictionary},
                   dictionary_ids({0, 1, 2}, 2))
          .build();
    };
    EXPECT_EQ(ChunkFile(build(true)).values(), ChunkFile(build(false)).values());
    return ChunkFile(build(false)).values();
  };
  const std::vector<Value> expected =
      values(PhysicalType::kInt32, 0, plain_int32({123, -1, 999999999}));
  ASSERT_EQ(std::get<Decimal256>(expected[1].content), Decimal256(-1));
  EXPECT_EQ(values(PhysicalType::kInt64, 0, plain_int64({123, -1, 999999999})), expected);
  EXPECT_EQ(values(PhysicalType::kByteArray, 0,
                   plain_byte_array({{"\x7B", 1}, {"\xFF", 1}, {"\x3B\x9A\xC9\xFF", 4}})),
            expected);
  // Longer than needed, even than the storage.
  EXPECT_EQ(values(PhysicalType::kByteArray, 0,
                   plain_byte_array({{"\0\0\0\0\0\0\0\0\x7B", 9},
                                     {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 10},
                                     {"\0\x3B\x9A\xC9\xFF", 5}})),
            expected);
  EXPECT_EQ(
      values(PhysicalType::kFixedLenByteArray, 4,
             plain_fixed({{"\0\0\0\x7B", 4}, {"\xFF\xFF\xFF\xFF", 4}, {"\x3B\x9A\xC9\xFF", 4}})),
      expected);
  EXPECT_EQ(
      values(PhysicalType::kFixedLenByteArray, 5,
             plain_fixed(
                 {{"\0\0\0\0\x7B", 5}, {"\xFF\xFF\xFF\xFF\xFF", 5}, {"\0\x3B\x9A\xC9\xFF", 5}})),
      expected);
}

TEST(CaseA14, DecimalsThatDoNotFitAreCorrupt) {
  LogicalType decimal;
  decimal.kind = LogicalType::Kind::kDecimal;
  decimal.precision = 9;
  const auto file = [&](PhysicalType type, int32_t type_length, const Bytes& plain) {
    return FileBuilder()
        .column("d", type, Repetition::kRequired, decimal, type_length)
        .row_group(1)
        .chunk()
        .page_v1({.num_values = 1}, plain);
  };
  const std::string words = "decimal outside the range of its precision";
  expect_corrupt(file(PhysicalType::kInt64, 0, plain_int64({int64_t{1} << 31})), words);
  expect_corrupt(file(PhysicalType::kInt64, 0, plain_int64({-(int64_t{1} << 31) - 1})), words);
  expect_corrupt(file(PhysicalType::kByteArray, 0, plain_byte_array({{"\0\x80\0\0\0", 5}})), words);
  expect_corrupt(file(PhysicalType::kByteArray, 0, plain_byte_array({{"\x01\0\0\0\0", 5}})), words);
  expect_corrupt(file(PhysicalType::kFixedLenByteArray, 5, plain_fixed({{"\0\x80\0\0\0", 5}})),
                 words);
  expect_corrupt(
      file(PhysicalType::kFixedLenByteArray, 12, plain_fixed({{"\0\0\0\0\0\0\0\0\x80\0\0\0", 12}})),
      words);
  expect_corrupt(file(PhysicalType::kByteArray, 0, plain_byte_array({""})),
                 "decimal without any byte");
}

// --- polars#13883: the last bit-packed run cut short

TEST(CaseB01, LastRunOfIdsCutShort) {
  std::vector<uint32_t> ids;
  std::vector<Value> expected;
  for (uint32_t i = 0; i < 60; ++i) {
    ids.push_back(i % 3);
    expected.push_back(number(i % 3 + 1));
  }
  Bytes page = concat({Bytes{2}, bit_packed_run(ids, 2)});
  page.pop_back();
  const FileBuilder file =
      int32_file(60, Repetition::kRequired)
          .dictionary_page({.num_values = 3}, plain_int32({1, 2, 3}))
          .page_v1({.num_values = 60, .encoding = EncodingId::kRleDictionary}, page);
  for (const int64_t max_rows : {int64_t{1}, int64_t{7}, kAllRows}) {
    ReadTrial trial;
    trial.max_rows = max_rows;
    EXPECT_EQ(ChunkFile(file.build()).values(trial), expected);
  }
}

// --- hardwood#901: a dictionary of one entry

TEST(CaseB02, BitWidthOfZeroWithAndWithoutRuns) {
  for (const Bytes& page : {Bytes{0, 44 << 1}, Bytes{0}}) {
    const Bytes file =
        int32_file(44, Repetition::kRequired)
            .dictionary_page({.num_values = 1}, plain_int32({7}))
            .page_v1({.num_values = 44, .encoding = EncodingId::kRleDictionary}, page)
            .build();
    EXPECT_EQ(ChunkFile(file).values(), std::vector<Value>(44, number(7)));
  }
}

// --- counts that contradict each other

TEST(Counts, PagesWithMoreOrFewerRowsThanTheRowGroup) {
  const Bytes two = plain_int32({1, 2});
  const auto claim_two_values = [](FooterClaims& footer) {
    footer.row_groups[0].chunks[0].num_values = 2;
  };
  expect_corrupt(int32_file(2, Repetition::kRequired)
                     .page_v1({.num_values = 3}, plain_int32({1, 2, 3}))
                     .lie(claim_two_values),
                 "more values than its metadata says");
  expect_corrupt(int32_file(2, Repetition::kRequired)
                     .page_v1({.num_values = 2}, two)
                     .page_v1({.num_values = 1}, plain_int32({3}))
                     .lie(claim_two_values),
                 "more values than its metadata says");
  expect_corrupt(
      int32_file(2, Repetition::kRequired).page_v1({.num_values = 1}, two).lie(claim_two_values),
      "column chunk ends before its values");
}

TEST(Counts, ChunkWithAnotherNumberOfValuesThanRows) {
  const FileBuilder file =
      int32_file(3, Repetition::kRequired).page_v1({.num_values = 2}, plain_int32({1, 2}));
  EXPECT_THROW(ChunkFile(file.build()).reader(), Error);
}

TEST(Counts, V2HeadersThatDisagreeWithTheirLevels) {
  const Bytes definition = levels_v2({1, 0}, 1);
  expect_corrupt(
      int32_file(2).page_v2({.num_values = 2, .num_nulls = 0}, plain_int32({1}), definition),
      "disagree about nulls");
  expect_corrupt(
      int32_file(2).page_v2({.num_values = 2, .num_nulls = 2}, plain_int32({1}), definition),
      "disagree about nulls");
  expect_corrupt(int32_file(2, Repetition::kRequired)
                     .page_v2({.num_values = 2, .num_nulls = 1}, plain_int32({1, 2})),
                 "disagree about nulls");
  expect_corrupt(int32_file(2).page_v2({.num_values = 2, .num_nulls = 1, .num_rows = 1},
                                       plain_int32({1}), definition),
                 "another number of rows than values");
}

TEST(Counts, LevelsThatEndTooEarly) {
  expect_corrupt(
      int32_file(3).page_v1({.num_values = 3},
                            concat({plain_int32({2}), rle_run(2, 1, 1), plain_int32({1, 2, 3})})),
      "bytes end");
  expect_corrupt(int32_file(2).page_v1({.num_values = 2}, Bytes{4, 0}), "length of levels");
  expect_corrupt(int32_file(2).page_v1({.num_values = 2}, Bytes{200, 0, 0, 0, 4, 1}),
                 "definition levels");
  expect_corrupt(int32_file(2).page_v1({.num_values = 2}, Bytes{0xFF, 0xFF, 0xFF, 0xFF, 4, 1}),
                 "definition levels");
}

TEST(Counts, PagesShorterThanTheirValues) {
  expect_corrupt(
      int32_file(2).page_v1({.num_values = 2}, concat({levels_v1({1, 1}, 1), plain_int32({1})})),
      "page shorter than its values");
  expect_corrupt(string_file(2).page_v1({.num_values = 2},
                                        concat({levels_v1({1, 1}, 1), plain_byte_array({"a"})})),
                 "page");
  expect_corrupt(int32_file(1)
                     .dictionary_page({.num_values = 3}, plain_int32({1, 2}))
                     .page_v1({.num_values = 1}, levels_v1({0}, 1)),
                 "page shorter than its values");
}

// --- pages where they do not belong, and what is not read yet

TEST(Pages, DictionaryPageOnlyAtTheFront) {
  const Bytes dictionary = plain_int32({1});
  const Bytes page = concat({levels_v1({1}, 1), plain_int32({1})});
  expect_corrupt(int32_file(1)
                     .dictionary_page({.num_values = 1}, dictionary)
                     .dictionary_page({.num_values = 1}, dictionary)
                     .page_v1({.num_values = 1}, page),
                 "dictionary page behind another page");
  expect_corrupt(int32_file(2)
                     .page_v1({.num_values = 1}, page)
                     .dictionary_page({.num_values = 1}, dictionary)
                     .page_v1({.num_values = 1}, page),
                 "dictionary page behind another page");
}

TEST(Pages, SizesBeyondTheChunkOrTheLimit) {
  const Bytes page = concat({levels_v1({1}, 1), plain_int32({1})});
  expect_corrupt(int32_file(1).page_v1({.num_values = 1, .compressed_bytes = 1000}, page),
                 "page reaches beyond its column chunk");
  expect_corrupt(int32_file(1).page_v1({.num_values = 1, .uncompressed_bytes = 5}, page),
                 "compressed bytes hold another size than stated");
  expect_refused(int32_file(1, Repetition::kOptional, CompressionCodec::kSnappy)
                     .page_v1({.num_values = 1, .uncompressed_bytes = 0x7FFFFFFF}, page),
                 ErrorCode::kOutOfBudget, "page larger than the limit");
  expect_corrupt(int32_file(1, Repetition::kOptional, CompressionCodec::kSnappy)
                     .page_v1({.num_values = 1, .uncompressed_bytes = 100 << 20}, page),
                 "decompressed size is more than the codec can expand to");
}

TEST(Pages, TextOfAnErrorNamesThePage) {
  FileBuilder file = int32_file(2, Repetition::kRequired);
  file.page_v1({.num_values = 1}, plain_int32({1}));
  const std::string second = std::to_string(file.position());
  file.page_v1({.num_values = 1, .uncompressed_bytes = 3}, plain_int32({2}));
  expect_corrupt(file, "compressed bytes hold another size than stated: column 'group', page at " +
                           second + ": codec none, 4 bytes held, 3 stated");
}

TEST(Pages, ValuesOfDeltaByteArrayHaveTheLengthOfTheirType) {
  const auto file = [](const std::vector<std::string_view>& values) {
    return FileBuilder()
        .column("group", PhysicalType::kFixedLenByteArray, Repetition::kRequired, {}, 3)
        .row_group(2)
        .chunk()
        .page_v1({.num_values = 2, .encoding = EncodingId::kDeltaByteArray},
                 delta_byte_array(values));
  };
  EXPECT_EQ(ChunkFile(file({"abc", "abd"}).build()).values().size(), 2U);
  expect_corrupt(file({"abc", "ab"}), "value of another length than its type has");
  expect_corrupt(file({"abcd", "abc"}), "4 bytes, the type has 3");
}

TEST(Pages, WhatIsNotReadYetIsNamed) {
  const Bytes page = concat({levels_v1({1}, 1), plain_int32({1})});
  expect_refused(int32_file(1).page_v1({.num_values = 1, .encoding = EncodingId::kAlp}, page),
                 ErrorCode::kNotSupported, "encoding ALP of INT32 values is not read yet");
  try {
    ChunkFile(int32_file(1, Repetition::kOptional, CompressionCodec::kLzo)
                  .page_v1({.num_values = 1}, page)
                  .build())
        .reader();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
    EXPECT_STREQ(error.what(), "codec LZO is not read: column 'group'");
  }
}

TEST(Pages, BitPackedDefinitionLevels) {
  // 1, 0, 1, 1, 0, 0, 0, 1, 1, 1: the first in the highest bit.
  const Bytes levels{0b10110001, 0b11000000};
  const auto file = [&](const Bytes& bits) {
    return int32_file(10).page_v1({.num_values = 10, .definition_encoding = EncodingId::kBitPacked},
                                  concat({bits, plain_int32({1, 2, 3, 4, 5, 6})}));
  };
  const std::vector<Value> values{number(1), {}, number(2), number(3), {},
                                  {},        {}, number(4), number(5), number(6)};
  EXPECT_EQ(ChunkFile(file(levels).build()).values(), values);
  for (const int64_t max_rows : {1, 3, 9}) {
    EXPECT_EQ(ChunkFile(file(levels).build()).values({.max_rows = max_rows}), values);
  }
  expect_corrupt(int32_file(10).page_v1(
                     {.num_values = 10, .definition_encoding = EncodingId::kBitPacked}, {0xFF}),
                 "definition levels");
}

// parquet-mr wrote such levels in flat columns, where there is nothing to repeat.
TEST(Pages, EncodingOfAbsentRepetitionLevelsDoesNotMatter) {
  const Bytes page = concat({levels_v1({1}, 1), plain_int32({1})});
  EXPECT_EQ(
      ChunkFile(int32_file(1)
                    .page_v1({.num_values = 1, .repetition_encoding = EncodingId::kBitPacked}, page)
                    .build())
          .values(),
      std::vector<Value>{number(1)});
}

// Whatever single bit of the pages is turned over, and wherever they are cut off: an error or as
// many values.
TEST(Damage, BitFlipsAndTruncation) {
  for (const char* name :
       {"int32", "boolean", "decimal16_fixed7", "decimal32_in_bytes", "string"}) {
    for (const bool v2 : {false, true}) {
      for (const CompressionCodec codec :
           {CompressionCodec::kUncompressed, CompressionCodec::kSnappy}) {
        ChunkShape shape;
        shape.num_rows = 30;
        shape.max_page_rows = 20;
        shape.distinct_values = 10;
        shape.null_fraction = 0.2;
        shape.v2 = v2;
        shape.codec = codec;
        const WrittenChunk written = write_random_chunk(value_kind(name), shape, 900);
        const ChunkMetadata chunk = ChunkFile(written.file).footer().chunk(0, 0);
        const int64_t begin = chunk.first_page_offset();
        for (int64_t bit = begin * 8; bit < (begin + chunk.compressed_bytes) * 8; ++bit) {
          Bytes damaged = written.file;
          damaged[static_cast<size_t>(bit / 8)] ^= static_cast<uint8_t>(1u << (bit % 8));
          for (const StringForm form : {StringForm::kOffsets32, StringForm::kViews}) {
            if (form == StringForm::kViews && std::string(name) != "string") continue;
            ReadTrial trial;
            trial.options.strings = form;
            MemoryOptions memory;
            memory.limit_bytes = int64_t{64} << 20;
            try {
              EXPECT_EQ(ChunkFile(damaged, memory).values(trial).size(), written.values.size());
            } catch (const Error& error) {
              EXPECT_NE(error.code(), ErrorCode::kInternal) << error.what();
            }
          }
        }
        for (int64_t size = 0; size < chunk.compressed_bytes; ++size) {
          Bytes cut = written.file;
          std::fill(cut.begin() + begin + size, cut.begin() + begin + chunk.compressed_bytes,
                    uint8_t{0});
          try {
            EXPECT_EQ(ChunkFile(cut).values().size(), written.values.size());
          } catch (const Error& error) {
            EXPECT_NE(error.code(), ErrorCode::kInternal) << error.what();
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace colonnade::parquet
