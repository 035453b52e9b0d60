#include "parquet/format/page_header.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "parquet/testing/error_of.h"
#include "parquet/testing/file_claims.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::error_of;
using testing::page_header_bytes;
using testing::PageHeaderClaims;
using testing::ThriftWriter;

PageHeaderClaims claims_of(PageType type) {
  PageHeaderClaims claims;
  claims.type = type;
  claims.uncompressed_bytes = 1000;
  claims.compressed_bytes = 300;
  return claims;
}

PageHeaderClaims v1_claims() {
  PageHeaderClaims claims = claims_of(PageType::kDataPage);
  claims.v1.emplace();
  claims.v1->num_values = 77;
  claims.v1->encoding = EncodingId::kRleDictionary;
  claims.v1->definition_encoding = EncodingId::kBitPacked;
  return claims;
}

PageHeaderClaims v2_claims() {
  PageHeaderClaims claims = claims_of(PageType::kDataPageV2);
  claims.v2.emplace();
  claims.v2->num_values = 77;
  claims.v2->num_nulls = 7;
  claims.v2->num_rows = 70;
  claims.v2->encoding = EncodingId::kDeltaByteArray;
  claims.v2->definition_bytes = 11;
  claims.v2->repetition_bytes = 12;
  return claims;
}

PageHeaderClaims dictionary_claims() {
  PageHeaderClaims claims = claims_of(PageType::kDictionaryPage);
  claims.dictionary.emplace();
  claims.dictionary->num_values = 5;
  return claims;
}

PageHeader parsed(const PageHeaderClaims& claims) {
  const Bytes bytes = page_header_bytes(claims);
  const std::optional<PageHeader::Parsed> result = PageHeader::parse(bytes);
  EXPECT_TRUE(result.has_value());
  EXPECT_EQ(result->header_bytes, static_cast<int64_t>(bytes.size()));
  return result->header;
}

ErrorCode code_of(const PageHeaderClaims& claims) {
  return error_of([&] { PageHeader::parse(page_header_bytes(claims)); }).code();
}

TEST(PageHeader, ExactBytesOfAV1Page) {
  // type 0, uncompressed 16, compressed 18, crc -1, {values 3, PLAIN, RLE, RLE}
  const Bytes bytes = {0x15, 0x00, 0x15, 0x20, 0x15, 0x24, 0x15, 0x01, 0x1c, 0x15, 0x06,
                       0x15, 0x00, 0x15, 0x06, 0x15, 0x06, 0x00, 0x00, 0xde, 0xad};
  const std::optional<PageHeader::Parsed> result = PageHeader::parse(bytes);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->header_bytes, 19);
  EXPECT_EQ(result->header.type, PageType::kDataPage);
  EXPECT_EQ(result->header.uncompressed_bytes, 16);
  EXPECT_EQ(result->header.compressed_bytes, 18);
  EXPECT_EQ(result->header.crc, 0xffffffffu);
  EXPECT_EQ(result->header.num_values, 3);
  EXPECT_EQ(result->header.encoding, EncodingId::kPlain);
  EXPECT_EQ(result->header.definition_encoding, EncodingId::kRle);
}

TEST(PageHeader, V1) {
  const PageHeader header = parsed(v1_claims());
  EXPECT_EQ(header.type, PageType::kDataPage);
  EXPECT_EQ(header.uncompressed_bytes, 1000);
  EXPECT_EQ(header.compressed_bytes, 300);
  EXPECT_FALSE(header.crc.has_value());
  EXPECT_EQ(header.num_values, 77);
  EXPECT_EQ(header.encoding, EncodingId::kRleDictionary);
  EXPECT_EQ(header.definition_encoding, EncodingId::kBitPacked);
  EXPECT_EQ(header.repetition_encoding, EncodingId::kRle);
}

TEST(PageHeader, V2) {
  PageHeaderClaims claims = v2_claims();
  const PageHeader header = parsed(claims);
  EXPECT_EQ(header.type, PageType::kDataPageV2);
  EXPECT_EQ(header.num_values, 77);
  EXPECT_EQ(header.num_nulls, 7);
  EXPECT_EQ(header.num_rows, 70);
  EXPECT_EQ(header.encoding, EncodingId::kDeltaByteArray);
  EXPECT_EQ(header.definition_bytes, 11);
  EXPECT_EQ(header.repetition_bytes, 12);
  EXPECT_TRUE(header.is_compressed);  // where absent
  claims.v2->is_compressed = false;
  EXPECT_FALSE(parsed(claims).is_compressed);
}

TEST(PageHeader, DictionaryAndIndexPages) {
  PageHeaderClaims claims = dictionary_claims();
  claims.dictionary->encoding = EncodingId::kPlainDictionary;
  claims.dictionary->is_sorted = true;
  const PageHeader header = parsed(claims);
  EXPECT_EQ(header.type, PageType::kDictionaryPage);
  EXPECT_EQ(header.num_values, 5);
  EXPECT_EQ(header.encoding, EncodingId::kPlainDictionary);
  EXPECT_TRUE(header.is_sorted);

  PageHeaderClaims index = claims_of(PageType::kIndexPage);
  index.index = true;
  EXPECT_EQ(parsed(index).type, PageType::kIndexPage);
}

TEST(PageHeader, OnlyTheMemberOfItsTypeCounts) {
  PageHeaderClaims claims = v1_claims();
  claims.dictionary.emplace();
  claims.dictionary->num_values = -1;
  claims.v2.emplace();
  EXPECT_EQ(parsed(claims).num_values, 77);
  claims.type = PageType::kDictionaryPage;
  EXPECT_EQ(code_of(claims), ErrorCode::kCorruptData);
}

