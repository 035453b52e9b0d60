// The footer: indexed in one pass, column chunks parsed when used.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <colonnade/context.h>
#include <colonnade/memory.h>
#include <colonnade/type.h>

#include "parquet/format/types.h"

namespace colonnade::parquet {

// LogicalType of parquet.thrift; kNone where the file has none. Numbers are the union's field ids.
struct LogicalType {
  enum class Kind : uint8_t {
    kNone = 0,
    kString = 1,
    kMap = 2,
    kList = 3,
    kEnum = 4,
    kDecimal = 5,
    kDate = 6,
    kTime = 7,
    kTimestamp = 8,
    kInteger = 10,
    kUnknown = 11,
    kJson = 12,
    kBson = 13,
    kUuid = 14,
    kFloat16 = 15,
    kVariant = 16,
    kGeometry = 17,
    kGeography = 18,
    kFile = 19,
    kUnrecognised = 255,  // a union member this version does not know; read as the physical type
  };
  Kind kind = Kind::kNone;
  TimeUnit unit = TimeUnit::kMilli;  // kTime, kTimestamp
  bool adjusted_to_utc = false;      // kTime, kTimestamp
  bool is_signed = true;             // kInteger
  int32_t bit_width = 0;             // kInteger: 8, 16, 32 or 64
  int32_t precision = 0;             // kDecimal
  int32_t scale = 0;                 // kDecimal
};

// ConvertedType of parquet.thrift.
enum class ConvertedType : uint8_t {
  kUtf8 = 0,
  kMap = 1,
  kMapKeyValue = 2,
  kList = 3,
  kEnum = 4,
  kDecimal = 5,
  kDate = 6,
  kTimeMillis = 7,
  kTimeMicros = 8,
  kTimestampMillis = 9,
  kTimestampMicros = 10,
  kUint8 = 11,
  kUint16 = 12,
  kUint32 = 13,
  kUint64 = 14,
  kInt8 = 15,
  kInt16 = 16,
  kInt32 = 17,
  kInt64 = 18,
  kJson = 19,
  kBson = 20,
  kInterval = 21,
};

// Members in an order that keeps it small: a footer may hold very many.
struct SchemaElement {
  std::string name;
  std::optional<PhysicalType> type;      // absent for groups
  std::optional<Repetition> repetition;  // absent for the root
  std::optional<ConvertedType>
      converted_type;       // absent too where this version does not know the number
  int32_t type_length = 0;  // kFixedLenByteArray
  int32_t num_children = 0;
  int32_t scale = 0;  // of the converted type DECIMAL
  int32_t precision = 0;
  std::optional<int32_t> field_id;
  LogicalType logical_type;
};

// Statistics of parquet.thrift, bytes as written. Absent members are nullopt, and so are negative
// counts: wrong statistics do not make data unreadable.
struct Statistics {
  std::optional<std::string> min;  // deprecated, signed order
  std::optional<std::string> max;
  std::optional<std::string> min_value;
  std::optional<std::string> max_value;
  std::optional<int64_t> null_count;
  std::optional<int64_t> distinct_count;
  std::optional<bool> is_min_exact;
  std::optional<bool> is_max_exact;
  // min_value and max_value are in an order that this version does not know (the footer's
  // column_orders names it): they say nothing. Files without column_orders mean the order of the
  // type.
  bool unknown_order = false;
};

// A column chunk's metadata, checked: sizes and counts are not negative, the type is the schema's,
// and the pages lie inside the file (unless file_path names another). An index or filter that lies
// elsewhere is absent.
struct ChunkMetadata {
  std::string file_path;  // not empty: the chunk lies in another file (refused when read)
  PhysicalType type = PhysicalType::kInt32;
  std::vector<EncodingId> encodings;  // those known, each once
  std::vector<std::string> path;      // the leaf's, without the root
  CompressionCodec codec = CompressionCodec::kUncompressed;
  int64_t num_values = 0;  // with nulls
  int64_t uncompressed_bytes = 0;
  int64_t compressed_bytes = 0;
  int64_t data_page_offset = 0;
  std::optional<int64_t>
      dictionary_page_offset;  // absent too where the file says 0 or one behind the data pages
  Statistics statistics;
  bool has_statistics = false;
  bool encrypted = false;  // the pages are
  std::optional<int64_t> column_index_offset, offset_index_offset, bloom_filter_offset;
  int32_t column_index_length = 0, offset_index_length = 0, bloom_filter_length = 0;

  // Where its pages begin: the dictionary page if there is one, else the first data page.
  int64_t first_page_offset() const noexcept {
    return dictionary_page_offset && *dictionary_page_offset < data_page_offset
               ? *dictionary_page_offset
               : data_page_offset;
  }
};

// Immutable once parsed; thread-safe.
class Footer {
 public:
  struct RowGroup {
    int64_t num_rows = 0;
    int64_t total_byte_size = 0;  // uncompressed, as claimed
    std::optional<int64_t> total_compressed_size;
    std::optional<int64_t> file_offset;  // as claimed: old writers have it wrong, don't rely on it
    int64_t first_chunk = 0;             // into the chunk index
    int32_t num_chunks = 0;
  };

  // Groups inside one another, at most.
  static constexpr int32_t kMaxSchemaDepth = 128;

  // `bytes` is the FileMetaData struct alone, `file_size` the size of the whole file. Charges what
  // it keeps to the context's memory: with `bytes` at most 1 MiB + 16 * bytes.size() at any time
  // (docs/formats/parquet-footer.md). kCorruptData, kNotSupported, kOutOfBudget. Every row group
  // must have as many chunks as the schema has leaves.
  static Footer parse(const Context& context, Buffer bytes, int64_t file_size);

  int32_t version() const noexcept;
  // The sum of the row groups'; a file that says otherwise is corrupt, unless it says 0.
  int64_t num_rows() const noexcept;
  const std::string& created_by() const noexcept;
  const std::vector<KeyValue>& key_value_metadata() const noexcept;
  const std::vector<SchemaElement>& schema()
      const noexcept;  // depth first, root at 0; a well-formed tree
  int32_t num_leaves() const noexcept;
  // Index into schema() of a leaf, 0 <= leaf < num_leaves().
  int32_t leaf_element(int32_t leaf) const noexcept;
  // Names from the root's child down to an element, with dots between them; empty for the root.
  std::string dotted_path(int32_t element) const;
  const std::vector<RowGroup>& row_groups() const noexcept;
  int64_t size_bytes() const noexcept;
  // What it is charged to.
  const std::shared_ptr<MemoryPool>& memory() const noexcept;

  // Parses the metadata of one chunk. kInvalidArgument outside; kCorruptData, kNotSupported (an
  // unknown codec, a column whose metadata is encrypted) with row group and column.
  ChunkMetadata chunk(int32_t row_group, int32_t leaf) const;

  Footer(Footer&&) noexcept;
  Footer& operator=(Footer&&) noexcept;
  ~Footer();

 private:
  struct Impl;
  explicit Footer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace colonnade::parquet
