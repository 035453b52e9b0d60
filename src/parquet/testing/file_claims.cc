#include "parquet/testing/file_claims.h"

namespace colonnade::parquet::testing {

using thrift::WireType;

namespace {

void i32(ThriftWriter& w, int16_t id, const std::optional<int32_t>& value) {
  if (value) w.i32(id, *value);
}
void i64(ThriftWriter& w, int16_t id, const std::optional<int64_t>& value) {
  if (value) w.i64(id, *value);
}
void binary(ThriftWriter& w, int16_t id, const std::optional<std::string>& value) {
  if (value) w.binary(id, *value);
}
void boolean(ThriftWriter& w, int16_t id, const std::optional<bool>& value) {
  if (value) w.boolean(id, *value);
}
template <typename Enum>
void number(ThriftWriter& w, int16_t id, const std::optional<Enum>& value) {
  if (value) w.i32(id, static_cast<int32_t>(*value));
}

void write_unit(ThriftWriter& w, const LogicalType& type) {
  w.boolean(1, type.adjusted_to_utc);
  w.structure(2, [&] {
    const int16_t id = type.unit == TimeUnit::kMilli ? 1 : type.unit == TimeUnit::kMicro ? 2 : 3;
    w.structure(id, [] {});
  });
}

void write_logical_type(ThriftWriter& w, const LogicalType& type) {
  using Kind = LogicalType::Kind;
  w.structure(static_cast<int16_t>(type.kind), [&] {
    if (type.kind == Kind::kDecimal) w.i32(1, type.scale).i32(2, type.precision);
    if (type.kind == Kind::kTime || type.kind == Kind::kTimestamp) write_unit(w, type);
    if (type.kind == Kind::kInteger) {
      w.i8(1, static_cast<int8_t>(type.bit_width)).boolean(2, type.is_signed);
    }
  });
}

void write_column_metadata(ThriftWriter& w, const ChunkClaims& chunk) {
  number(w, 1, chunk.type);
  if (chunk.encodings) {
    w.list(2, WireType::kI32, static_cast<int64_t>(chunk.encodings->size()));
    for (const EncodingId id : *chunk.encodings) w.element_i32(static_cast<int32_t>(id));
  }
  if (chunk.path) {
    w.list(3, WireType::kBinary, static_cast<int64_t>(chunk.path->size()));
    for (const std::string& part : *chunk.path) w.element_binary(part);
  }
  number(w, 4, chunk.codec);
  i64(w, 5, chunk.num_values);
  i64(w, 6, chunk.uncompressed_bytes);
  i64(w, 7, chunk.compressed_bytes);
  i64(w, 9, chunk.data_page_offset);
  i64(w, 10, chunk.index_page_offset);
  i64(w, 11, chunk.dictionary_page_offset);
  if (chunk.statistics) w.structure(12, [&] { write_statistics(w, *chunk.statistics); });
  i64(w, 14, chunk.bloom_filter_offset);
  i32(w, 15, chunk.bloom_filter_length);
}

}  // namespace

void write_statistics(ThriftWriter& w, const Statistics& statistics) {
  binary(w, 1, statistics.max);
  binary(w, 2, statistics.min);
  i64(w, 3, statistics.null_count);
  i64(w, 4, statistics.distinct_count);
  binary(w, 5, statistics.max_value);
  binary(w, 6, statistics.min_value);
  boolean(w, 7, statistics.is_max_exact);
  boolean(w, 8, statistics.is_min_exact);
}

void write_schema_element(ThriftWriter& w, const SchemaElement& element) {
  number(w, 1, element.type);
  if (element.type_length != 0) w.i32(2, element.type_length);
  number(w, 3, element.repetition);
  w.binary(4, element.name);
  if (element.num_children != 0) w.i32(5, element.num_children);
  number(w, 6, element.converted_type);
  if (element.converted_type == ConvertedType::kDecimal)
    w.i32(7, element.scale).i32(8, element.precision);
  i32(w, 9, element.field_id);
  if (element.logical_type.kind != LogicalType::Kind::kNone) {
    w.structure(10, [&] { write_logical_type(w, element.logical_type); });
  }
}

void write_chunk(ThriftWriter& w, const ChunkClaims& chunk) {
  binary(w, 1, chunk.file_path);
  i64(w, 2, chunk.file_offset);
  if (chunk.has_metadata) w.structure(3, [&] { write_column_metadata(w, chunk); });
  i64(w, 4, chunk.offset_index_offset);
  i32(w, 5, chunk.offset_index_length);
  i64(w, 6, chunk.column_index_offset);
  i32(w, 7, chunk.column_index_length);
  if (chunk.has_crypto_metadata) w.structure(8, [&] { w.structure(1, [] {}); });
}

void write_row_group(ThriftWriter& w, const RowGroupClaims& row_group) {
  w.list(1, WireType::kStruct, static_cast<int64_t>(row_group.chunks.size()));
  for (const ChunkClaims& chunk : row_group.chunks) {
    w.element_structure([&] { write_chunk(w, chunk); });
  }
  i64(w, 2, row_group.total_byte_size);
  i64(w, 3, row_group.num_rows);
  i64(w, 5, row_group.file_offset);
  i64(w, 6, row_group.total_compressed_size);
  if (row_group.ordinal) w.i16(7, *row_group.ordinal);
}

Bytes footer_bytes(const FooterClaims& claims) {
  ThriftWriter w;
  i32(w, 1, claims.version);
  w.list(2, WireType::kStruct, static_cast<int64_t>(claims.schema.size()));
  for (const SchemaElement& element : claims.schema) {
    w.element_structure([&] { write_schema_element(w, element); });
  }
  i64(w, 3, claims.num_rows);
  w.list(4, WireType::kStruct, static_cast<int64_t>(claims.row_groups.size()));
  for (const RowGroupClaims& row_group : claims.row_groups) {
    w.element_structure([&] { write_row_group(w, row_group); });
  }
  if (!claims.key_values.empty()) {
    w.list(5, WireType::kStruct, static_cast<int64_t>(claims.key_values.size()));
    for (const auto& [key, value] : claims.key_values) {
      w.element_structure([&] {
        w.binary(1, key);
        binary(w, 2, value);
      });
    }
  }
  binary(w, 6, claims.created_by);
  if (claims.column_orders) {
    w.list(7, WireType::kStruct, static_cast<int64_t>(claims.column_orders->size()));
    for (const int16_t order : *claims.column_orders) {
      w.element_structure([&] { w.structure(order, [] {}); });
    }
  }
  if (claims.has_encryption_algorithm) {
    w.structure(8, [&] { w.structure(1, [&] { w.binary(2, "file id"); }); });
  }
  w.stop();
  return w.bytes();
}

Bytes page_header_bytes(const PageHeaderClaims& claims) {
  ThriftWriter w;
  number(w, 1, claims.type);
  i32(w, 2, claims.uncompressed_bytes);
  i32(w, 3, claims.compressed_bytes);
  if (claims.crc) w.i32(4, static_cast<int32_t>(*claims.crc));
  if (claims.v1) {
    w.structure(5, [&] {
      i32(w, 1, claims.v1->num_values);
      number(w, 2, claims.v1->encoding);
      number(w, 3, claims.v1->definition_encoding);
      number(w, 4, claims.v1->repetition_encoding);
      if (claims.v1->statistics)
        w.structure(5, [&] { write_statistics(w, *claims.v1->statistics); });
    });
  }
  if (claims.index) w.structure(6, [] {});
  if (claims.dictionary) {
    w.structure(7, [&] {
      i32(w, 1, claims.dictionary->num_values);
      number(w, 2, claims.dictionary->encoding);
      boolean(w, 3, claims.dictionary->is_sorted);
    });
  }
  if (claims.v2) {
    w.structure(8, [&] {
      i32(w, 1, claims.v2->num_values);
      i32(w, 2, claims.v2->num_nulls);
      i32(w, 3, claims.v2->num_rows);
      number(w, 4, claims.v2->encoding);
      i32(w, 5, claims.v2->definition_bytes);
      i32(w, 6, claims.v2->repetition_bytes);
      boolean(w, 7, claims.v2->is_compressed);
      if (claims.v2->statistics)
        w.structure(8, [&] { write_statistics(w, *claims.v2->statistics); });
    });
  }
  w.stop();
  return w.bytes();
}

SchemaElement root(int32_t num_children, std::string name) {
  SchemaElement element;
  element.name = std::move(name);
  element.num_children = num_children;
  return element;
}

SchemaElement leaf(std::string name, PhysicalType type, Repetition repetition,
                   LogicalType logical_type, int32_t type_length) {
  SchemaElement element;
  element.name = std::move(name);
  element.type = type;
  element.type_length = type_length;
  element.repetition = repetition;
  element.logical_type = logical_type;
  return element;
}

SchemaElement group(std::string name, int32_t num_children, Repetition repetition,
                    LogicalType logical_type) {
  SchemaElement element;
  element.name = std::move(name);
  element.num_children = num_children;
  element.repetition = repetition;
  element.logical_type = logical_type;
  return element;
}

}  // namespace colonnade::parquet::testing
