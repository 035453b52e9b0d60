#include "parquet/format/column_chunk.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "parquet/testing/error_of.h"
#include "parquet/testing/file_builder.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::ChunkClaims;
using testing::error_of;
using testing::FileBuilder;
using testing::FooterClaims;
using testing::plain_int32;

constexpr int64_t kFileSize = 10'000;

Buffer buffer_of(const Bytes& bytes) {
  auto owner = std::make_shared<Bytes>(bytes);
  return Buffer::wrap(owner->data(), static_cast<int64_t>(owner->size()), owner);
}

// One column "a" of one row group; `change` is applied to what the footer says of its chunk.
ChunkMetadata chunk_after(const std::function<void(ChunkClaims&)>& change) {
  const Bytes footer =
      FileBuilder()
          .column("a", PhysicalType::kInt32)
          .row_group(3)
          .chunk(CompressionCodec::kZstd)
          .dictionary_page({.num_values = 2}, plain_int32({1, 2}))
          .page_v1({.num_values = 3, .encoding = EncodingId::kRleDictionary}, Bytes(10))
          .lie([&](FooterClaims& f) { change(f.row_groups[0].chunks[0]); })
          .build_footer();
  return Footer::parse(Context(), buffer_of(footer), kFileSize).chunk(0, 0);
}

Error error_after(const std::function<void(ChunkClaims&)>& change) {
  return error_of([&] { chunk_after(change); });
}

void expect_corrupt(const std::function<void(ChunkClaims&)>& change, const std::string& words) {
  const Error error = error_after(change);
  EXPECT_EQ(error.code(), ErrorCode::kCorruptData) << error.what();
  EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  EXPECT_EQ(error.place().column, "a");
  EXPECT_EQ(error.place().row_group, 0);
}

TEST(ColumnChunk, WhatTheFileSays) {
  const ChunkMetadata chunk = chunk_after([](ChunkClaims& c) {
    c.statistics.emplace();
    c.statistics->min = "a";
    c.statistics->max = "b";
    c.statistics->min_value = "c";
    c.statistics->max_value = "d";
    c.statistics->null_count = 1;
    c.statistics->distinct_count = 2;
    c.statistics->is_min_exact = false;
    c.statistics->is_max_exact = true;
    c.column_index_offset = 100;
    c.column_index_length = 20;
    c.offset_index_offset = 200;
    c.offset_index_length = 30;
    c.bloom_filter_offset = 300;
    c.bloom_filter_length = 40;
  });
  EXPECT_EQ(chunk.type, PhysicalType::kInt32);
  EXPECT_EQ(chunk.codec, CompressionCodec::kZstd);
  EXPECT_EQ(
      chunk.encodings,
      (std::vector<EncodingId>{EncodingId::kPlain, EncodingId::kRleDictionary, EncodingId::kRle}));
  EXPECT_EQ(chunk.path, std::vector<std::string>{"a"});
  EXPECT_EQ(chunk.num_values, 3);
  EXPECT_EQ(chunk.dictionary_page_offset, 4);
  EXPECT_EQ(chunk.first_page_offset(), 4);
  EXPECT_GT(chunk.data_page_offset, 4 + 8);
  EXPECT_GT(chunk.compressed_bytes, 18);
  EXPECT_EQ(chunk.uncompressed_bytes, chunk.compressed_bytes);
  ASSERT_TRUE(chunk.has_statistics);
  EXPECT_EQ(chunk.statistics.min, "a");
  EXPECT_EQ(chunk.statistics.max, "b");
  EXPECT_EQ(chunk.statistics.min_value, "c");
  EXPECT_EQ(chunk.statistics.max_value, "d");
  EXPECT_EQ(chunk.statistics.null_count, 1);
  EXPECT_EQ(chunk.statistics.distinct_count, 2);
  EXPECT_EQ(chunk.statistics.is_min_exact, false);
  EXPECT_EQ(chunk.statistics.is_max_exact, true);
  EXPECT_FALSE(chunk.statistics.unknown_order);
  EXPECT_EQ(chunk.column_index_offset, 100);
  EXPECT_EQ(chunk.column_index_length, 20);
  EXPECT_EQ(chunk.offset_index_offset, 200);
  EXPECT_EQ(chunk.offset_index_length, 30);
  EXPECT_EQ(chunk.bloom_filter_offset, 300);
  EXPECT_EQ(chunk.bloom_filter_length, 40);
  EXPECT_FALSE(chunk.encrypted);
  EXPECT_TRUE(chunk.file_path.empty());
}

