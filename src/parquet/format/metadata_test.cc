#include "parquet/format/metadata.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "parquet/testing/error_of.h"
#include "parquet/testing/file_builder.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::error_of;
using testing::FileBuilder;
using testing::FooterClaims;
using testing::group;
using testing::leaf;
using testing::plain_int32;
using thrift::WireType;

Buffer buffer_of(const Bytes& bytes) {
  auto owner = std::make_shared<Bytes>(bytes);
  return Buffer::wrap(owner->data(), static_cast<int64_t>(owner->size()), owner);
}

Footer parse(const Bytes& footer, int64_t file_size = 1 << 20) {
  return Footer::parse(Context(), buffer_of(footer), file_size);
}

// Two columns, two row groups of 3 and 2 rows.
FileBuilder two_by_two() {
  FileBuilder builder;
  builder.column("a", PhysicalType::kInt32)
      .column("b", PhysicalType::kInt64, Repetition::kOptional);
  for (const int32_t rows : {3, 2}) {
    builder.row_group(rows);
    builder.chunk(CompressionCodec::kSnappy)
        .dictionary_page({.num_values = 2}, plain_int32({1, 2}))
        .page_v1({.num_values = rows, .encoding = EncodingId::kRleDictionary}, Bytes(10));
    builder.chunk().page_v2({.num_values = rows}, Bytes(20));
  }
  return builder.created_by("hand").key_value("k", "v").key_value("empty", std::nullopt);
}

// The error for a footer that was right before `change`.
Error error_after(const std::function<void(FooterClaims&)>& change) {
  const Bytes footer = two_by_two().lie(change).build_footer();
  return error_of([&] { parse(footer); });
}

void expect_corrupt(const Error& error, const std::string& words) {
  EXPECT_EQ(error.code(), ErrorCode::kCorruptData) << error.what();
  EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
}

TEST(Footer, WhatTheFileSays) {
  const Footer footer = parse(two_by_two().build_footer());
  EXPECT_EQ(footer.version(), 2);
  EXPECT_EQ(footer.num_rows(), 5);
  EXPECT_EQ(footer.created_by(), "hand");
  EXPECT_EQ(footer.key_value_metadata(), (std::vector<KeyValue>{{"k", "v"}, {"empty", ""}}));
  ASSERT_EQ(footer.schema().size(), 3u);
  EXPECT_EQ(footer.num_leaves(), 2);
  EXPECT_EQ(footer.leaf_element(1), 2);
  EXPECT_EQ(footer.schema()[2].name, "b");
  EXPECT_EQ(footer.schema()[2].type, PhysicalType::kInt64);
  EXPECT_EQ(footer.schema()[2].repetition, Repetition::kOptional);
  ASSERT_EQ(footer.row_groups().size(), 2u);
  EXPECT_EQ(footer.row_groups()[1].num_rows, 2);
  EXPECT_EQ(footer.row_groups()[1].first_chunk, 2);
  EXPECT_EQ(footer.row_groups()[1].num_chunks, 2);
  EXPECT_EQ(footer.size_bytes(), static_cast<int64_t>(two_by_two().build_footer().size()));
}

TEST(Footer, ExactBytesOfTheSmallestFile) {
  // version 1, schema [{name "r"}], num_rows 0, row_groups []
  const Bytes bytes = {0x15, 0x02, 0x19, 0x1c, 0x48, 0x01, 'r', 0x00, 0x16, 0x00, 0x19, 0x0c, 0x00};
  const Footer footer = parse(bytes);
  EXPECT_EQ(footer.version(), 1);
  EXPECT_EQ(footer.num_leaves(), 0);
  EXPECT_EQ(footer.schema()[0].name, "r");
  EXPECT_EQ(footer.num_rows(), 0);
}

TEST(Footer, RowsWithoutColumns) {
  const Footer footer = parse(FileBuilder().row_group(7).build_footer());
  EXPECT_EQ(footer.num_rows(), 7);
  EXPECT_EQ(footer.num_leaves(), 0);
}

TEST(Footer, FieldsInAnyOrder) {
  testing::ThriftWriter w;
  w.list(4, WireType::kStruct, 1).element_structure([&] {
    w.i64(3, 9).i64(2, 0).list(1, WireType::kStruct, 1).element_structure([&] { w.i64(2, 0); });
  });
  w.i64(3, 9);
  w.list(2, WireType::kStruct, 2).element_structure([&] { w.i32(5, 1).binary(4, "root"); });
  w.element_structure([&] { w.binary(4, "x").i32(3, 0).i32(1, 1); });
  w.i32(1, 1).stop();
  const Footer footer = parse(w.bytes());
  EXPECT_EQ(footer.num_rows(), 9);
  EXPECT_EQ(footer.schema()[1].name, "x");
}

