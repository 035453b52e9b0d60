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
    kNone = 0, kString = 1, kMap = 2, kList = 3, kEnum = 4, kDecimal = 5, kDate = 6, kTime = 7,
    kTimestamp = 8, kInteger = 10, kUnknown = 11, kJson = 12, kBson = 13, kUuid = 14, kFloat16 = 15,
    kVariant = 16, kGeometry = 17, kGeography = 18,
    kUnrecognised = 255,  // a union member this version does not know; read as the physical type
  };
  Kind kind = Kind::kNone;
  int32_t precision = 0;          // kDecimal
  int32_t scale = 0;              // kDecimal
  TimeUnit unit = TimeUnit::kMilli;  // kTime, kTimestamp
  bool adjusted_to_utc = false;   // kTime, kTimestamp
  int32_t bit_width = 0;          // kInteger
  bool is_signed = true;          // kInteger
};

// ConvertedType of parquet.thrift.
enum class ConvertedType : uint8_t {
  kUtf8 = 0, kMap = 1, kMapKeyValue = 2, kList = 3, kEnum = 4, kDecimal = 5, kDate = 6, kTimeMillis = 7,
  kTimeMicros = 8, kTimestampMillis = 9, kTimestampMicros = 10, kUint8 = 11, kUint16 = 12, kUint32 = 13,
  kUint64 = 14, kInt8 = 15, kInt16 = 16, kInt32 = 17, kInt64 = 18, kJson = 19, kBson = 20, kInterval = 21,
};

struct SchemaElement {
  std::string name;
  std::optional<PhysicalType> type;  // absent for groups
  int32_t type_length = 0;           // kFixedLenByteArray
  std::optional<Repetition> repetition;  // absent for the root
  int32_t num_children = 0;
  std::optional<ConvertedType> converted_type;
  int32_t scale = 0;
  int32_t precision = 0;
  std::optional<int32_t> field_id;
  LogicalType logical_type;
};

// Statistics of parquet.thrift, bytes as written. Absent members are nullopt.
struct Statistics {
  std::optional<std::string> min;        // deprecated, signed order
  std::optional<std::string> max;
  std::optional<std::string> min_value;
  std::optional<std::string> max_value;
  std::optional<int64_t> null_count;
  std::optional<int64_t> distinct_count;
  std::optional<bool> is_min_exact;
  std::optional<bool> is_max_exact;
};

// A column chunk's metadata, checked: sizes and counts are not negative and offsets lie inside the file.
struct ChunkMetadata {
  std::string file_path;  // not empty: the chunk lies in another file (refused when read)
  PhysicalType type = PhysicalType::kInt32;
  std::vector<EncodingId> encodings;  // those known
  std::vector<std::string> path;
  CompressionCodec codec = CompressionCodec::kUncompressed;
  int64_t num_values = 0;  // with nulls
  int64_t uncompressed_bytes = 0;
  int64_t compressed_bytes = 0;
  int64_t data_page_offset = 0;
  std::optional<int64_t> dictionary_page_offset;  // absent too where the file says 0 or one behind the data pages
  Statistics statistics;
  bool has_statistics = false;
  bool encrypted = false;
  std::optional<int64_t> column_index_offset, offset_index_offset, bloom_filter_offset;
  int32_t column_index_length = 0, offset_index_length = 0, bloom_filter_length = 0;

  // Where its pages begin: the dictionary page if there is one, else the first data page.
  int64_t first_page_offset() const noexcept {
    return dictionary_page_offset && *dictionary_page_offset < data_page_offset ? *dictionary_page_offset : data_page_offset;
  }
};

// Immutable once parsed; thread-safe.
class Footer {
 public:
  struct RowGroup {
    int64_t num_rows = 0;
    int64_t total_byte_size = 0;                     // uncompressed, as claimed
    std::optional<int64_t> total_compressed_size;
    std::optional<int64_t> file_offset;              // as claimed: old writers have it wrong, don't rely on it
    int64_t first_chunk = 0;                         // into the chunk index
    int32_t num_chunks = 0;
  };

  // `bytes` is the FileMetaData struct alone, `file_size` the size of the whole file. Charges what it
  // keeps to the context's memory: `bytes` and at most a documented multiple of them. kCorruptData,
  // kNotSupported (encrypted footer), kOutOfBudget. Every row group must have as many chunks as the
  // schema has leaves.
  static Footer parse(const Context& context, Buffer bytes, int64_t file_size);

  int32_t version() const noexcept;
  int64_t num_rows() const noexcept;
  const std::string& created_by() const noexcept;
  const std::vector<KeyValue>& key_value_metadata() const noexcept;
  const std::vector<SchemaElement>& schema() const noexcept;  // depth first, root at 0; a well-formed tree
  int32_t num_leaves() const noexcept;
  const std::vector<RowGroup>& row_groups() const noexcept;
  int64_t size_bytes() const noexcept;

  // Parses the metadata of one chunk. kCorruptData with row group and column.
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
