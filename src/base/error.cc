#include <colonnade/error.h>

#include <algorithm>
#include <system_error>

namespace colonnade {

const char* error_code_name(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid argument";
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kPermissionDenied:
      return "permission denied";
    case ErrorCode::kIo:
      return "I/O error";
    case ErrorCode::kCorruptData:
      return "corrupt data";
    case ErrorCode::kNotSupported:
      return "not supported";
    case ErrorCode::kOutOfBudget:
      return "out of budget";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kDataError:
      return "data error";
    case ErrorCode::kInternal:
      return "internal error";
  }
  return "unknown error";
}

namespace {

// "file 'a.parquet', column 'k', row group 2, page at 4"; empty when nothing is known.
std::string describe(const Place& place) {
  std::string where;
  const auto part = [&where]() -> std::string& { return where.empty() ? where : where += ", "; };
  if (!place.file.empty()) part().append("file '").append(place.file).append("'");
  if (!place.column.empty()) part().append("column '").append(place.column).append("'");
  if (place.row_group >= 0) part().append("row group ").append(std::to_string(place.row_group));
  if (place.page_offset >= 0) part().append("page at ").append(std::to_string(place.page_offset));
  return where;
}

// A message is one line, whatever names and values were put into it: control characters come out
// as escapes.
std::string one_line(std::string message) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (std::none_of(message.begin(), message.end(), is_control)) return message;
  std::string escaped;
  for (const char c : message) {
    if (!is_control(c)) {
      escaped += c;
    } else if (c == '\n') {
      escaped += "\\n";
    } else {
      constexpr char kDigits[] = "0123456789abcdef";
      escaped += "\\x";
      escaped += kDigits[static_cast<unsigned char>(c) >> 4];
      escaped += kDigits[c & 0xF];
    }
  }
  return escaped;
}

}  // namespace

Error::Error(ErrorCode code, std::string what_happened, std::string values)
    : code_(code), what_happened_(std::move(what_happened)), values_(std::move(values)) {
  compose();
}

Error& Error::locate(const Place& place) {
  if (place_.file.empty()) place_.file = place.file;
  if (place_.column.empty()) place_.column = place.column;
  if (place_.row_group < 0) place_.row_group = place.row_group;
  if (place_.page_offset < 0) place_.page_offset = place.page_offset;
  compose();
  return *this;
}

Error& Error::with_errno(int system_errno) {
  system_errno_ = system_errno;
  compose();
  return *this;
}

Error& Error::with_class(std::string error_class,
                         std::vector<std::pair<std::string, std::string>> parameters) {
  error_class_ = std::move(error_class);
  parameters_ = std::move(parameters);
  return *this;
}

void Error::compose() {
  std::string message = what_happened_;
  if (const std::string where = describe(place_); !where.empty())
    message.append(": ").append(where);
  if (!values_.empty()) message.append(": ").append(values_);
  if (system_errno_ != 0) {
    message.append(": ")
        .append(std::generic_category().message(system_errno_))
        .append(" (errno ")
        .append(std::to_string(system_errno_))
        .append(")");
  }
  message_ = one_line(std::move(message));
}

}  // namespace colonnade