TEST(Footer, BytesBehindTheStructAreLetBe) {
  Bytes footer = two_by_two().build_footer();
  footer.insert(footer.end(), 28, 0xee);  // where a signed footer has its signature
  EXPECT_EQ(parse(footer).num_rows(), 5);
}

TEST(Footer, RowCountsMustAgree) {
  expect_corrupt(error_after([](FooterClaims& f) { f.num_rows = 4; }), "other rows than the file");
  expect_corrupt(error_after([](FooterClaims& f) { f.num_rows = 6; }),
                 "5 in the row groups, 6 in the file");
  expect_corrupt(error_after([](FooterClaims& f) { f.num_rows = -1; }), "negative number of rows");
  expect_corrupt(error_after([](FooterClaims& f) { f.row_groups[1].num_rows = -2; }),
                 "row group 1");
  expect_corrupt(error_after([](FooterClaims& f) {
                   f.row_groups[0].num_rows = INT64_MAX;
                   f.row_groups[1].num_rows = INT64_MAX;
                 }),
                 "more rows than a 64-bit number counts");
}

TEST(Footer, AFileRowCountOfZeroSaysNothing) {
  const Bytes footer = two_by_two().lie([](FooterClaims& f) { f.num_rows = 0; }).build_footer();
  EXPECT_EQ(parse(footer).num_rows(), 5);
}

TEST(Footer, EachRowGroupHasAChunkForEachLeaf) {
  const Error error = error_after([](FooterClaims& f) { f.row_groups[1].chunks.pop_back(); });
  expect_corrupt(error, "1 column chunks, 2 columns");
  EXPECT_EQ(error.place().row_group, 1);
  expect_corrupt(error_after([](FooterClaims& f) { f.row_groups[0].chunks.emplace_back(); }),
                 "3 column chunks");
}

TEST(Footer, RequiredFieldsAreMissed) {
  expect_corrupt(error_after([](FooterClaims& f) { f.version.reset(); }), "version");
  expect_corrupt(error_after([](FooterClaims& f) { f.num_rows.reset(); }), "num_rows");
  expect_corrupt(error_after([](FooterClaims& f) { f.row_groups[0].num_rows.reset(); }),
                 "num_rows");
  expect_corrupt(error_after([](FooterClaims& f) { f.row_groups[0].total_byte_size.reset(); }),
                 "total_byte_size");
  expect_corrupt(error_of([] { parse({0x00}); }), "required field");
}

TEST(Footer, TheSchemaIsATree) {
  expect_corrupt(error_after([](FooterClaims& f) { f.schema.clear(); }), "no root");
  expect_corrupt(error_after([](FooterClaims& f) { f.schema[0].num_children = 3; }),
                 "3 children, 2 elements follow");
  expect_corrupt(error_after([](FooterClaims& f) { f.schema[0].num_children = 1; }),
                 "outside of its root");
  expect_corrupt(error_after([](FooterClaims& f) { f.schema[0].num_children = -1; }),
                 "impossible number");
  expect_corrupt(error_after([](FooterClaims& f) { f.schema[0].num_children = INT32_MAX; }),
                 "impossible number");
  expect_corrupt(error_after([](FooterClaims& f) { f.schema[0].type = PhysicalType::kInt32; }),
                 "root is a column");
  expect_corrupt(error_after([](FooterClaims& f) {
                   f.schema[2].num_children = 0, f.schema[1].num_children = 1;
                 }),
                 "column with children");
  expect_corrupt(error_after([](FooterClaims& f) { f.schema[1].repetition.reset(); }),
                 "without repetition");
  expect_corrupt(error_after([](FooterClaims& f) {
                   f.schema[0].num_children = 2;
                   f.schema[1] = group("g", 1);
                 }),
                 "ends before its last child");
}

TEST(Footer, NestedSchemasAndTheirDepth) {
  const auto chain = [](int32_t depth) {
    FileBuilder builder;
    for (int32_t i = 0; i < depth; ++i) builder.element(group("g", 1));
    return builder.column("leaf", PhysicalType::kBoolean).build_footer();
  };
  const Footer deep = parse(chain(Footer::kMaxSchemaDepth - 1));
  EXPECT_EQ(deep.num_leaves(), 1);
  EXPECT_EQ(deep.dotted_path(deep.leaf_element(0)).substr(0, 6), "g.g.g.");
  expect_corrupt(error_of([&] { parse(chain(Footer::kMaxSchemaDepth)); }), "nested too deeply");
}

