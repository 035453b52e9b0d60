// Columns and batches: immutable values in Arrow's memory layout.
// Layouts: https://arrow.apache.org/docs/format/Columnar.html
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <colonnade/export.h>
#include <colonnade/memory.h>
#include <colonnade/type.h>

namespace colonnade {

// How the values of a flat column lie in memory.
enum class Storage : uint8_t {
  kNone,           // kNull: no buffers, every value null
  kBits,           // values: one bit per value, least significant first
  kFixed,          // values: byte_width bytes per value
  kOffsets32,      // offsets: length + 1 int32 into bytes
  kOffsets64,      // offsets: length + 1 int64 into bytes
  kViews,          // values: 16-byte views into view_buffers
  kList32,         // offsets: length + 1 int32 into the child
  kList64,         // offsets: length + 1 int64 into the child
  kFixedSizeList,  // child has length * list_size values
  kStruct,         // one child per field, each of the column's length (plus offset)
};

enum class Encoding : uint8_t {
  kFlat,
  kDictionary,  // values: int32 ids into `dictionary`; nulls only in the column's validity
  kConstant,  // `dictionary` holds one value (perhaps null), which every row has; no other buffers
};

class Column;
using ColumnPtr = std::shared_ptr<const Column>;

// The values that ids point to. Immutable and shared by the columns that use it.
struct COLONNADE_API Dictionary {
  ColumnPtr values;  // flat, without nulls (kConstant: one value, perhaps null)
  bool unique = false;
  bool sorted = false;
  // Never the same for two dictionaries of one process. Caches key on it, never on an address.
  uint64_t generation = 0;

  static std::shared_ptr<const Dictionary> make(ColumnPtr values, bool unique, bool sorted);
};
using DictionaryPtr = std::shared_ptr<const Dictionary>;

// Everything a column is made of; which parts count depends on encoding and storage.
struct ColumnParts {
  DataType type;
  Storage storage = Storage::kNone;  // of a dictionary or constant: the storage of its values
  Encoding encoding = Encoding::kFlat;
  int32_t byte_width = 0;   // kFixed
  int64_t length = 0;       // rows
  int64_t offset = 0;       // rows to skip in every buffer of this column; children are not shifted
  int64_t null_count = -1;  // nulls among the rows; -1: unknown
  Buffer validity;          // bit 1 = valid; empty: no nulls
  Buffer values;            // kBits, kFixed, kViews, or the int32 ids
  Buffer offsets;           // kOffsets*, kList*
  Buffer bytes;             // kOffsets*
  std::vector<Buffer> view_buffers;  // kViews
  std::vector<ColumnPtr> children;   // kList*, kFixedSizeList, kStruct
  DictionaryPtr dictionary;          // kDictionary, kConstant
};

// Immutable; may be shared by threads.
class COLONNADE_API Column {
 public:
  // Checks that encoding, storage and type fit and that the buffers are large enough for offset +
  // length (kInvalidArgument otherwise); contents such as offsets and ids are not looked at.
  static ColumnPtr make(ColumnParts parts);
  // `length` rows of the one value in `value` (a flat column of length 1).
  static ColumnPtr constant(ColumnPtr value, int64_t length);
  static ColumnPtr nulls(const DataType& type, int64_t length);

  const ColumnParts& parts() const noexcept { return parts_; }
  const DataType& type() const noexcept { return parts_.type; }
  Storage storage() const noexcept { return parts_.storage; }
  Encoding encoding() const noexcept { return parts_.encoding; }
  int64_t length() const noexcept { return parts_.length; }
  int64_t offset() const noexcept { return parts_.offset; }
  int32_t byte_width() const noexcept { return parts_.byte_width; }

  // Whether row `row` (0 <= row < length) is valid, through dictionary and constant.
  bool is_valid(int64_t row) const noexcept;
  // Counted on first use where unknown; thread-safe.
  int64_t null_count() const noexcept;

  // Rows [offset, offset + length) of this column; shares every buffer. kInvalidArgument outside.
  ColumnPtr slice(int64_t offset, int64_t length) const;

  // Bytes that these rows take in their buffers (not what the buffers hold beside them).
  int64_t slice_bytes() const noexcept;

 private:
  explicit Column(ColumnParts parts);
  ColumnParts parts_;
  mutable std::atomic<int64_t> null_count_;
};

// Rows of several columns; every column has num_rows rows. A batch without columns may have rows. A
// value; copying shares the columns.
class COLONNADE_API Batch {
 public:
  static constexpr int64_t kDefaultRows = 8192;
  static constexpr int64_t kDefaultBytes = int64_t{16} << 20;

  // kInvalidArgument when a column's length or type does not fit.
  Batch(SchemaPtr schema, int64_t num_rows, std::vector<ColumnPtr> columns);

  const SchemaPtr& schema() const noexcept { return schema_; }
  int64_t num_rows() const noexcept { return num_rows_; }
  int32_t num_columns() const noexcept { return static_cast<int32_t>(columns_.size()); }
  const std::vector<ColumnPtr>& columns() const noexcept { return columns_; }
  const ColumnPtr& column(int32_t index) const;          // kInvalidArgument outside
  const ColumnPtr& column(std::string_view name) const;  // kNotFound

  Batch slice(int64_t offset, int64_t length) const;

 private:
  SchemaPtr schema_;
  int64_t num_rows_;
  std::vector<ColumnPtr> columns_;
};

}  // namespace colonnade
