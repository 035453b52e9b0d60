#include "parquet/format/statistics_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include <colonnade/column.h>

#include "base/utf8.h"
#include "column/layout.h"
#include "column/scalar_text.h"

namespace colonnade::parquet {

namespace {

constexpr size_t kMaxFixedBytes = 32;

// A value as columns hold it: little endian, of the storage's width.
struct FixedValue {
  alignas(8) std::array<uint8_t, kMaxFixedBytes> bytes{};
};

// Whether signed comparison of the plain value is the type's order, so that the deprecated min and
// max can be trusted. Of decimals in bytes, unsigned integers, strings and binary it is not.
bool has_signed_order(PhysicalType physical_type, const DataType& type) {
  switch (physical_type) {
    case PhysicalType::kBoolean:
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
      return true;
    case PhysicalType::kInt32:
    case PhysicalType::kInt64:
      return type.id() != TypeId::kUInt8 && type.id() != TypeId::kUInt16 &&
             type.id() != TypeId::kUInt32 && type.id() != TypeId::kUInt64;
    case PhysicalType::kInt96:
    case PhysicalType::kByteArray:
    case PhysicalType::kFixedLenByteArray:
      return false;
  }
  return false;
}

// The width of a plain value; 0 where it may have any.
size_t plain_bytes(PhysicalType physical_type) {
  switch (physical_type) {
    case PhysicalType::kBoolean:
      return 1;
    case PhysicalType::kInt32:
    case PhysicalType::kFloat:
      return 4;
    case PhysicalType::kInt64:
    case PhysicalType::kDouble:
      return 8;
    case PhysicalType::kInt96:
      return 12;
    case PhysicalType::kByteArray:
    case PhysicalType::kFixedLenByteArray:
      return 0;
  }
  return 0;
}

// Two's complement, most significant byte first.
std::optional<FixedValue> decimal_of_big_endian(std::string_view plain) {
  if (plain.empty() || plain.size() > kMaxFixedBytes) return std::nullopt;
  FixedValue value;
  value.bytes.fill(static_cast<uint8_t>(plain[0]) >= 0x80 ? 0xff : 0);
  std::copy(plain.rbegin(), plain.rend(), value.bytes.begin());
  return value;
}

// Two's complement, least significant byte first.
FixedValue decimal_of_integer(std::string_view plain) {
  FixedValue value;
  value.bytes.fill(static_cast<uint8_t>(plain.back()) >= 0x80 ? 0xff : 0);
  std::copy(plain.begin(), plain.end(), value.bytes.begin());
  return value;
}

std::string text_of(ColumnParts parts) {
  parts.length = 1;
  parts.null_count = 0;
  const ColumnPtr column = Column::make(std::move(parts));
  std::string text;
  append_text(text, ScalarRef(*column, 0));
  return text;
}

std::string text_of_fixed(const DataType& type, const FixedValue& value, int32_t byte_width) {
  ColumnParts parts;
  parts.type = type;
  parts.storage = Storage::kFixed;
  parts.byte_width = byte_width;
  parts.values = Buffer::wrap(value.bytes.data(), byte_width, nullptr);
  return text_of(std::move(parts));
}

std::string text_of_bytes(const DataType& type, std::string_view plain) {
  const std::array<int32_t, 2> offsets = {0, static_cast<int32_t>(plain.size())};
  ColumnParts parts;
  parts.type = type;
  parts.storage = Storage::kOffsets32;
  parts.offsets = Buffer::wrap(offsets.data(), sizeof(offsets), nullptr);
  parts.bytes = Buffer::wrap(plain.data(), static_cast<int64_t>(plain.size()), nullptr);
  return text_of(std::move(parts));
}

std::string with_replacements(std::string_view text) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = utf8::sequence_length(text);
    out += length != 0 ? text.substr(0, length) : kReplacement;
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

bool is_nan(const DataType& type, std::string_view plain) {
  if (type.id() == TypeId::kFloat16) {
    const auto high = static_cast<uint8_t>(plain[1]);
    return (high & 0x7c) == 0x7c && ((high & 0x03) != 0 || plain[0] != 0);
  }
  if (type.id() == TypeId::kFloat32) {
    float value;
    std::memcpy(&value, plain.data(), sizeof(value));
    return std::isnan(value);
  }
  if (type.id() == TypeId::kFloat64) {
    double value;
    std::memcpy(&value, plain.data(), sizeof(value));
    return std::isnan(value);
  }
  return false;
}

std::optional<std::string> decimal_text(PhysicalType physical_type, const DataType& type,
                                        std::string_view plain) {
  const bool integer =
      physical_type == PhysicalType::kInt32 || physical_type == PhysicalType::kInt64;
  const std::optional<FixedValue> value =
      integer ? decimal_of_integer(plain) : decimal_of_big_endian(plain);
  if (!value) return std::nullopt;
  return text_of_fixed(type, *value, kMaxFixedBytes);
}

// `plain`: a value as PLAIN writes it, without a length in front.
std::optional<std::string> value_text(PhysicalType physical_type, const DataType& type,
                                      std::string_view plain) {
  if (plain.size() > INT32_MAX) return std::nullopt;
  const size_t expected_bytes = plain_bytes(physical_type);
  if (expected_bytes != 0 && plain.size() != expected_bytes) return std::nullopt;
  if (physical_type == PhysicalType::kInt96) return std::nullopt;
  switch (type.id()) {
    case TypeId::kBool:
      return plain[0] != 0 ? "true" : "false";
    case TypeId::kDecimal:
      return decimal_text(physical_type, type, plain);
    case TypeId::kString:
      return with_replacements(plain);
    case TypeId::kBinary:
      return text_of_bytes(type, plain);
    case TypeId::kFixedBinary:
      // A bound of fixed-length values may be cut short.
      return text_of_bytes(DataType(TypeId::kBinary), plain);
    case TypeId::kNull:
      return std::nullopt;
    default:
      break;
  }
  const auto width = static_cast<size_t>(type.storage_width());
  if (width == 0 || width > plain.size() || (expected_bytes == 0 && plain.size() != width))
    return std::nullopt;
  if (is_nan(type, plain)) return std::nullopt;
  // Narrow integers lie in the low bytes of the plain value.
  FixedValue value;
  std::copy_n(plain.begin(), width, value.bytes.begin());
  return text_of_fixed(type, value, static_cast<int32_t>(width));
}

}  // namespace

StatisticsText statistics_text(const Statistics& statistics, PhysicalType physical_type,
                               const Field& field) {
  StatisticsText text;
  const DataType& type = field.type;
  if (type.is_nested()) return text;
  const std::string* min = nullptr;
  const std::string* max = nullptr;
  if (!statistics.unknown_order) {
    if (statistics.min_value) min = &*statistics.min_value;
    if (statistics.max_value) max = &*statistics.max_value;
  }
  if (min == nullptr && max == nullptr && has_signed_order(physical_type, type)) {
    if (statistics.min) min = &*statistics.min;
    if (statistics.max) max = &*statistics.max;
  }
  if (min != nullptr) text.min = value_text(physical_type, type, *min);
  if (max != nullptr) text.max = value_text(physical_type, type, *max);
  return text;
}

}  // namespace colonnade::parquet
