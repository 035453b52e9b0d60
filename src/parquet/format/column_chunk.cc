#include "parquet/format/column_chunk.h"

#include <algorithm>

#include "base/fail.h"

namespace colonnade::parquet {

namespace {

using thrift::Field;
using thrift::Reader;
using thrift::WireType;

std::optional<int64_t> count_if_sane(int64_t count) {
  return count >= 0 ? std::optional(count) : std::nullopt;
}

Statistics parse_statistics(Reader& reader) {
  Statistics statistics;
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        statistics.max = reader.string(field, "max");
        break;
      case 2:
        statistics.min = reader.string(field, "min");
        break;
      case 3:
        statistics.null_count = count_if_sane(reader.i64(field, "null_count"));
        break;
      case 4:
        statistics.distinct_count = count_if_sane(reader.i64(field, "distinct_count"));
        break;
      case 5:
        statistics.max_value = reader.string(field, "max_value");
        break;
      case 6:
        statistics.min_value = reader.string(field, "min_value");
        break;
      case 7:
        statistics.is_max_exact = reader.boolean(field, "is_max_value_exact");
        break;
      case 8:
        statistics.is_min_exact = reader.boolean(field, "is_min_value_exact");
        break;
      default:
        reader.skip(field);
    }
  }
  return statistics;
}

void parse_encodings(Reader& reader, const Field& field, std::vector<EncodingId>& encodings) {
  encodings.clear();
  const int64_t num_encodings = reader.begin_list(field, WireType::kI32, "encodings");
  for (int64_t i = 0; i < num_encodings; ++i) {
    const std::optional<EncodingId> encoding = encoding_id(reader.i32_element("encodings"));
    if (encoding && std::find(encodings.begin(), encodings.end(), *encoding) == encodings.end()) {
      encodings.push_back(*encoding);
    }
  }
}

// Compares with the leaf's own path; nothing is kept of what the file says. An empty path says
// nothing.
void check_path(Reader& reader, const Field& field, const std::vector<std::string>& path) {
  constexpr size_t kShownBytes = 64;
  const int64_t length = reader.begin_list(field, WireType::kBinary, "path_in_schema");
  for (int64_t i = 0; i < length; ++i) {
    const std::string_view part = reader.string_element("path_in_schema");
    const auto index = static_cast<size_t>(i);
    if (index >= path.size() || part != path[index]) {
      fail(ErrorCode::kCorruptData,
           "column chunk of another column than the schema has in its place",
           "part {} of path_in_schema is '{}'", i, part.substr(0, kShownBytes));
    }
  }
  if (length != 0 && length != static_cast<int64_t>(path.size())) {
    fail(ErrorCode::kCorruptData, "column chunk of another column than the schema has in its place",
         "path_in_schema has {} parts, not {}", length, path.size());
  }
}

// The numbers of ColumnMetaData as written.
struct Claims {
  std::optional<int32_t> type;
  std::optional<int32_t> codec;
  std::optional<int64_t> num_values, uncompressed_bytes, compressed_bytes;
  std::optional<int64_t> data_page_offset, dictionary_page_offset;
};

Claims parse_metadata(Reader& reader, ChunkMetadata& chunk) {
  Claims claims;
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        claims.type = reader.i32(field, "type");
        break;
      case 2:
        parse_encodings(reader, field, chunk.encodings);
        break;
      case 3:
        check_path(reader, field, chunk.path);
        break;
      case 4:
        claims.codec = reader.i32(field, "codec");
        break;
      case 5:
        claims.num_values = reader.i64(field, "num_values");
        break;
      case 6:
        claims.uncompressed_bytes = reader.i64(field, "total_uncompressed_size");
        break;
      case 7:
        claims.compressed_bytes = reader.i64(field, "total_compressed_size");
        break;
      case 9:
        claims.data_page_offset = reader.i64(field, "data_page_offset");
        break;
      case 11:
        claims.dictionary_page_offset = reader.i64(field, "dictionary_page_offset");
        break;
      case 12:
        reader.begin_struct(field, "statistics");
        chunk.statistics = parse_statistics(reader);
        chunk.has_statistics = true;
        break;
      // Files from before bloom filters have other things under these ids: then there is none.
      case 14:
        if (field.type != WireType::kI64) {
          reader.skip(field);
        } else {
          chunk.bloom_filter_offset = reader.i64(field, "bloom_filter_offset");
        }
        break;
      case 15:
        if (field.type != WireType::kI32) {
          reader.skip(field);
        } else {
          chunk.bloom_filter_length = reader.i32(field, "bloom_filter_length");
        }
        break;
      default:
        reader.skip(field);  // index_page_offset too: writers have it wrong
    }
  }
  return claims;
}