TEST(ColumnChunk, ADictionaryPageThatIsNoneIsAbsent) {
  for (const int64_t offset : {int64_t{0}, int64_t{5000}, INT64_MAX}) {
    const ChunkMetadata chunk =
        chunk_after([&](ChunkClaims& c) { c.dictionary_page_offset = offset; });
    EXPECT_FALSE(chunk.dictionary_page_offset.has_value()) << offset;
    EXPECT_EQ(chunk.first_page_offset(), chunk.data_page_offset);
  }
  expect_corrupt([](ChunkClaims& c) { c.dictionary_page_offset = -4; },
                 "dictionary_page_offset is -4");
}

TEST(ColumnChunk, TheIndexPageOffsetIsNotLookedAt) {
  EXPECT_EQ(chunk_after([](ChunkClaims& c) { c.index_page_offset = -1; }).num_values, 3);
}

TEST(ColumnChunk, NegativeNumbersAreCorrupt) {
  expect_corrupt([](ChunkClaims& c) { c.num_values = -1; }, "num_values is -1");
  expect_corrupt([](ChunkClaims& c) { c.compressed_bytes = -1; }, "total_compressed_size is -1");
  expect_corrupt([](ChunkClaims& c) { c.uncompressed_bytes = -1; },
                 "total_uncompressed_size is -1");
  expect_corrupt([](ChunkClaims& c) { c.data_page_offset = -1; }, "data_page_offset is -1");
}

TEST(ColumnChunk, PagesLieInsideTheFile) {
  expect_corrupt([](ChunkClaims& c) { c.data_page_offset = kFileSize + 1; },
                 "behind the file's end");
  expect_corrupt([](ChunkClaims& c) { c.data_page_offset = INT64_MAX; }, "behind the file's end");
  expect_corrupt([](ChunkClaims& c) { c.compressed_bytes = kFileSize; }, "behind the file's end");
  expect_corrupt([](ChunkClaims& c) { c.compressed_bytes = INT64_MAX; }, "behind the file's end");
  EXPECT_EQ(
      chunk_after([](ChunkClaims& c) { c.compressed_bytes = kFileSize - 4; }).compressed_bytes,
      kFileSize - 4);
}

TEST(ColumnChunk, PagesInAnotherFileMayLieAnywhere) {
  const ChunkMetadata chunk = chunk_after([](ChunkClaims& c) {
    c.file_path = "other.parquet";
    c.data_page_offset = kFileSize * 2;
  });
  EXPECT_EQ(chunk.file_path, "other.parquet");
}

TEST(ColumnChunk, IndexesAndFiltersOutsideTheFileAreAbsent) {
  const ChunkMetadata chunk = chunk_after([](ChunkClaims& c) {
    c.column_index_offset = kFileSize - 10;
    c.column_index_length = 11;
    c.offset_index_offset = -1;
    c.offset_index_length = 5;
    c.bloom_filter_offset = 10;
    c.bloom_filter_length = -5;
  });
  EXPECT_FALSE(chunk.column_index_offset.has_value());
  EXPECT_EQ(chunk.column_index_length, 0);
  EXPECT_FALSE(chunk.offset_index_offset.has_value());
  EXPECT_FALSE(chunk.bloom_filter_offset.has_value());
  EXPECT_EQ(chunk.bloom_filter_length, 0);
}

TEST(ColumnChunk, TypeAndPathAreTheSchemas) {
  expect_corrupt([](ChunkClaims& c) { c.type = PhysicalType::kInt64; },
                 "type is 2, in the schema 1");
  expect_corrupt([](ChunkClaims& c) { c.path = {{"b"}}; }, "part 0 of path_in_schema is 'b'");
  expect_corrupt([](ChunkClaims& c) { c.path = {{"a", "a"}}; }, "part 1 of path_in_schema is 'a'");
  // A path that is not there says nothing.
  EXPECT_EQ(chunk_after([](ChunkClaims& c) { c.path.reset(); }).path,
            std::vector<std::string>{"a"});
  EXPECT_EQ(chunk_after([](ChunkClaims& c) { c.path.emplace(); }).path,
            std::vector<std::string>{"a"});
}

TEST(ColumnChunk, MissingFieldsAreCorrupt) {
  expect_corrupt([](ChunkClaims& c) { c.has_metadata = false; }, "meta_data");
  expect_corrupt([](ChunkClaims& c) { c.type.reset(); }, "type");
  expect_corrupt([](ChunkClaims& c) { c.codec.reset(); }, "codec");
  expect_corrupt([](ChunkClaims& c) { c.num_values.reset(); }, "num_values");
  expect_corrupt([](ChunkClaims& c) { c.uncompressed_bytes.reset(); }, "total_uncompressed_size");
  expect_corrupt([](ChunkClaims& c) { c.compressed_bytes.reset(); }, "total_compressed_size");
  expect_corrupt([](ChunkClaims& c) { c.data_page_offset.reset(); }, "data_page_offset");
}

