#include "parquet/column/leaf_type.h"

#include "base/fail.h"

namespace colonnade::parquet {

namespace {

using Kind = LogicalType::Kind;

constexpr int32_t kMaxDecimalPrecision = 76;
constexpr int32_t kUuidBytes = 16;
constexpr int32_t kFloat16Bytes = 2;
constexpr int32_t kIntervalBytes = 12;

LogicalType integer(int32_t bit_width, bool is_signed) {
  LogicalType type;
  type.kind = Kind::kInteger;
  type.bit_width = bit_width;
  type.is_signed = is_signed;
  return type;
}

LogicalType of_kind(Kind kind) {
  LogicalType type;
  type.kind = kind;
  return type;
}

LogicalType in_utc(Kind kind, TimeUnit unit) {
  LogicalType type = of_kind(kind);
  type.unit = unit;
  type.adjusted_to_utc = true;
  return type;
}

LogicalType decimal(const SchemaElement& element) {
  LogicalType type = of_kind(Kind::kDecimal);
  type.precision = element.precision;
  type.scale = element.scale;
  return type;
}

LogicalType of_converted_type(ConvertedType converted, const SchemaElement& element) {
  switch (converted) {
    case ConvertedType::kUtf8:
      return of_kind(Kind::kString);
    case ConvertedType::kMap:
    case ConvertedType::kMapKeyValue:
      return of_kind(Kind::kMap);
    case ConvertedType::kList:
      return of_kind(Kind::kList);
    case ConvertedType::kEnum:
      return of_kind(Kind::kEnum);
    case ConvertedType::kDecimal:
      return decimal(element);
    case ConvertedType::kDate:
      return of_kind(Kind::kDate);
    case ConvertedType::kTimeMillis:
      return in_utc(Kind::kTime, TimeUnit::kMilli);
    case ConvertedType::kTimeMicros:
      return in_utc(Kind::kTime, TimeUnit::kMicro);
    case ConvertedType::kTimestampMillis:
      return in_utc(Kind::kTimestamp, TimeUnit::kMilli);
    case ConvertedType::kTimestampMicros:
      return in_utc(Kind::kTimestamp, TimeUnit::kMicro);
    case ConvertedType::kUint8:
      return integer(8, false);
    case ConvertedType::kUint16:
      return integer(16, false);
    case ConvertedType::kUint32:
      return integer(32, false);
    case ConvertedType::kUint64:
      return integer(64, false);
    case ConvertedType::kInt8:
      return integer(8, true);
    case ConvertedType::kInt16:
      return integer(16, true);
    case ConvertedType::kInt32:
      return integer(32, true);
    case ConvertedType::kInt64:
      return integer(64, true);
    case ConvertedType::kJson:
      return of_kind(Kind::kJson);
    case ConvertedType::kBson:
      return of_kind(Kind::kBson);
    case ConvertedType::kInterval:
      return of_kind(Kind::kNone);
  }
  return of_kind(Kind::kNone);
}

bool is_annotated(const SchemaElement& element) {
  return element.logical_type.kind != Kind::kNone &&
         element.logical_type.kind != Kind::kUnrecognised;
}

[[noreturn, gnu::cold]] void fail_contradiction(const SchemaElement& element, const char* logical) {
  fail(ErrorCode::kCorruptData, "logical type that its physical type cannot hold", "{} in {}",
       logical, name(*element.type));
}

void require(const SchemaElement& element, PhysicalType type, const char* logical) {
  if (element.type != type) fail_contradiction(element, logical);
}

void require_fixed(const SchemaElement& element, int32_t length, const char* logical) {
  require(element, PhysicalType::kFixedLenByteArray, logical);
  if (element.type_length == length) return;
  fail(ErrorCode::kCorruptData, "logical type that its physical type cannot hold",
       "{} in {} bytes, not {}", logical, element.type_length, length);
}

// Decimal digits that any two's complement number of `num_bytes` bytes can have: those of 2^(8n -
// 1) - 1, rounded down. 0.30103 is log10(2), exact enough up to 32 bytes.
int32_t digits_in(int32_t num_bytes) {
  if (num_bytes >= 32) return kMaxDecimalPrecision;
  return (8 * num_bytes - 1) * 30103 / 100000;
}

DataType physical(const SchemaElement& element, TimeUnit int96_unit) {
  switch (*element.type) {
    case PhysicalType::kBoolean:
      return DataType(TypeId::kBool);
    case PhysicalType::kInt32:
      return DataType(TypeId::kInt32);
    case PhysicalType::kInt64:
      return DataType(TypeId::kInt64);
    case PhysicalType::kInt96:
      return DataType::timestamp(int96_unit);
    case PhysicalType::kFloat:
      return DataType(TypeId::kFloat32);
    case PhysicalType::kDouble:
      return DataType(TypeId::kFloat64);
    case PhysicalType::kByteArray:
      return DataType(TypeId::kBinary);
    case PhysicalType::kFixedLenByteArray:
      return DataType::fixed_binary(element.type_length);
  }
  return {};
}

LeafType plain_type(const SchemaElement& element, TimeUnit int96_unit) {
  if (element.converted_type == ConvertedType::kInterval && !is_annotated(element)) {
    require_fixed(element, kIntervalBytes, "INTERVAL");
    return {DataType(TypeId::kIntervalMonthDayNano), {}};
  }
  return {physical(element, int96_unit), {}};
}

LeafType decimal_type(const SchemaElement& element, const LogicalType& logical) {
  int32_t max_precision = kMaxDecimalPrecision;
  switch (*element.type) {
    case PhysicalType::kInt32:
      max_precision = digits_in(4);
      break;
    case PhysicalType::kInt64:
      max_precision = digits_in(8);
      break;
    case PhysicalType::kFixedLenByteArray:
      max_precision = digits_in(element.type_length);
      break;
    case PhysicalType::kByteArray:
      break;
    case PhysicalType::kBoolean:
    case PhysicalType::kInt96:
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
      fail_contradiction(element, "DECIMAL");
  }
  if (logical.precision > kMaxDecimalPrecision) {
    return {physical(element, TimeUnit::kNano),
            fmt::format("decimals of more than {} digits are not read", kMaxDecimalPrecision)};
  }
  if (logical.precision > max_precision) {
    fail(ErrorCode::kCorruptData, "logical type that its physical type cannot hold",
         "DECIMAL of {} digits in {}, which holds {}", logical.precision, name(*element.type),
         max_precision);
  }
  return {DataType::decimal(logical.precision, logical.scale), {}};
}

DataType integer_type(const SchemaElement& element, const LogicalType& logical) {
  require(element, logical.bit_width == 64 ? PhysicalType::kInt64 : PhysicalType::kInt32,
          logical.bit_width == 64 ? "INTEGER of 64 bits" : "INTEGER of 8 to 32 bits");
  const bool is_signed = logical.is_signed;
  switch (logical.bit_width) {
    case 8:
      return DataType(is_signed ? TypeId::kInt8 : TypeId::kUInt8);
    case 16:
      return DataType(is_signed ? TypeId::kInt16 : TypeId::kUInt16);
    case 32:
      return DataType(is_signed ? TypeId::kInt32 : TypeId::kUInt32);
    default:
      return DataType(is_signed ? TypeId::kInt64 : TypeId::kUInt64);
  }
}

DataType time_type(const SchemaElement& element, const LogicalType& logical) {
  const bool milli = logical.unit == TimeUnit::kMilli;
  require(element, milli ? PhysicalType::kInt32 : PhysicalType::kInt64,
          milli ? "TIME in milliseconds" : "TIME in micro- or nanoseconds");
  return DataType::time(logical.unit);
}

}  // namespace

LogicalType effective_logical_type(const SchemaElement& element) {
  if (is_annotated(element)) return element.logical_type;
  if (element.converted_type) return of_converted_type(*element.converted_type, element);
  return of_kind(Kind::kNone);
}

std::string_view annotation_beyond_type(const SchemaElement& element) noexcept {
  switch (effective_logical_type(element).kind) {
    case Kind::kEnum:
      return "ENUM";
    case Kind::kJson:
      return "JSON";
    case Kind::kBson:
      return "BSON";
    case Kind::kUuid:
      return "UUID";
    case Kind::kVariant:
      return "VARIANT";
    case Kind::kGeometry:
      return "GEOMETRY";
    case Kind::kGeography:
      return "GEOGRAPHY";
    default:
      return {};
  }
}

LeafType leaf_type(const SchemaElement& element, TimeUnit int96_unit) {
  const LogicalType logical = effective_logical_type(element);
  switch (logical.kind) {
    case Kind::kNone:
    case Kind::kUnrecognised:
      return plain_type(element, int96_unit);
    case Kind::kString:
      require(element, PhysicalType::kByteArray, "STRING");
      return {DataType(TypeId::kString), {}};
    case Kind::kEnum:
      require(element, PhysicalType::kByteArray, "ENUM");
      return {DataType(TypeId::kString), {}};
    case Kind::kJson:
      require(element, PhysicalType::kByteArray, "JSON");
      return {DataType(TypeId::kString), {}};
    case Kind::kBson:
      require(element, PhysicalType::kByteArray, "BSON");
      return {DataType(TypeId::kBinary), {}};
    case Kind::kGeometry:
      require(element, PhysicalType::kByteArray, "GEOMETRY");
      return {DataType(TypeId::kBinary), {}};
    case Kind::kGeography:
      require(element, PhysicalType::kByteArray, "GEOGRAPHY");
      return {DataType(TypeId::kBinary), {}};
    case Kind::kDecimal:
      return decimal_type(element, logical);
    case Kind::kDate:
      require(element, PhysicalType::kInt32, "DATE");
      return {DataType(TypeId::kDate32), {}};
    case Kind::kTime:
      return {time_type(element, logical), {}};
    case Kind::kTimestamp:
      require(element, PhysicalType::kInt64, "TIMESTAMP");
      return {DataType::timestamp(logical.unit, logical.adjusted_to_utc ? "UTC" : ""), {}};
    case Kind::kInteger:
      return {integer_type(element, logical), {}};
    case Kind::kUuid:
      require_fixed(element, kUuidBytes, "UUID");
      return {DataType::fixed_binary(kUuidBytes), {}};
    case Kind::kFloat16:
      require_fixed(element, kFloat16Bytes, "FLOAT16");
      return {DataType(TypeId::kFloat16), {}};
    case Kind::kUnknown:
      return {DataType(TypeId::kNull), {}};
    case Kind::kMap:
      fail_contradiction(element, "MAP");
    case Kind::kList:
      fail_contradiction(element, "LIST");
    case Kind::kVariant:
      fail_contradiction(element, "VARIANT");
    case Kind::kFile:
      fail_contradiction(element, "FILE");
  }
  return plain_type(element, int96_unit);
}

}  // namespace colonnade::parquet
