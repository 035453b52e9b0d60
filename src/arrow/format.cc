#include "arrow/format.h"

#include <charconv>
#include <optional>

#include "base/fail.h"
#include "column/layout.h"

namespace colonnade::arrow {
namespace {

using Kind = ParsedFormat::Kind;

[[noreturn]] void fail_form(const Field& field, const char* form) {
  fail(ErrorCode::kInvalidArgument, "form of a field does not fit its type", "{} as {}",
       field.to_string(), form);
}

const char* name_of(Form form) noexcept {
  switch (form) {
    case Form::kDefault:
      return "default";
    case Form::kOffsets64:
      return "64-bit offsets";
    case Form::kViews:
      return "views";
    case Form::kDecimal32:
      return "decimal32";
    case Form::kDecimal64:
      return "decimal64";
    case Form::kDecimal128:
      return "decimal128";
    case Form::kDecimal256:
      return "decimal256";
  }
  return "unknown";
}

int32_t decimal_width(const Field& field) {
  int32_t width = 0;
  switch (field.form) {
    case Form::kDefault:
      return field.type.precision() <= 38 ? 16 : 32;
    case Form::kDecimal32:
      width = 4;
      break;
    case Form::kDecimal64:
      width = 8;
      break;
    case Form::kDecimal128:
      width = 16;
      break;
    case Form::kDecimal256:
      width = 32;
      break;
    case Form::kOffsets64:
    case Form::kViews:
      break;
  }
  if (width < field.type.storage_width()) fail_form(field, name_of(field.form));
  return width;
}

char unit_letter(TimeUnit unit) noexcept { return "smun"[static_cast<size_t>(unit)]; }

std::optional<TimeUnit> parse_unit(char letter) noexcept {
  switch (letter) {
    case 's':
      return TimeUnit::kSecond;
    case 'm':
      return TimeUnit::kMilli;
    case 'u':
      return TimeUnit::kMicro;
    case 'n':
      return TimeUnit::kNano;
    default:
      return std::nullopt;
  }
}

// The number at the front of `text`, taken away from it with the comma behind it.
std::optional<int32_t> take_number(std::string_view& text) noexcept {
  int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  if (!text.empty()) {
    if (text[0] != ',' || text.size() == 1) return std::nullopt;
    text.remove_prefix(1);
  }
  return number;
}

ParsedFormat plain(TypeId id, Form form = Form::kDefault) {
  return {Kind::kType, DataType(id), form, 0};
}

std::optional<ParsedFormat> parse_decimal(std::string_view parameters) {
  const auto precision = take_number(parameters);
  if (!precision || parameters.empty()) return std::nullopt;
  const auto scale = take_number(parameters);
  if (!scale) return std::nullopt;
  int32_t bits = 128;
  if (!parameters.empty()) {
    const auto given = take_number(parameters);
    if (!given || !parameters.empty()) return std::nullopt;
    bits = *given;
  }
  ParsedFormat parsed;
  int32_t max_precision = 0;
  switch (bits) {
    case 32:
      parsed.form = Form::kDecimal32;
      max_precision = 9;
      break;
    case 64:
      parsed.form = Form::kDecimal64;
      max_precision = 18;
      break;
    case 128:
      max_precision = 38;
      break;
    case 256:
      parsed.form = Form::kDecimal256;
      max_precision = 76;
      break;
    default:
      return std::nullopt;
  }
  if (*precision < 1 || *precision > max_precision) return std::nullopt;
  parsed.type = DataType::decimal(*precision, *scale);
  // The default form of more than 38 digits is decimal256 already.
  if (parsed.form == Form::kDecimal256 && *precision > 38) parsed.form = Form::kDefault;
  return parsed;
}

std::optional<ParsedFormat> parse_temporal(std::string_view format) {
  if (format == "tdD") return plain(TypeId::kDate32);
  if (format == "tdm") return plain(TypeId::kDate64);
  if (format == "tiM") return plain(TypeId::kIntervalMonths);
  if (format == "tiD") return plain(TypeId::kIntervalDayTime);
  if (format == "tin") return plain(TypeId::kIntervalMonthDayNano);
  if (format.size() < 3) return std::nullopt;
  const auto unit = parse_unit(format[2]);
  if (!unit) return std::nullopt;
  if (format[1] == 't' && format.size() == 3)
    return ParsedFormat{Kind::kType, DataType::time(*unit), {}, 0};
  if (format[1] == 'D' && format.size() == 3) {
    return ParsedFormat{Kind::kType, DataType::duration(*unit), {}, 0};
  }
  if (format[1] == 's' && format.size() >= 4 && format[3] == ':') {
    return ParsedFormat{
        Kind::kType, DataType::timestamp(*unit, std::string(format.substr(4))), {}, 0};
  }
  return std::nullopt;
}

std::optional<ParsedFormat> parse_nested(std::string_view format) {
  if (format == "+l") return ParsedFormat{Kind::kList, {}, {}, 0};
  if (format == "+L") return ParsedFormat{Kind::kLargeList, {}, {}, 0};
  if (format == "+s") return ParsedFormat{Kind::kStruct, {}, {}, 0};
  if (format == "+m") return ParsedFormat{Kind::kMap, {}, {}, 0};
  if (format == "+r") return ParsedFormat{Kind::kRunEndEncoded, {}, {}, 0};
  if (format.starts_with("+w:")) {
    format.remove_prefix(3);
    const auto size = take_number(format);
    if (size && format.empty() && *size >= 0)
      return ParsedFormat{Kind::kFixedSizeList, {}, {}, *size};
  }
  return std::nullopt;
}

std::optional<ParsedFormat> parse_plain(std::string_view format) {
  if (format == "vu") return plain(TypeId::kString, Form::kViews);
  if (format == "vz") return plain(TypeId::kBinary, Form::kViews);
  if (format.size() != 1) return std::nullopt;
  switch (format[0]) {
    case 'n':
      return plain(TypeId::kNull);
    case 'b':
      return plain(TypeId::kBool);
    case 'c':
      return plain(TypeId::kInt8);
    case 'C':
      return plain(TypeId::kUInt8);
    case 's':
      return plain(TypeId::kInt16);
    case 'S':
      return plain(TypeId::kUInt16);
    case 'i':
      return plain(TypeId::kInt32);
    case 'I':
      return plain(TypeId::kUInt32);
    case 'l':
      return plain(TypeId::kInt64);
    case 'L':
      return plain(TypeId::kUInt64);
    case 'e':
      return plain(TypeId::kFloat16);
    case 'f':
      return plain(TypeId::kFloat32);
    case 'g':
      return plain(TypeId::kFloat64);
    case 'z':
      return plain(TypeId::kBinary);
    case 'Z':
      return plain(TypeId::kBinary, Form::kOffsets64);
    case 'u':
      return plain(TypeId::kString);
    case 'U':
      return plain(TypeId::kString, Form::kOffsets64);
    default:
      return std::nullopt;
  }
}

}  // namespace

Layout layout_of(const Field& field) {
  const Storage usual = default_storage(field.type);
  if (field.type.id() == TypeId::kDecimal) return {usual, decimal_width(field)};
  switch (field.form) {
    case Form::kDefault:
      return {usual, usual == Storage::kFixed ? field.type.storage_width() : 0};
    case Form::kOffsets64:
      if (usual == Storage::kOffsets32) return {Storage::kOffsets64, 0};
      if (field.type.id() == TypeId::kList) return {Storage::kList64, 0};
      break;
    case Form::kViews:
      if (usual == Storage::kOffsets32) return {Storage::kViews, 0};
      break;
    case Form::kDecimal32:
    case Form::kDecimal64:
    case Form::kDecimal128:
    case Form::kDecimal256:
      break;
  }
  fail_form(field, name_of(field.form));
}

std::string format_of(const Field& field) {
  const Layout layout = layout_of(field);
  const DataType& type = field.type;
  switch (type.id()) {
    case TypeId::kNull:
      return "n";
    case TypeId::kBool:
      return "b";
    case TypeId::kInt8:
      return "c";
    case TypeId::kUInt8:
      return "C";
    case TypeId::kInt16:
      return "s";
    case TypeId::kUInt16:
      return "S";
    case TypeId::kInt32:
      return "i";
    case TypeId::kUInt32:
      return "I";
    case TypeId::kInt64:
      return "l";
    case TypeId::kUInt64:
      return "L";
    case TypeId::kFloat16:
      return "e";
    case TypeId::kFloat32:
      return "f";
    case TypeId::kFloat64:
      return "g";
    case TypeId::kDecimal:
      if (layout.byte_width == 16) return fmt::format("d:{},{}", type.precision(), type.scale());
      return fmt::format("d:{},{},{}", type.precision(), type.scale(), layout.byte_width * 8);
    case TypeId::kDate32:
      return "tdD";
    case TypeId::kDate64:
      return "tdm";
    case TypeId::kTime:
      return fmt::format("tt{}", unit_letter(type.unit()));
    case TypeId::kTimestamp:
      return fmt::format("ts{}:{}", unit_letter(type.unit()), type.timezone());
    case TypeId::kDuration:
      return fmt::format("tD{}", unit_letter(type.unit()));
    case TypeId::kIntervalMonths:
      return "tiM";
    case TypeId::kIntervalDayTime:
      return "tiD";
    case TypeId::kIntervalMonthDayNano:
      return "tin";
    case TypeId::kString:
      return layout.storage == Storage::kViews       ? "vu"
             : layout.storage == Storage::kOffsets64 ? "U"
                                                     : "u";
    case TypeId::kBinary:
      return layout.storage == Storage::kViews       ? "vz"
             : layout.storage == Storage::kOffsets64 ? "Z"
                                                     : "z";
    case TypeId::kFixedBinary:
      return fmt::format("w:{}", type.byte_width());
    case TypeId::kList:
      return layout.storage == Storage::kList64 ? "+L" : "+l";
    case TypeId::kFixedSizeList:
      return fmt::format("+w:{}", type.list_size());
    case TypeId::kStruct:
      return "+s";
    case TypeId::kMap:
      return "+m";
  }
  fail(ErrorCode::kInternal, "type without an Arrow format", "{}", field.to_string());
}

ParsedFormat parse_format(std::string_view format, std::string_view field_name) {
  std::optional<ParsedFormat> parsed = parse_plain(format);
  bool known = true;
  if (!parsed && format.starts_with("d:")) {
    parsed = parse_decimal(format.substr(2));
  } else if (!parsed && format.starts_with("w:")) {
    std::string_view parameters = format.substr(2);
    const auto width = take_number(parameters);
    if (width && parameters.empty() && *width >= 0) {
      parsed = ParsedFormat{Kind::kType, DataType::fixed_binary(*width), {}, 0};
    }
  } else if (!parsed && format.starts_with("t")) {
    parsed = parse_temporal(format);
  } else if (!parsed) {
    parsed = parse_nested(format);
    known = format.starts_with("+w:");
  }
  if (parsed) return *parsed;
  if (known) {
    fail(ErrorCode::kCorruptData, "malformed Arrow format", "'{}' of field '{}'", format,
         field_name);
  }
  const char* what = format.starts_with("+u")   ? "unions are not supported"
                     : format.starts_with("+v") ? "list views are not supported"
                                                : "unknown Arrow format";
  fail(ErrorCode::kNotSupported, what, "'{}' of field '{}'", format, field_name);
}

ImportEncoding::Integer parse_integer_format(std::string_view format, std::string_view field_name) {
  using Integer = ImportEncoding::Integer;
  if (format == "c") return Integer::kInt8;
  if (format == "s") return Integer::kInt16;
  if (format == "i") return Integer::kInt32;
  if (format == "l") return Integer::kInt64;
  if (format == "C") return Integer::kUInt8;
  if (format == "S") return Integer::kUInt16;
  if (format == "I") return Integer::kUInt32;
  if (format == "L") return Integer::kUInt64;
  fail(ErrorCode::kNotSupported, "dictionary ids or run ends that are not integers",
       "'{}' of field '{}'", format, field_name);
}

int32_t width_of(ImportEncoding::Integer integer) noexcept {
  return 1 << (static_cast<int32_t>(integer) % 4);
}

bool is_signed(ImportEncoding::Integer integer) noexcept {
  return integer <= ImportEncoding::Integer::kInt64;
}

}  // namespace colonnade::arrow
