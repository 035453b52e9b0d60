// Small Parquet files made by hand: the right bytes in a line each, and any lie where a test wants
// one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parquet/format/metadata.h"
#include "parquet/testing/file_claims.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet::testing {

// What the header of a page says; sizes that are not given are those of the payload.
struct V1Options {
  int32_t num_values = 0;  // with nulls
  EncodingId encoding = EncodingId::kPlain;
  std::optional<int32_t> uncompressed_bytes = {};
  std::optional<int32_t> compressed_bytes = {};
  std::optional<uint32_t> crc = {};
  EncodingId definition_encoding = EncodingId::kRle;
  EncodingId repetition_encoding = EncodingId::kRle;
  std::optional<Statistics> statistics = {};
};
struct V2Options {
  int32_t num_values = 0;
  int32_t num_nulls = 0;
  std::optional<int32_t> num_rows = {};  // num_values where not given
  EncodingId encoding = EncodingId::kPlain;
  std::optional<int32_t> uncompressed_bytes = {};  // with levels, as in the file
  std::optional<int32_t> compressed_bytes = {};
  std::optional<int32_t> definition_bytes = {};
  std::optional<int32_t> repetition_bytes = {};
  std::optional<bool> is_compressed = {};
  std::optional<uint32_t> crc = {};
};
struct DictionaryOptions {
  int32_t num_values = 0;
  EncodingId encoding = EncodingId::kPlain;
  std::optional<int32_t> uncompressed_bytes = {};
  std::optional<int32_t> compressed_bytes = {};
  std::optional<bool> is_sorted = {};
};

// Call order: columns; then for each row group row_group(), and in it for each leaf chunk() and the
// chunk's pages; then build(). Payloads are given as they lie in the file (compressed, where codec
// says so).
//
//   Bytes file = FileBuilder()
//       .column("a", PhysicalType::kInt32, Repetition::kOptional)
//       .row_group(3)
//       .chunk()
//       .page_v1({.num_values = 3}, concat({levels_v1({1, 0, 1}, 1), plain_int32({7, 9})}))
//       .build();
class FileBuilder {
 public:
  FileBuilder();

  FileBuilder& column(std::string name, PhysicalType type,
                      Repetition repetition = Repetition::kRequired, LogicalType logical_type = {},
                      int32_t type_length = 0);
  // Any element, depth first; groups bring the number of their children.
  FileBuilder& element(SchemaElement element);

  FileBuilder& row_group(int64_t num_rows);
  // The chunk of the next leaf. Its footer entry gets the codec, the encodings of its pages, sizes,
  // offsets and the number of values as its pages say.
  FileBuilder& chunk(CompressionCodec codec = CompressionCodec::kUncompressed);
  FileBuilder& statistics(Statistics statistics);  // of the chunk

  FileBuilder& page_v1(const V1Options& options, const Bytes& payload);
  // `payload` is what comes behind the levels.
  FileBuilder& page_v2(const V2Options& options, const Bytes& payload,
                       const Bytes& definition_levels = {}, const Bytes& repetition_levels = {});
  FileBuilder& dictionary_page(const DictionaryOptions& options, const Bytes& payload);
  FileBuilder& index_page(const Bytes& payload);
  // Header and payload as they are; `num_values` goes into the chunk's count.
  FileBuilder& raw_page(const Bytes& header, const Bytes& payload, int64_t num_values = 0);

  FileBuilder& key_value(std::string key, std::optional<std::string> value);
  FileBuilder& created_by(std::string text);
  // Changes what the footer says, after everything else, in the order of the calls.
  FileBuilder& lie(std::function<void(FooterClaims&)> change);

  // Bytes so far: where the next page will begin.
  int64_t position() const noexcept { return static_cast<int64_t>(bytes_.size()); }
  // The whole file: magic, pages, footer, its length, magic.
  Bytes build() const;
  // The same, with `footer` in place of ours.
  Bytes build_with_footer(const Bytes& footer) const;
  // The FileMetaData struct alone, as Footer::parse takes it.
  Bytes build_footer() const;
  FooterClaims claims() const;

 private:
  FileBuilder& page(const PageHeaderClaims& header, const Bytes& payload, int64_t num_values);
  ChunkClaims& current_chunk();
  void note_encoding(EncodingId encoding);

  Bytes bytes_;
  FooterClaims claims_;
  std::vector<std::function<void(FooterClaims&)>> lies_;
};

}  // namespace colonnade::parquet::testing
