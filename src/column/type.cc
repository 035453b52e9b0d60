#include <colonnade/type.h>

#include "base/fail.h"

namespace colonnade {

struct DataType::Extra {
  std::string timezone;
  std::vector<Field> fields;
};

namespace {

constexpr int32_t kMaxPrecision = 76;

const char* unit_name(TimeUnit unit) noexcept {
  switch (unit) {
    case TimeUnit::kSecond:
      return "s";
    case TimeUnit::kMilli:
      return "ms";
    case TimeUnit::kMicro:
      return "us";
    case TimeUnit::kNano:
      return "ns";
  }
  return "?";
}

// The name of a type without its parameters.
const char* base_name(TypeId id) noexcept {
  switch (id) {
    case TypeId::kNull:
      return "null";
    case TypeId::kBool:
      return "bool";
    case TypeId::kInt8:
      return "int8";
    case TypeId::kInt16:
      return "int16";
    case TypeId::kInt32:
      return "int32";
    case TypeId::kInt64:
      return "int64";
    case TypeId::kUInt8:
      return "uint8";
    case TypeId::kUInt16:
      return "uint16";
    case TypeId::kUInt32:
      return "uint32";
    case TypeId::kUInt64:
      return "uint64";
    case TypeId::kFloat16:
      return "float16";
    case TypeId::kFloat32:
      return "float32";
    case TypeId::kFloat64:
      return "float64";
    case TypeId::kDecimal:
      return "decimal";
    case TypeId::kDate32:
      return "date32";
    case TypeId::kDate64:
      return "date64";
    case TypeId::kTime:
      return "time";
    case TypeId::kTimestamp:
      return "timestamp";
    case TypeId::kDuration:
      return "duration";
    case TypeId::kIntervalMonths:
      return "interval[months]";
    case TypeId::kIntervalDayTime:
      return "interval[days, ms]";
    case TypeId::kIntervalMonthDayNano:
      return "interval[months, days, ns]";
    case TypeId::kString:
      return "string";
    case TypeId::kBinary:
      return "binary";
    case TypeId::kFixedBinary:
      return "fixed_binary";
    case TypeId::kList:
      return "list";
    case TypeId::kFixedSizeList:
      return "fixed_size_list";
    case TypeId::kStruct:
      return "struct";
    case TypeId::kMap:
      return "map";
  }
  return "unknown";
}

bool has_parameters(TypeId id) noexcept {
  switch (id) {
    case TypeId::kDecimal:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
    case TypeId::kFixedBinary:
    case TypeId::kList:
    case TypeId::kFixedSizeList:
    case TypeId::kStruct:
    case TypeId::kMap:
      return true;
    case TypeId::kNull:
    case TypeId::kBool:
    case TypeId::kInt8:
    case TypeId::kInt16:
    case TypeId::kInt32:
    case TypeId::kInt64:
    case TypeId::kUInt8:
    case TypeId::kUInt16:
    case TypeId::kUInt32:
    case TypeId::kUInt64:
    case TypeId::kFloat16:
    case TypeId::kFloat32:
    case TypeId::kFloat64:
    case TypeId::kDate32:
    case TypeId::kDate64:
    case TypeId::kIntervalMonths:
    case TypeId::kIntervalDayTime:
    case TypeId::kIntervalMonthDayNano:
    case TypeId::kString:
    case TypeId::kBinary:
      return false;
  }
  return false;
}

std::string join(const std::vector<Field>& fields) {
  std::string text;
  for (const Field& field : fields) {
    if (!text.empty()) text += ", ";
    text += field.to_string();
  }
  return text;
}

}  // namespace

DataType::DataType(TypeId id) : id_(id) {
  if (has_parameters(id)) {
    fail(ErrorCode::kInvalidArgument, "a type that needs parameters was asked for without them",
         "{}", base_name(id));
  }
}

DataType DataType::decimal(int32_t precision, int32_t scale) {
  if (precision < 1 || precision > kMaxPrecision) {
    fail(ErrorCode::kInvalidArgument, "decimal precision outside 1 to 76", "precision {}, scale {}",
         precision, scale);
  }
  DataType type;
  type.id_ = TypeId::kDecimal;
  type.a_ = precision;
  type.b_ = scale;
  return type;
}

DataType DataType::time(TimeUnit unit) {
  DataType type;
  type.id_ = TypeId::kTime;
  type.unit_ = unit;
  return type;
}

DataType DataType::timestamp(TimeUnit unit, std::string timezone) {
  DataType type;
  type.id_ = TypeId::kTimestamp;
  type.unit_ = unit;
  if (!timezone.empty())
    type.extra_ = std::make_shared<const Extra>(Extra{std::move(timezone), {}});
  return type;
}

DataType DataType::duration(TimeUnit unit) {
  DataType type;
  type.id_ = TypeId::kDuration;
  type.unit_ = unit;
  return type;
}

DataType DataType::fixed_binary(int32_t byte_width) {
  if (byte_width < 0) {
    fail(ErrorCode::kInvalidArgument, "negative width of a fixed binary type", "{} bytes",
         byte_width);
  }
  DataType type;
  type.id_ = TypeId::kFixedBinary;
  type.a_ = byte_width;
  return type;
}

DataType DataType::list(Field element) {
  DataType type;
  type.id_ = TypeId::kList;
  type.extra_ = std::make_shared<const Extra>(Extra{{}, {std::move(element)}});
  return type;
}

DataType DataType::fixed_size_list(Field element, int32_t list_size) {
  if (list_size < 0) {
    fail(ErrorCode::kInvalidArgument, "negative size of a fixed-size list type", "{} elements",
         list_size);
  }
  DataType type;
  type.id_ = TypeId::kFixedSizeList;
  type.a_ = list_size;
  type.extra_ = std::make_shared<const Extra>(Extra{{}, {std::move(element)}});
  return type;
}

DataType DataType::struct_of(std::vector<Field> fields) {
  DataType type;
  type.id_ = TypeId::kStruct;
  type.extra_ = std::make_shared<const Extra>(Extra{{}, std::move(fields)});
  return type;
}

DataType DataType::map(Field key, Field value, bool keys_sorted) {
  Field entries{"entries", struct_of({std::move(key), std::move(value)}), false};
  return map_of_entries(std::move(entries), keys_sorted);
}

DataType DataType::map_of_entries(Field entries, bool keys_sorted) {
  if (entries.type.id() != TypeId::kStruct || entries.type.fields().size() != 2 ||
      entries.nullable) {
    fail(ErrorCode::kInvalidArgument,
         "the entries of a map are not a required struct of two fields", "{}", entries.to_string());
  }
  if (entries.type.fields()[0].nullable) {
    fail(ErrorCode::kInvalidArgument, "nullable key of a map", "{}",
         entries.type.fields()[0].to_string());
  }
  DataType type;
  type.id_ = TypeId::kMap;
  type.a_ = keys_sorted ? 1 : 0;
  type.extra_ = std::make_shared<const Extra>(Extra{{}, {std::move(entries)}});
  return type;
}

const std::string& DataType::timezone() const noexcept {
  static const std::string none;
  return extra_ ? extra_->timezone : none;
}

const std::vector<Field>& DataType::fields() const noexcept {
  static const std::vector<Field> none;
  return extra_ ? extra_->fields : none;
}

bool DataType::is_nested() const noexcept {
  return id_ == TypeId::kList || id_ == TypeId::kFixedSizeList || id_ == TypeId::kStruct ||
         id_ == TypeId::kMap;
}

int32_t DataType::storage_width() const noexcept {
  switch (id_) {
    case TypeId::kInt8:
    case TypeId::kUInt8:
      return 1;
    case TypeId::kInt16:
    case TypeId::kUInt16:
    case TypeId::kFloat16:
      return 2;
    case TypeId::kInt32:
    case TypeId::kUInt32:
    case TypeId::kFloat32:
    case TypeId::kDate32:
    case TypeId::kIntervalMonths:
      return 4;
    case TypeId::kInt64:
    case TypeId::kUInt64:
    case TypeId::kFloat64:
    case TypeId::kDate64:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
    case TypeId::kIntervalDayTime:
      return 8;
    case TypeId::kIntervalMonthDayNano:
      return 16;
    case TypeId::kTime:
      return unit_ == TimeUnit::kSecond || unit_ == TimeUnit::kMilli ? 4 : 8;
    case TypeId::kDecimal:
      return a_ <= 9 ? 4 : a_ <= 18 ? 8 : a_ <= 38 ? 16 : 32;
    case TypeId::kFixedBinary:
      return a_;
    case TypeId::kNull:
    case TypeId::kBool:
    case TypeId::kString:
    case TypeId::kBinary:
    case TypeId::kList:
    case TypeId::kFixedSizeList:
    case TypeId::kStruct:
    case TypeId::kMap:
      return 0;
  }
  return 0;
}

std::string DataType::to_string() const {
  switch (id_) {
    case TypeId::kDecimal:
      return fmt::format("decimal({}, {})", a_, b_);
    case TypeId::kTime:
    case TypeId::kDuration:
      return fmt::format("{}[{}]", base_name(id_), unit_name(unit_));
    case TypeId::kTimestamp:
      if (timezone().empty()) return fmt::format("timestamp[{}]", unit_name(unit_));
      return fmt::format("timestamp[{}, {}]", unit_name(unit_), timezone());
    case TypeId::kFixedBinary:
      return fmt::format("fixed_binary({})", a_);
    case TypeId::kList:
    case TypeId::kStruct:
      return fmt::format("{}<{}>", base_name(id_), join(fields()));
    case TypeId::kFixedSizeList:
      return fmt::format("fixed_size_list<{}>[{}]", join(fields()), a_);
    case TypeId::kMap:
      return fmt::format("map<{}{}>", join(fields()[0].type.fields()),
                         keys_sorted() ? ", keys sorted" : "");
    case TypeId::kNull:
    case TypeId::kBool:
    case TypeId::kInt8:
    case TypeId::kInt16:
    case TypeId::kInt32:
    case TypeId::kInt64:
    case TypeId::kUInt8:
    case TypeId::kUInt16:
    case TypeId::kUInt32:
    case TypeId::kUInt64:
    case TypeId::kFloat16:
    case TypeId::kFloat32:
    case TypeId::kFloat64:
    case TypeId::kDate32:
    case TypeId::kDate64:
    case TypeId::kIntervalMonths:
    case TypeId::kIntervalDayTime:
    case TypeId::kIntervalMonthDayNano:
    case TypeId::kString:
    case TypeId::kBinary:
      return base_name(id_);
  }
  return "unknown";
}

bool operator==(const DataType& a, const DataType& b) noexcept {
  if (a.id_ != b.id_ || a.unit_ != b.unit_ || a.a_ != b.a_ || a.b_ != b.b_) return false;
  if (a.extra_ == b.extra_) return true;
  return a.timezone() == b.timezone() && a.fields() == b.fields();
}

}  // namespace colonnade
