// Logical types, fields and schemas.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <colonnade/export.h>

namespace colonnade {

struct Field;

enum class TypeId : uint8_t {
  kNull,
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kFloat16,
  kFloat32,
  kFloat64,
  kDecimal,    // precision 1-76, scale; unscaled two's complement
  kDate32,     // days since 1970-01-01
  kDate64,     // milliseconds since 1970-01-01, a multiple of a day
  kTime,       // since midnight; 4 bytes for s and ms, 8 for us and ns
  kTimestamp,  // since 1970-01-01T00:00:00, in UTC when a time zone is given, else wall clock
  kDuration,
  kIntervalMonths,        // int32
  kIntervalDayTime,       // int32 days, int32 milliseconds
  kIntervalMonthDayNano,  // int32 months, int32 days, int64 nanoseconds
  kString,                // UTF-8, not validated unless asked
  kBinary,
  kFixedBinary,  // byte_width bytes
  kList,
  kFixedSizeList,
  kStruct,
  kMap,  // a list of structs of key and value
};

enum class TimeUnit : uint8_t { kSecond, kMilli, kMicro, kNano };

// A logical type: what the values mean. How they are laid out is the column's storage. A value;
// cheap to copy (parameters inline, children shared).
class COLONNADE_API DataType {
 public:
  DataType() = default;  // null
  // A type without parameters; kInvalidArgument for ids that need some.
  explicit DataType(TypeId id);
  static DataType decimal(int32_t precision, int32_t scale);  // 1 <= precision <= 76
  static DataType time(TimeUnit unit);
  static DataType timestamp(TimeUnit unit, std::string timezone = {});
  static DataType duration(TimeUnit unit);
  static DataType fixed_binary(int32_t byte_width);  // >= 0
  static DataType list(Field element);
  static DataType fixed_size_list(Field element, int32_t list_size);  // >= 0
  static DataType struct_of(std::vector<Field> fields);
  // `key` must not be nullable. `keys_sorted` as in Arrow's map flag.
  static DataType map(Field key, Field value, bool keys_sorted = false);
  // A map whose entries field is given whole: a non-nullable struct of two fields.
  static DataType map_of_entries(Field entries, bool keys_sorted);

  TypeId id() const noexcept { return id_; }
  int32_t precision() const noexcept { return a_; }      // kDecimal
  int32_t scale() const noexcept { return b_; }          // kDecimal
  int32_t byte_width() const noexcept { return a_; }     // kFixedBinary
  int32_t list_size() const noexcept { return a_; }      // kFixedSizeList
  bool keys_sorted() const noexcept { return a_ != 0; }  // kMap
  TimeUnit unit() const noexcept { return unit_; }       // kTime, kTimestamp, kDuration
  const std::string& timezone() const noexcept;          // kTimestamp; empty: none
  // Children: the element of a list, the fields of a struct, the entries of a map.
  const std::vector<Field>& fields() const noexcept;

  bool is_nested() const noexcept;
  bool is_bytes() const noexcept { return id_ == TypeId::kString || id_ == TypeId::kBinary; }
  // Bytes of a value in fixed-width storage as Colonnade lays it out (decimals 4, 8, 16 or 32 by
  // precision; see docs/design.md), 0 for types that are not stored with a fixed width of whole
  // bytes.
  int32_t storage_width() const noexcept;

  // "int32", "decimal(12, 2)", "timestamp[us, UTC]", "list<element: string>"
  std::string to_string() const;
  // Equal in everything but the field metadata and forms of children.
  COLONNADE_API friend bool operator==(const DataType& a, const DataType& b) noexcept;

 private:
  struct Extra;  // timezone and children
  TypeId id_ = TypeId::kNull;
  TimeUnit unit_ = TimeUnit::kSecond;
  int32_t a_ = 0;
  int32_t b_ = 0;
  std::shared_ptr<const Extra> extra_;
};

using KeyValue = std::pair<std::string, std::string>;

// The layout in which a field leaves through the Arrow interface; the exporter converts to it.
enum class Form : uint8_t {
  kDefault,    // utf8/binary/list with 32-bit offsets, decimal128 up to 38 digits, else decimal256
  kOffsets64,  // large_utf8, large_binary, large_list
  kViews,      // utf8_view, binary_view
  kDecimal32,
  kDecimal64,
  kDecimal128,
  kDecimal256,
};

// How arrays that come in through the Arrow interface are encoded where Colonnade's own are not: an
// ArrowArray does not say it, so the field that arrow::import_field made remembers it. Only
// arrow::import_column looks at it; what it makes has int32 ids, and no run ends.
struct ImportEncoding {
  enum class Integer : uint8_t { kInt8, kInt16, kInt32, kInt64, kUInt8, kUInt16, kUInt32, kUInt64 };
  Integer ids = Integer::kInt32;    // of a dictionary
  std::optional<Integer> run_ends;  // run-end-encoded, with run ends of this type
};

struct COLONNADE_API Field {
  std::string name;
  DataType type;
  bool nullable = true;
  std::vector<KeyValue> metadata = {};
  Form form = Form::kDefault;
  bool dictionary = false;  // leaves as dictionary<int32, form>
  bool dictionary_ordered = false;
  ImportEncoding import_encoding = {};

  std::string to_string() const;  // "name: type not null"
  // Equal in name, type and nullability.
  COLONNADE_API friend bool operator==(const Field& a, const Field& b) noexcept;
};

class COLONNADE_API Schema {
 public:
  Schema() = default;
  explicit Schema(std::vector<Field> fields, std::vector<KeyValue> metadata = {});

  const std::vector<Field>& fields() const noexcept { return fields_; }
  int32_t num_fields() const noexcept { return static_cast<int32_t>(fields_.size()); }
  const Field& field(int32_t index) const;  // kInvalidArgument outside
  const std::vector<KeyValue>& metadata() const noexcept { return metadata_; }
  // The first field of that exact name.
  std::optional<int32_t> index_of(std::string_view name) const noexcept;

  std::string to_string() const;  // a line per field
  // Equal fields in the same order.
  COLONNADE_API friend bool operator==(const Schema& a, const Schema& b) noexcept;

 private:
  std::vector<Field> fields_;
  std::vector<KeyValue> metadata_;
};

using SchemaPtr = std::shared_ptr<const Schema>;

}  // namespace colonnade
