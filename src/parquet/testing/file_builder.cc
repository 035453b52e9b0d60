#include "parquet/testing/file_builder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace colonnade::parquet::testing {

namespace {

int32_t size32(const Bytes& bytes) { return static_cast<int32_t>(bytes.size()); }

// Indices of the leaves among the schema's elements.
std::vector<size_t> leaves_of(const std::vector<SchemaElement>& schema) {
  std::vector<size_t> leaves;
  for (size_t i = 1; i < schema.size(); ++i) {
    if (schema[i].type) leaves.push_back(i);
  }
  return leaves;
}

// Names from the root's child down to the element.
std::vector<std::string> path_of(const std::vector<SchemaElement>& schema, size_t element) {
  struct Level {
    size_t element;
    int32_t children_left;
  };
  std::vector<Level> levels = {{0, schema.at(0).num_children}};
  std::vector<std::string> path;
  for (size_t i = 1; i <= element; ++i) {
    while (!levels.empty() && levels.back().children_left == 0) levels.pop_back();
    if (levels.empty()) break;
    --levels.back().children_left;
    if (i == element) break;
    if (!schema[i].type) levels.push_back({i, schema[i].num_children});
  }
  for (size_t i = 1; i < levels.size(); ++i) path.push_back(schema[levels[i].element].name);
  path.push_back(schema[element].name);
  return path;
}

}  // namespace

FileBuilder::FileBuilder() : bytes_(bytes_of("PAR1")) { claims_.schema.push_back(root(0)); }

FileBuilder& FileBuilder::column(std::string name, PhysicalType type, Repetition repetition,
                                 LogicalType logical_type, int32_t type_length) {
  return element(leaf(std::move(name), type, repetition, logical_type, type_length));
}

FileBuilder& FileBuilder::element(SchemaElement element) {
  claims_.schema.push_back(std::move(element));
  // The root's children are the elements that are nobody else's.
  int64_t inner = 0;
  for (size_t i = 1; i < claims_.schema.size(); ++i) inner += claims_.schema[i].num_children;
  const int64_t outer = static_cast<int64_t>(claims_.schema.size()) - 1 - inner;
  claims_.schema[0].num_children = static_cast<int32_t>(std::max<int64_t>(outer, 1));
  return *this;
}

FileBuilder& FileBuilder::row_group(int64_t num_rows) {
  RowGroupClaims row_group;
  row_group.num_rows = num_rows;
  row_group.total_byte_size = 0;
  row_group.total_compressed_size = 0;
  row_group.file_offset = position();
  claims_.row_groups.push_back(std::move(row_group));
  claims_.num_rows = claims_.num_rows.value_or(0) + num_rows;
  return *this;
}

FileBuilder& FileBuilder::chunk(CompressionCodec codec) {
  if (claims_.row_groups.empty())
    throw std::logic_error("FileBuilder: row_group() comes before chunk()");
  RowGroupClaims& row_group = claims_.row_groups.back();
  ChunkClaims chunk;
  const std::vector<size_t> leaves = leaves_of(claims_.schema);
  if (row_group.chunks.size() < leaves.size()) {
    const size_t element = leaves[row_group.chunks.size()];
    chunk.type = claims_.schema[element].type;
    chunk.path = path_of(claims_.schema, element);
  }
  chunk.codec = codec;
  chunk.encodings.emplace();
  chunk.num_values = 0;
  chunk.uncompressed_bytes = 0;
  chunk.compressed_bytes = 0;
  chunk.data_page_offset = position();
  row_group.chunks.push_back(std::move(chunk));
  return *this;
}

FileBuilder& FileBuilder::statistics(Statistics statistics) {
  current_chunk().statistics = std::move(statistics);
  return *this;
}

FileBuilder& FileBuilder::page_v1(const V1Options& options, const Bytes& payload) {
  PageHeaderClaims header;
  header.type = PageType::kDataPage;
  header.uncompressed_bytes = options.uncompressed_bytes.value_or(size32(payload));
  header.compressed_bytes = options.compressed_bytes.value_or(size32(payload));
  header.crc = options.crc;
  header.v1.emplace();
  header.v1->num_values = options.num_values;
  header.v1->encoding = options.encoding;
  header.v1->definition_encoding = options.definition_encoding;
  header.v1->repetition_encoding = options.repetition_encoding;
  header.v1->statistics = options.statistics;
  note_encoding(options.encoding);
  note_encoding(options.definition_encoding);
  return page(header, payload, options.num_values);
}

