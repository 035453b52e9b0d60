#include "parquet/file/metadata_json.h"

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"
#include "base/json.h"
#include "parquet/format/statistics_text.h"

namespace colonnade::parquet {

namespace {

const Footer::RowGroup& checked_row_group(const FileReader& reader, int32_t ordinal) {
  const auto& row_groups = reader.footer().row_groups();
  if (ordinal < 0 || static_cast<size_t>(ordinal) >= row_groups.size()) {
    throw no_such_row_group(reader, ordinal);
  }
  return row_groups[static_cast<size_t>(ordinal)];
}

std::string physical_type_text(const Leaf& leaf) {
  std::string text(name(leaf.physical_type));
  if (leaf.physical_type == PhysicalType::kFixedLenByteArray)
    text += fmt::format("({})", leaf.type_length);
  return text;
}

// The field that a leaf belongs to, where the leaf is a field of its own: statistics are text in
// that field's type.
const Field* flat_field(const FileSchema& schema, int32_t leaf) {
  const auto owner = std::partition_point(
      schema.fields.begin(), schema.fields.end(),
      [&](const FileField& field) { return field.first_leaf + field.shape.num_leaves <= leaf; });
  return owner != schema.fields.end() && !owner->field.type.is_nested() ? &owner->field : nullptr;
}

void write_optional(json::Writer& writer, std::string_view key,
                    const std::optional<std::string>& text) {
  if (text) writer.key(key).value(*text);
}

void write_optional(json::Writer& writer, std::string_view key,
                    const std::optional<int64_t>& number) {
  if (number) writer.key(key).value(*number);
}

void write_key_values(json::Writer& writer, const std::vector<KeyValue>& metadata) {
  writer.key("key_value_metadata").begin_array();
  for (const auto& [key, value] : metadata) {
    writer.begin_object().key("key").value(key).key("value").value(value).end_object();
  }
  writer.end_array();
}

void write_fields(json::Writer& writer, const FileReader& reader) {
  writer.key("fields").begin_array();
  for (const FileField& file_field : reader.schema().fields) {
    const Field& field = file_field.field;
    writer.begin_object().key("name").value(field.name).key("type").value(field.type.to_string());
    writer.key("nullable").value(field.nullable).key("readable").value(file_field.refusal.empty());
    if (!file_field.refusal.empty()) writer.key("why_not").value(file_field.refusal);
    writer.end_object();
  }
  writer.end_array();
}

void write_chunk(json::Writer& writer, const ColumnChunkInfo& chunk) {
  writer.begin_object()
      .key("path")
      .value(chunk.path)
      .key("physical_type")
      .value(chunk.physical_type);
  writer.key("codec").value(chunk.codec).key("encodings").begin_array();
  for (const std::string& encoding : chunk.encodings) writer.value(encoding);
  writer.end_array().key("num_values").value(chunk.num_values);
  writer.key("compressed_bytes").value(chunk.compressed_bytes);
  writer.key("uncompressed_bytes").value(chunk.uncompressed_bytes);
  writer.key("first_page_offset").value(chunk.first_page_offset);
  writer.key("has_dictionary_page").value(chunk.has_dictionary_page);
  write_optional(writer, "min", chunk.min);
  write_optional(writer, "max", chunk.max);
  write_optional(writer, "null_count", chunk.null_count);
  write_optional(writer, "distinct_count", chunk.distinct_count);
  writer.end_object();
}

}  // namespace

RowGroupInfo row_group_info(const FileReader& reader, int32_t ordinal) {
  const Footer::RowGroup& row_group = checked_row_group(reader, ordinal);
  RowGroupInfo info;
  info.num_rows = row_group.num_rows;
  for (int32_t leaf = 0; leaf < row_group.num_chunks; ++leaf) {
    const ChunkMetadata chunk = reader.footer().chunk(ordinal, leaf);
    info.compressed_bytes =
        checked_add(info.compressed_bytes, chunk.compressed_bytes, "row group size");
    info.uncompressed_bytes =
        checked_add(info.uncompressed_bytes, chunk.uncompressed_bytes, "row group size");
    if (leaf == 0) info.first_page_offset = chunk.first_page_offset();
  }
  return info;
}

ColumnChunkInfo column_chunk_info(const FileReader& reader, int32_t row_group, int32_t leaf) {
  checked_row_group(reader, row_group);
  if (leaf < 0 || leaf >= reader.footer().num_leaves()) {
    throw Error(ErrorCode::kInvalidArgument, "no such leaf column",
                fmt::format("column {}, the file has {}", leaf, reader.footer().num_leaves()))
        .locate({.file = reader.file()->name()});
  }
  ChunkMetadata chunk = reader.footer().chunk(row_group, leaf);
  const Leaf& description = reader.schema().leaves[static_cast<size_t>(leaf)];
  ColumnChunkInfo info;
  info.path = description.dotted_path;
  info.physical_type = physical_type_text(description);
  info.codec = std::string(name(chunk.codec));
  for (const EncodingId encoding : chunk.encodings) info.encodings.emplace_back(name(encoding));
  info.num_values = chunk.num_values;
  info.compressed_bytes = chunk.compressed_bytes;
  info.uncompressed_bytes = chunk.uncompressed_bytes;
  info.first_page_offset = chunk.first_page_offset();
  info.has_dictionary_page = chunk.dictionary_page_offset.has_value();
  if (const Field* field = flat_field(reader.schema(), leaf)) {
    StatisticsText text = statistics_text(chunk.statistics, description.physical_type, *field);
    info.min = std::move(text.min);
    info.max = std::move(text.max);
  }
  info.null_count = chunk.statistics.null_count;
  info.distinct_count = chunk.statistics.distinct_count;
  return info;
}

std::string schema_json(const FileReader& reader) {
  json::Writer writer;
  writer.begin_object().key("file").value(reader.file()->name());
  write_fields(writer, reader);
  write_key_values(writer, reader.schema().schema->metadata());
  writer.end_object();
  return std::move(writer).take();
}

std::string metadata_json(const FileReader& reader) {
  const Footer& footer = reader.footer();
  json::Writer writer;
  writer.begin_object()
      .key("file")
      .value(reader.file()->name())
      .key("file_bytes")
      .value(reader.file()->size());
  writer.key("footer_bytes")
      .value(footer.size_bytes())
      .key("format_version")
      .value(footer.version());
  writer.key("created_by").value(footer.created_by()).key("num_rows").value(footer.num_rows());
  write_fields(writer, reader);
  write_key_values(writer, footer.key_value_metadata());
  writer.key("row_groups").begin_array();
  const auto num_row_groups = static_cast<int32_t>(footer.row_groups().size());
  for (int32_t ordinal = 0; ordinal < num_row_groups; ++ordinal) {
    reader.context().cancel.check();
    const RowGroupInfo info = row_group_info(reader, ordinal);
    writer.begin_object().key("num_rows").value(info.num_rows);
    writer.key("compressed_bytes")
        .value(info.compressed_bytes)
        .key("uncompressed_bytes")
        .value(info.uncompressed_bytes);
    writer.key("columns").begin_array();
    for (int32_t leaf = 0; leaf < footer.num_leaves(); ++leaf)
      write_chunk(writer, column_chunk_info(reader, ordinal, leaf));
    writer.end_array().end_object();
  }
  writer.end_array().end_object();
  return std::move(writer).take();
}

}  // namespace colonnade::parquet