int64_t required_size(const Reader& reader, const std::optional<int64_t>& number,
                      const char* what) {
  if (!number) reader.fail_missing(what);
  if (*number < 0) {
    fail(ErrorCode::kCorruptData, "negative number in a column chunk's metadata", "{} is {}", what,
         *number);
  }
  return *number;
}

// Leaves out what does not lie inside the file. A length of 0 means: not known, or no such thing.
void check_section(std::optional<int64_t>& offset, int32_t& length, int64_t file_size) {
  if (offset && *offset > 0 && *offset < file_size && length >= 0 && length <= file_size - *offset)
    return;
  offset.reset();
  length = 0;
}

void apply(const Reader& reader, const Claims& claims, PhysicalType type, int64_t file_size,
           ChunkMetadata& chunk) {
  if (!claims.type) reader.fail_missing("type");
  if (*claims.type != static_cast<int32_t>(type)) {
    fail(ErrorCode::kCorruptData, "column chunk of another type than its column",
         "type is {}, in the schema {}", *claims.type, static_cast<int32_t>(type));
  }
  chunk.type = type;
  if (!claims.codec) reader.fail_missing("codec");
  const std::optional<CompressionCodec> codec = compression_codec(*claims.codec);
  if (!codec)
    fail(ErrorCode::kNotSupported, "unknown compression codec", "codec is {}", *claims.codec);
  chunk.codec = *codec;
  chunk.num_values = required_size(reader, claims.num_values, "num_values");
  chunk.uncompressed_bytes =
      required_size(reader, claims.uncompressed_bytes, "total_uncompressed_size");
  chunk.compressed_bytes = required_size(reader, claims.compressed_bytes, "total_compressed_size");
  chunk.data_page_offset = required_size(reader, claims.data_page_offset, "data_page_offset");
  if (claims.dictionary_page_offset) {
    const int64_t offset =
        required_size(reader, claims.dictionary_page_offset, "dictionary_page_offset");
    if (offset != 0 && offset < chunk.data_page_offset) chunk.dictionary_page_offset = offset;
  }
  if (!chunk.file_path.empty()) return;
  const int64_t first = chunk.first_page_offset();
  if (first > file_size || chunk.compressed_bytes > file_size - first ||
      chunk.data_page_offset > file_size) {
    fail(ErrorCode::kCorruptData, "column chunk that goes on behind the file's end",
         "pages at {}, data pages at {}, {} bytes, file {} bytes", first, chunk.data_page_offset,
         chunk.compressed_bytes, file_size);
  }
}

}  // namespace

ChunkMetadata parse_column_chunk(Reader& reader, const SchemaTree& schema, int32_t leaf,
                                 int64_t file_size) {
  const int32_t element = schema.leaves[static_cast<size_t>(leaf)];
  ChunkMetadata chunk;
  chunk.path = schema.path(element);
  std::optional<Claims> claims;
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        chunk.file_path = reader.string(field, "file_path");
        break;
      case 3:
        reader.begin_struct(field, "meta_data");
        claims = parse_metadata(reader, chunk);
        break;
      case 4:
        chunk.offset_index_offset = reader.i64(field, "offset_index_offset");
        break;
      case 5:
        chunk.offset_index_length = reader.i32(field, "offset_index_length");
        break;
      case 6:
        chunk.column_index_offset = reader.i64(field, "column_index_offset");
        break;
      case 7:
        chunk.column_index_length = reader.i32(field, "column_index_length");
        break;
      case 8:
      case 9:
        chunk.encrypted = true;
        reader.skip(field);
        break;
      default:
        reader.skip(field);  // file_offset too: it never says where the pages are
    }
  }
  if (!claims) {
    if (chunk.encrypted)
      fail(ErrorCode::kNotSupported, "the column is encrypted, which is not read yet");
    reader.fail_missing("meta_data");
  }
  apply(reader, *claims, *schema.elements[static_cast<size_t>(element)].type, file_size, chunk);
  check_section(chunk.offset_index_offset, chunk.offset_index_length, file_size);
  check_section(chunk.column_index_offset, chunk.column_index_length, file_size);
  check_section(chunk.bloom_filter_offset, chunk.bloom_filter_length, file_size);
  return chunk;
}

}  // namespace colonnade::parquet