TEST(ColumnChunk, UnknownCodecsAreNamed) {
  const Error error =
      error_after([](ChunkClaims& c) { c.codec = static_cast<CompressionCodec>(8); });
  EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
  EXPECT_NE(std::string(error.what()).find("codec is 8"), std::string::npos) << error.what();
}

TEST(ColumnChunk, UnknownEncodingsAreLeftOut) {
  const ChunkMetadata chunk = chunk_after([](ChunkClaims& c) {
    c.encodings = {
        {static_cast<EncodingId>(99), EncodingId::kRle, EncodingId::kRle, EncodingId::kAlp}};
  });
  EXPECT_EQ(chunk.encodings, (std::vector<EncodingId>{EncodingId::kRle, EncodingId::kAlp}));
}

TEST(ColumnChunk, WrongCountsInStatisticsAreAbsent) {
  const ChunkMetadata chunk = chunk_after([](ChunkClaims& c) {
    c.statistics.emplace();
    c.statistics->null_count = -1;
    c.statistics->distinct_count = INT64_MIN;
  });
  EXPECT_TRUE(chunk.has_statistics);
  EXPECT_FALSE(chunk.statistics.null_count.has_value());
  EXPECT_FALSE(chunk.statistics.distinct_count.has_value());
}

TEST(ColumnChunk, EncryptedColumnsSaySo) {
  EXPECT_TRUE(chunk_after([](ChunkClaims& c) { c.has_crypto_metadata = true; }).encrypted);
  const Error error = error_after([](ChunkClaims& c) {
    c.has_crypto_metadata = true;
    c.has_metadata = false;
  });
  EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
  EXPECT_NE(std::string(error.what()).find("encrypted"), std::string::npos);
}

TEST(ColumnChunk, OrdersThatAreNotKnown) {
  const auto unknown_order = [](std::vector<int16_t> orders) {
    const Bytes footer = FileBuilder()
                             .column("a", PhysicalType::kInt32)
                             .column("b", PhysicalType::kInt32)
                             .row_group(0)
                             .chunk()
                             .chunk()
                             .lie([&](FooterClaims& f) { f.column_orders = std::move(orders); })
                             .build_footer();
    const Footer parsed = Footer::parse(Context(), buffer_of(footer), kFileSize);
    return std::pair(parsed.chunk(0, 0).statistics.unknown_order,
                     parsed.chunk(0, 1).statistics.unknown_order);
  };
  EXPECT_EQ(unknown_order({1, 1}), std::pair(false, false));
  EXPECT_EQ(unknown_order({1, 9}), std::pair(false, true));
  EXPECT_EQ(unknown_order({3, 2}), std::pair(true, false));
  EXPECT_EQ(unknown_order({9}), std::pair(false, false));  // of no use: not one for each column
}

TEST(ColumnChunk, ChunksOutsideAreInvalidArguments) {
  const Bytes footer =
      FileBuilder().column("a", PhysicalType::kInt32).row_group(0).chunk().build_footer();
  const Footer parsed = Footer::parse(Context(), buffer_of(footer), kFileSize);
  for (const auto& [row_group, column] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
    EXPECT_EQ(error_of([&] { parsed.chunk(row_group, column); }).code(),
              ErrorCode::kInvalidArgument);
  }
}

// Files from before bloom filters have a list under the id of the filter's length.
TEST(ColumnChunk, OldMeaningsOfTheBloomFiltersFields) {
  testing::ThriftWriter w;
  w.i32(1, 1).list(2, thrift::WireType::kStruct, 2);
  w.element_structure([&] { w.binary(4, "root").i32(5, 1); });
  w.element_structure([&] { w.i32(1, 1).i32(3, 0).binary(4, "a"); });
  w.i64(3, 1).list(4, thrift::WireType::kStruct, 1).element_structure([&] {
    w.list(1, thrift::WireType::kStruct, 1).element_structure([&] {
      w.structure(3, [&] {
        w.i32(1, 1).i32(4, 0).i64(5, 1).i64(6, 10).i64(7, 10).i64(9, 4);
        w.list(14, thrift::WireType::kI32, 1).element_i32(3);
        w.list(15, thrift::WireType::kI32, 1).element_i32(3);
      });
    });
    w.i64(2, 10).i64(3, 1);
  });
  w.stop();
  const ChunkMetadata chunk = Footer::parse(Context(), buffer_of(w.bytes()), kFileSize).chunk(0, 0);
  EXPECT_FALSE(chunk.bloom_filter_offset.has_value());
  EXPECT_EQ(chunk.num_values, 1);
}

}  // namespace
}  // namespace colonnade::parquet
