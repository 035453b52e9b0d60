#include "column/scalar_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "base/json.h"
#include "column/date_time_text.h"

namespace colonnade {
namespace {

// The shortest text that names this half among all halves: five digits always do.
void append_half(std::string& out, double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);
  // Neighbours are 2^-11 of the power of two above the value apart (2^-24 near zero); below a power
  // of two half of that.
  const double step = std::max(std::ldexp(1.0, exponent - 11), 0x1p-24);
  const double nearest = fraction == 0.5 ? step / 4 : step / 2;
  for (int digits = 1; digits <= 5; ++digits) {
    const std::string text = fmt::format("{:.{}g}", value, digits);
    if (digits == 5 || std::abs(std::strtod(text.c_str(), nullptr) - value) < nearest) {
      out += text;
      return;
    }
  }
}

// Text without point or exponent gets ".0": it would be read as an integer, which has no -0.
void append_float(std::string& out, const ScalarRef& value) {
  const double number = value.as_double();
  const size_t begin = out.size();
  if (std::isnan(number)) {
    out += "nan";
  } else if (std::isinf(number)) {
    out += number < 0 ? "-inf" : "inf";
  } else if (value.type().id() == TypeId::kFloat16) {
    append_half(out, number);
  } else if (value.type().id() == TypeId::kFloat32) {
    fmt::format_to(std::back_inserter(out), "{}", static_cast<float>(number));
  } else {
    fmt::format_to(std::back_inserter(out), "{}", number);
  }
  if (out.find_first_not_of("-0123456789", begin) == std::string::npos) out += ".0";
}

void append_json_list(std::string& out, const ScalarRange& list, const TextOptions& options) {
  out.push_back('[');
  for (int64_t i = 0; i < list.length; ++i) {
    if (i > 0) out.push_back(',');
    append_json(out, list[i], options);
  }
  out.push_back(']');
}

void append_json_struct(std::string& out, const ScalarRef& value, const TextOptions& options) {
  const std::vector<Field>& fields = value.type().fields();
  out.push_back('{');
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out.push_back(',');
    json::append_string(out, fields[i].name);
    out.push_back(':');
    append_json(out, value.field(i), options);
  }
  out.push_back('}');
}

void append_json_map(std::string& out, const ScalarRange& entries, const TextOptions& options) {
  out.push_back('{');
  for (int64_t i = 0; i < entries.length; ++i) {
    if (i > 0) out.push_back(',');
    const ScalarRef entry = entries[i];
    std::string key;
    if (entry.field(0).is_valid()) append_text(key, entry.field(0), options);
    json::append_string(out, key);
    out.push_back(':');
    append_json(out, entry.field(1), options);
  }
  out.push_back('}');
}

}  // namespace

void append_hex(std::string& out, std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    out.push_back(kDigits[byte >> 4]);
    out.push_back(kDigits[byte & 15]);
  }
}

void append_text(std::string& out, const ScalarRef& value, const TextOptions& options) {
  const DataType& type = value.type();
  switch (type.id()) {
    case TypeId::kNull:
      return;
    case TypeId::kBool:
      out += value.as_bool() ? "true" : "false";
      return;
    case TypeId::kInt8:
    case TypeId::kInt16:
    case TypeId::kInt32:
    case TypeId::kInt64:
      fmt::format_to(std::back_inserter(out), "{}", value.as_int64());
      return;
    case TypeId::kUInt8:
    case TypeId::kUInt16:
    case TypeId::kUInt32:
    case TypeId::kUInt64:
      fmt::format_to(std::back_inserter(out), "{}", value.as_uint64());
      return;
    case TypeId::kFloat16:
    case TypeId::kFloat32:
    case TypeId::kFloat64:
      append_float(out, value);
      return;
    case TypeId::kDecimal:
      out += value.as_decimal().to_string(type.scale());
      return;
    case TypeId::kDate32:
      append_date(out, value.as_int64());
      return;
    case TypeId::kDate64: {
      constexpr int64_t kMillisecondsPerDay = 86'400'000;
      const int64_t milliseconds = value.as_int64();
      append_date(out, milliseconds / kMillisecondsPerDay -
                           (milliseconds % kMillisecondsPerDay < 0 ? 1 : 0));
      return;
    }
    case TypeId::kTime:
      append_time(out, value.as_int64(), type.unit());
      return;
    case TypeId::kTimestamp:
      append_timestamp(out, value.as_int64(), type.unit(), options.timestamp_separator,
                       !type.timezone().empty());
      return;
    case TypeId::kDuration:
      append_duration(out, value.as_int64(), type.unit());
      return;
    case TypeId::kIntervalMonths:
    case TypeId::kIntervalDayTime:
    case TypeId::kIntervalMonthDayNano:
      append_interval(out, value.as_interval());
      return;
    case TypeId::kString:
      out += value.as_bytes();
      return;
    case TypeId::kBinary:
    case TypeId::kFixedBinary:
      if (options.binary == BinaryText::kHex) {
        append_hex(out, value.as_bytes());
      } else {
        out += value.as_bytes();
      }
      return;
    case TypeId::kList:
    case TypeId::kFixedSizeList:
    case TypeId::kStruct:
    case TypeId::kMap:
      append_json(out, value, options);
      return;
  }
}

void append_json(std::string& out, const ScalarRef& value, const TextOptions& options) {
  if (!value.is_valid()) {
    out += "null";
    return;
  }
  switch (value.type().id()) {
    case TypeId::kBool:
    case TypeId::kInt8:
    case TypeId::kInt16:
    case TypeId::kInt32:
    case TypeId::kInt64:
    case TypeId::kUInt8:
    case TypeId::kUInt16:
    case TypeId::kUInt32:
    case TypeId::kUInt64:
    case TypeId::kDecimal:
      append_text(out, value, options);
      return;
    case TypeId::kFloat16:
    case TypeId::kFloat32:
    case TypeId::kFloat64: {
      const double number = value.as_double();
      if (std::isfinite(number)) {
        append_float(out, value);
      } else {
        out += std::isnan(number) ? "\"NaN\"" : number < 0 ? "\"-Infinity\"" : "\"Infinity\"";
      }
      return;
    }
    case TypeId::kList:
    case TypeId::kFixedSizeList:
      append_json_list(out, value.as_list(), options);
      return;
    case TypeId::kStruct:
      append_json_struct(out, value, options);
      return;
    case TypeId::kMap:
      append_json_map(out, value.as_list(), options);
      return;
    case TypeId::kString:
      json::append_string(out, value.as_bytes());
      return;
    case TypeId::kBinary:
    case TypeId::kFixedBinary:
      out.push_back('"');
      append_hex(out, value.as_bytes());
      out.push_back('"');
      return;
    case TypeId::kNull:
    case TypeId::kDate32:
    case TypeId::kDate64:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
    case TypeId::kIntervalMonths:
    case TypeId::kIntervalDayTime:
    case TypeId::kIntervalMonthDayNano:
      out.push_back('"');
      append_text(out, value, options);
      out.push_back('"');
      return;
  }
}

}  // namespace colonnade
