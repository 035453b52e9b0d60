// What a footer and page headers say, as plain structs in which every field may be wrong or
// missing, and the bytes that say it. Field ids are those of parquet.thrift.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parquet/format/metadata.h"
#include "parquet/format/page_header.h"
#include "parquet/testing/thrift_writer.h"

namespace colonnade::parquet::testing {

struct ChunkClaims {
  std::optional<std::string> file_path;
  std::optional<int64_t> file_offset = 0;
  bool has_metadata = true;
  std::optional<PhysicalType> type;
  std::optional<std::vector<EncodingId>> encodings;
  std::optional<std::vector<std::string>> path;
  std::optional<CompressionCodec> codec;
  std::optional<int64_t> num_values;
  std::optional<int64_t> uncompressed_bytes;
  std::optional<int64_t> compressed_bytes;
  std::optional<int64_t> data_page_offset;
  std::optional<int64_t> index_page_offset;
  std::optional<int64_t> dictionary_page_offset;
  std::optional<Statistics> statistics;
  std::optional<int64_t> offset_index_offset, column_index_offset, bloom_filter_offset;
  std::optional<int32_t> offset_index_length, column_index_length, bloom_filter_length;
  bool has_crypto_metadata = false;
};

struct RowGroupClaims {
  std::vector<ChunkClaims> chunks;
  std::optional<int64_t> total_byte_size;
  std::optional<int64_t> num_rows;
  std::optional<int64_t> file_offset;
  std::optional<int64_t> total_compressed_size;
  std::optional<int16_t> ordinal;
};

struct FooterClaims {
  std::optional<int32_t> version = 2;
  std::vector<SchemaElement> schema;  // depth first, root included
  std::optional<int64_t> num_rows;
  std::vector<RowGroupClaims> row_groups;
  // The value may be missing.
  std::vector<std::pair<std::string, std::optional<std::string>>> key_values;
  std::optional<std::string> created_by;
  std::optional<std::vector<int16_t>> column_orders;  // the union's field ids
  bool has_encryption_algorithm = false;
};

// The members of a page's header by kind of page.
struct V1HeaderClaims {
  std::optional<int32_t> num_values;
  std::optional<EncodingId> encoding = EncodingId::kPlain;
  std::optional<EncodingId> definition_encoding = EncodingId::kRle;
  std::optional<EncodingId> repetition_encoding = EncodingId::kRle;
  std::optional<Statistics> statistics;
};

struct DictionaryHeaderClaims {
  std::optional<int32_t> num_values;
  std::optional<EncodingId> encoding = EncodingId::kPlain;
  std::optional<bool> is_sorted;
};

struct V2HeaderClaims {
  std::optional<int32_t> num_values;
  std::optional<int32_t> num_nulls = 0;
  std::optional<int32_t> num_rows;
  std::optional<EncodingId> encoding = EncodingId::kPlain;
  std::optional<int32_t> definition_bytes = 0;
  std::optional<int32_t> repetition_bytes = 0;
  std::optional<bool> is_compressed;
  std::optional<Statistics> statistics;
};

// The members that are present are written, whatever `type` says.
struct PageHeaderClaims {
  std::optional<PageType> type;
  std::optional<int32_t> uncompressed_bytes;
  std::optional<int32_t> compressed_bytes;
  std::optional<uint32_t> crc;
  std::optional<V1HeaderClaims> v1;
  std::optional<DictionaryHeaderClaims> dictionary;
  std::optional<V2HeaderClaims> v2;
  bool index = false;
};

Bytes footer_bytes(const FooterClaims& claims);
Bytes page_header_bytes(const PageHeaderClaims& claims);
// The fields of one struct without its stop byte, for footers put together by hand.
void write_schema_element(ThriftWriter& w, const SchemaElement& element);
void write_chunk(ThriftWriter& w, const ChunkClaims& chunk);
void write_row_group(ThriftWriter& w, const RowGroupClaims& row_group);
void write_statistics(ThriftWriter& w, const Statistics& statistics);

// Schema elements in a line each.
SchemaElement root(int32_t num_children, std::string name = "schema");
SchemaElement leaf(std::string name, PhysicalType type,
                   Repetition repetition = Repetition::kRequired, LogicalType logical_type = {},
                   int32_t type_length = 0);
SchemaElement group(std::string name, int32_t num_children,
                    Repetition repetition = Repetition::kRequired, LogicalType logical_type = {});

}  // namespace colonnade::parquet::testing