TEST(PageHeader, AsksForMoreAtEveryCut) {
  PageHeaderClaims with_statistics = v1_claims();
  with_statistics.v1->statistics.emplace();
  with_statistics.v1->statistics->max_value = std::string(200, 'z');
  for (const PageHeaderClaims& claims : {with_statistics, v2_claims(), dictionary_claims()}) {
    const Bytes bytes = page_header_bytes(claims);
    for (size_t size = 0; size < bytes.size(); ++size) {
      const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_FALSE(PageHeader::parse(cut).has_value()) << size;
    }
    EXPECT_TRUE(PageHeader::parse(bytes).has_value());
  }
}

TEST(PageHeader, NegativeNumbersAreCorrupt) {
  for (auto* change : {+[](PageHeaderClaims& c) { c.uncompressed_bytes = -1; },
                       +[](PageHeaderClaims& c) { c.compressed_bytes = -5; },
                       +[](PageHeaderClaims& c) { c.v2->num_values = -1; },
                       +[](PageHeaderClaims& c) { c.v2->num_nulls = -1; },
                       +[](PageHeaderClaims& c) { c.v2->num_rows = -1; },
                       +[](PageHeaderClaims& c) { c.v2->definition_bytes = -1; },
                       +[](PageHeaderClaims& c) { c.v2->repetition_bytes = -1; },
                       +[](PageHeaderClaims& c) { c.v2->num_nulls = 78; }}) {
    PageHeaderClaims claims = v2_claims();
    change(claims);
    EXPECT_EQ(code_of(claims), ErrorCode::kCorruptData);
  }
  PageHeaderClaims v1 = v1_claims();
  v1.v1->num_values = -2;
  EXPECT_EQ(code_of(v1), ErrorCode::kCorruptData);
  PageHeaderClaims dictionary = dictionary_claims();
  dictionary.dictionary->num_values = -2;
  EXPECT_EQ(code_of(dictionary), ErrorCode::kCorruptData);
}

TEST(PageHeader, MissingFieldsAreCorrupt) {
  for (auto* change : {+[](PageHeaderClaims& c) { c.type.reset(); },
                       +[](PageHeaderClaims& c) { c.uncompressed_bytes.reset(); },
                       +[](PageHeaderClaims& c) { c.compressed_bytes.reset(); },
                       +[](PageHeaderClaims& c) { c.v2.reset(); },
                       +[](PageHeaderClaims& c) { c.v2->num_values.reset(); },
                       +[](PageHeaderClaims& c) { c.v2->num_nulls.reset(); },
                       +[](PageHeaderClaims& c) { c.v2->num_rows.reset(); },
                       +[](PageHeaderClaims& c) { c.v2->encoding.reset(); },
                       +[](PageHeaderClaims& c) { c.v2->definition_bytes.reset(); },
                       +[](PageHeaderClaims& c) { c.v2->repetition_bytes.reset(); }}) {
    PageHeaderClaims claims = v2_claims();
    change(claims);
    EXPECT_EQ(code_of(claims), ErrorCode::kCorruptData);
  }
  for (auto* change : {+[](PageHeaderClaims& c) { c.v1.reset(); },
                       +[](PageHeaderClaims& c) { c.v1->num_values.reset(); },
                       +[](PageHeaderClaims& c) { c.v1->encoding.reset(); },
                       +[](PageHeaderClaims& c) { c.v1->definition_encoding.reset(); },
                       +[](PageHeaderClaims& c) { c.v1->repetition_encoding.reset(); }}) {
    PageHeaderClaims claims = v1_claims();
    change(claims);
    EXPECT_EQ(code_of(claims), ErrorCode::kCorruptData);
  }
}

TEST(PageHeader, UnknownEncodingsAndTypesAreNamed) {
  for (const int number : {1, 11, 17, 255}) {
    PageHeaderClaims claims = v1_claims();
    claims.v1->encoding = static_cast<EncodingId>(number);
    const Error error = error_of([&] { PageHeader::parse(page_header_bytes(claims)); });
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
    EXPECT_NE(std::string(error.what()).find("encoding is " + std::to_string(number)),
              std::string::npos);
  }
  const Error error =
      error_of([&] { PageHeader::parse(page_header_bytes(claims_of(static_cast<PageType>(4)))); });
  EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
  EXPECT_NE(std::string(error.what()).find("type is 4"), std::string::npos);
}

TEST(PageHeader, UnknownFieldsArePassedOver) {
  ThriftWriter w;
  w.i32(1, 2).i32(2, 10).i32(3, 20);
  w.structure(7, [&] { w.i32(1, 4).i32(2, 0).binary(40, "new"); });
  w.structure(90, [&] { w.i64(1, 1); }).stop();
  const std::optional<PageHeader::Parsed> result = PageHeader::parse(w.bytes());
  ASSERT_TRUE(result);
  EXPECT_EQ(result->header.num_values, 4);
  EXPECT_EQ(result->header.compressed_bytes, 20);
}

TEST(PageHeader, RandomBytesNeverCrash) {
  uint64_t state = 88172645463325252u;
  const Bytes base = page_header_bytes(v2_claims());
  int64_t num_parsed = 0;
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = base;
    for (int change = 0; change < 2; ++change) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      bytes[state % bytes.size()] = static_cast<uint8_t>(state >> 32);
    }
    try {
      if (const auto result = PageHeader::parse(bytes)) {
        EXPECT_LE(result->header_bytes, static_cast<int64_t>(bytes.size()));
        EXPECT_GE(result->header.num_values, 0);
        EXPECT_GE(result->header.compressed_bytes, 0);
        ++num_parsed;
      }
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == ErrorCode::kCorruptData ||
                  error.code() == ErrorCode::kNotSupported);
    }
  }
  EXPECT_GT(num_parsed, 0);
}

}  // namespace
}  // namespace colonnade::parquet