TEST(Footer, TypesThatMakeNoSense) {
  expect_corrupt(
      error_after([](FooterClaims& f) { f.schema[1].type = PhysicalType::kFixedLenByteArray; }),
      "column 'a': type_length is 0");
  expect_corrupt(error_after([](FooterClaims& f) {
                   f.schema[1].type = PhysicalType::kFixedLenByteArray;
                   f.schema[1].type_length = -4;
                 }),
                 "type_length is -4");
  for (const auto& [precision, scale] : {std::pair{0, 0}, {-1, 0}, {5, 6}, {5, -1}}) {
    expect_corrupt(error_after([&](FooterClaims& f) {
                     f.schema[1].logical_type = {.kind = LogicalType::Kind::kDecimal,
                                                 .precision = precision,
                                                 .scale = scale};
                   }),
                   "impossible precision or scale");
    expect_corrupt(error_after([&](FooterClaims& f) {
                     f.schema[1].converted_type = ConvertedType::kDecimal;
                     f.schema[1].precision = precision;
                     f.schema[1].scale = scale;
                   }),
                   "impossible precision or scale");
  }
  expect_corrupt(error_after([](FooterClaims& f) {
                   f.schema[1].logical_type = {.kind = LogicalType::Kind::kInteger,
                                               .bit_width = 24};
                 }),
                 "24 bits");
  expect_corrupt(
      error_after([](FooterClaims& f) { f.schema[1].repetition = static_cast<Repetition>(3); }),
      "repetition_type is 3");
}

TEST(Footer, UnknownPhysicalTypesAreNamed) {
  const Error error =
      error_after([](FooterClaims& f) { f.schema[1].type = static_cast<PhysicalType>(8); });
  EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
  EXPECT_NE(std::string(error.what()).find("column 'a': type 8"), std::string::npos)
      << error.what();
}

TEST(Footer, UnknownLogicalAndConvertedTypesAreNone) {
  const Bytes bytes = two_by_two()
                          .lie([](FooterClaims& f) {
                            f.schema[1].converted_type = static_cast<ConvertedType>(77);
                            f.schema[1].logical_type.kind = static_cast<LogicalType::Kind>(99);
                          })
                          .build_footer();
  const Footer footer = parse(bytes);
  EXPECT_FALSE(footer.schema()[1].converted_type.has_value());
  EXPECT_EQ(footer.schema()[1].logical_type.kind, LogicalType::Kind::kUnrecognised);
}

TEST(Footer, EveryMemberOfASchemaElement) {
  SchemaElement decimal =
      leaf("d", PhysicalType::kFixedLenByteArray, Repetition::kOptional,
           {.kind = LogicalType::Kind::kDecimal, .precision = 20, .scale = 3}, 9);
  decimal.converted_type = ConvertedType::kDecimal;
  decimal.precision = 20;
  decimal.scale = 3;
  decimal.field_id = -7;
  const SchemaElement time = leaf(
      "t", PhysicalType::kInt64, Repetition::kRequired,
      {.kind = LogicalType::Kind::kTimestamp, .unit = TimeUnit::kNano, .adjusted_to_utc = true});
  const SchemaElement integer =
      leaf("i", PhysicalType::kInt32, Repetition::kRequired,
           {.kind = LogicalType::Kind::kInteger, .is_signed = false, .bit_width = 16});
  const Footer footer =
      parse(FileBuilder().element(decimal).element(time).element(integer).build_footer());
  const SchemaElement& d = footer.schema()[1];
  EXPECT_EQ(d.type_length, 9);
  EXPECT_EQ(d.converted_type, ConvertedType::kDecimal);
  EXPECT_EQ(d.precision, 20);
  EXPECT_EQ(d.scale, 3);
  EXPECT_EQ(d.field_id, -7);
  EXPECT_EQ(d.logical_type.kind, LogicalType::Kind::kDecimal);
  EXPECT_EQ(d.logical_type.precision, 20);
  EXPECT_EQ(d.logical_type.scale, 3);
  const LogicalType& t = footer.schema()[2].logical_type;
  EXPECT_EQ(t.kind, LogicalType::Kind::kTimestamp);
  EXPECT_EQ(t.unit, TimeUnit::kNano);
  EXPECT_TRUE(t.adjusted_to_utc);
  const LogicalType& i = footer.schema()[3].logical_type;
  EXPECT_EQ(i.bit_width, 16);
  EXPECT_FALSE(i.is_signed);
}

TEST(Footer, RowGroupSizesThatCannotBeAreAbsent) {
  const Bytes bytes = two_by_two()
                          .lie([](FooterClaims& f) {
                            f.row_groups[0].total_compressed_size = -1;
                            f.row_groups[1].total_compressed_size = int64_t{1} << 40;
                            f.row_groups[1].file_offset = -9;
                          })
                          .build_footer();
  const Footer footer = parse(bytes);
  EXPECT_FALSE(footer.row_groups()[0].total_compressed_size.has_value());
  EXPECT_FALSE(footer.row_groups()[1].total_compressed_size.has_value());
  EXPECT_EQ(footer.row_groups()[1].file_offset, -9);
  expect_corrupt(error_after([](FooterClaims& f) { f.row_groups[0].total_byte_size = -1; }),
                 "total_byte_size -1");
}

}  // namespace
}  // namespace colonnade::parquet