FileBuilder& FileBuilder::page_v2(const V2Options& options, const Bytes& payload,
                                  const Bytes& definition_levels, const Bytes& repetition_levels) {
  const Bytes body = concat({repetition_levels, definition_levels, payload});
  PageHeaderClaims header;
  header.type = PageType::kDataPageV2;
  header.uncompressed_bytes = options.uncompressed_bytes.value_or(size32(body));
  header.compressed_bytes = options.compressed_bytes.value_or(size32(body));
  header.crc = options.crc;
  header.v2.emplace();
  header.v2->num_values = options.num_values;
  header.v2->num_nulls = options.num_nulls;
  header.v2->num_rows = options.num_rows.value_or(options.num_values);
  header.v2->encoding = options.encoding;
  header.v2->definition_bytes = options.definition_bytes.value_or(size32(definition_levels));
  header.v2->repetition_bytes = options.repetition_bytes.value_or(size32(repetition_levels));
  header.v2->is_compressed = options.is_compressed;
  note_encoding(options.encoding);
  note_encoding(EncodingId::kRle);
  return page(header, body, options.num_values);
}

FileBuilder& FileBuilder::dictionary_page(const DictionaryOptions& options, const Bytes& payload) {
  PageHeaderClaims header;
  header.type = PageType::kDictionaryPage;
  header.uncompressed_bytes = options.uncompressed_bytes.value_or(size32(payload));
  header.compressed_bytes = options.compressed_bytes.value_or(size32(payload));
  header.dictionary.emplace();
  header.dictionary->num_values = options.num_values;
  header.dictionary->encoding = options.encoding;
  header.dictionary->is_sorted = options.is_sorted;
  note_encoding(options.encoding);
  ChunkClaims& chunk = current_chunk();
  const Bytes bytes = page_header_bytes(header);
  if (!chunk.dictionary_page_offset && *chunk.compressed_bytes == 0) {
    chunk.dictionary_page_offset = position();
    chunk.data_page_offset = position() + size32(bytes) + size32(payload);
  }
  return page(header, payload, 0);
}

FileBuilder& FileBuilder::index_page(const Bytes& payload) {
  PageHeaderClaims header;
  header.type = PageType::kIndexPage;
  header.uncompressed_bytes = size32(payload);
  header.compressed_bytes = size32(payload);
  header.index = true;
  return page(header, payload, 0);
}

FileBuilder& FileBuilder::raw_page(const Bytes& header, const Bytes& payload, int64_t num_values) {
  ChunkClaims& chunk = current_chunk();
  RowGroupClaims& row_group = claims_.row_groups.back();
  const auto num_bytes = static_cast<int64_t>(header.size() + payload.size());
  chunk.num_values = *chunk.num_values + num_values;
  chunk.compressed_bytes = *chunk.compressed_bytes + num_bytes;
  chunk.uncompressed_bytes = *chunk.uncompressed_bytes + num_bytes;
  row_group.total_byte_size = *row_group.total_byte_size + num_bytes;
  row_group.total_compressed_size = *row_group.total_compressed_size + num_bytes;
  bytes_.insert(bytes_.end(), header.begin(), header.end());
  bytes_.insert(bytes_.end(), payload.begin(), payload.end());
  return *this;
}

FileBuilder& FileBuilder::page(const PageHeaderClaims& header, const Bytes& payload,
                               int64_t num_values) {
  raw_page(page_header_bytes(header), payload, num_values);
  const int64_t expansion = static_cast<int64_t>(*header.uncompressed_bytes) - size32(payload);
  ChunkClaims& chunk = current_chunk();
  RowGroupClaims& row_group = claims_.row_groups.back();
  chunk.uncompressed_bytes = *chunk.uncompressed_bytes + expansion;
  row_group.total_byte_size = *row_group.total_byte_size + expansion;
  return *this;
}

FileBuilder& FileBuilder::key_value(std::string key, std::optional<std::string> value) {
  claims_.key_values.emplace_back(std::move(key), std::move(value));
  return *this;
}

FileBuilder& FileBuilder::created_by(std::string text) {
  claims_.created_by = std::move(text);
  return *this;
}

FileBuilder& FileBuilder::lie(std::function<void(FooterClaims&)> change) {
  lies_.push_back(std::move(change));
  return *this;
}

FooterClaims FileBuilder::claims() const {
  FooterClaims claims = claims_;
  if (!claims.num_rows) claims.num_rows = 0;
  for (const auto& change : lies_) change(claims);
  return claims;
}

Bytes FileBuilder::build_footer() const { return footer_bytes(claims()); }

Bytes FileBuilder::build() const { return build_with_footer(build_footer()); }

Bytes FileBuilder::build_with_footer(const Bytes& footer) const {
  const auto length = static_cast<uint32_t>(footer.size());
  return concat({bytes_, footer, plain<uint32_t>({length}), bytes_of("PAR1")});
}

ChunkClaims& FileBuilder::current_chunk() {
  if (claims_.row_groups.empty() || claims_.row_groups.back().chunks.empty()) {
    throw std::logic_error("FileBuilder: chunk() comes before its pages");
  }
  return claims_.row_groups.back().chunks.back();
}

void FileBuilder::note_encoding(EncodingId encoding) {
  std::vector<EncodingId>& encodings = *current_chunk().encodings;
  if (std::find(encodings.begin(), encodings.end(), encoding) == encodings.end())
    encodings.push_back(encoding);
}

}  // namespace colonnade::parquet::testing
