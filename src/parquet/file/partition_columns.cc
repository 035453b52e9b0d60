#include "parquet/file/partition_columns.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <span>

#include <colonnade/error.h>

#include "base/utf8.h"
#include "column/builder.h"

namespace colonnade::parquet {
namespace {

using Value = std::optional<std::string>;

constexpr std::string_view kNullValue = "__HIVE_DEFAULT_PARTITION__";

constexpr const char* kWaysOut =
    "; a union (union_by_name) has null there, and without partition columns (hive_partitioning) "
    "the folders do not count";

int32_t hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// A "%" that no two digits follow stands for itself, as in Spark (ExternalCatalogUtils,
// unescapePathName).
std::string decoded(std::string_view text, const std::string& path) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const int32_t high = hex_digit(text[i + 1]);
      const int32_t low = hex_digit(text[i + 2]);
      if (high >= 0 && low >= 0) {
        out.push_back(static_cast<char>(high * 16 + low));
        i += 2;
        continue;
      }
    }
    out.push_back(text[i]);
  }
  const std::span bytes(reinterpret_cast<const uint8_t*>(out.data()), out.size());
  if (utf8::first_invalid(bytes) < out.size()) {
    throw Error(ErrorCode::kInvalidArgument, "the name of a partition folder is not UTF-8",
                "reading without partition columns leaves it out (hive_partitioning)")
        .locate({.file = path});
  }
  return out;
}

std::vector<std::pair<std::string, Value>> keys_and_values(const std::string& path) {
  std::vector<std::pair<std::string, Value>> found;
  std::string_view rest = path;
  for (size_t slash = rest.find('/'); slash != rest.npos; slash = rest.find('/')) {
    const std::string_view folder = rest.substr(0, slash);
    rest.remove_prefix(slash + 1);
    const size_t equals = folder.find('=');
    if (equals == folder.npos || equals == 0) continue;
    const std::string_view value = folder.substr(equals + 1);
    found.emplace_back(decoded(folder.substr(0, equals), path),
                       value == kNullValue ? Value() : decoded(value, path));
  }
  return found;
}

std::optional<int64_t> as_integer(const std::string& text) noexcept {
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// Days since 1970-01-01 of "2024-02-29".
std::optional<int32_t> as_date(const std::string& text) noexcept {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto part = [&](size_t begin, size_t length) {
    const std::string digits = text.substr(begin, length);
    const bool all =
        std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    return all ? static_cast<int32_t>(*as_integer(digits)) : -1;
  };
  const int32_t year = part(0, 4);
  const int32_t month = part(5, 2);
  const int32_t day = part(8, 2);
  if (year < 0 || month < 0 || day < 0) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return std::nullopt;
  return static_cast<int32_t>(std::chrono::sys_days(date).time_since_epoch().count());
}

// The narrowest of the types that all values of a column have; string where none is known.
DataType type_of(const std::vector<std::vector<Value>>& values, size_t index) {
  bool integers = true;
  bool dates = true;
  bool any = false;
  for (const std::vector<Value>& of_path : values) {
    const Value& value = of_path[index];
    if (!value) continue;
    any = true;
    integers = integers && as_integer(*value);
    dates = dates && as_date(*value);
  }
  if (any && integers) return DataType(TypeId::kInt64);
  if (any && dates) return DataType(TypeId::kDate32);
  return DataType(TypeId::kString);
}

}  // namespace

PartitionColumns::PartitionColumns(const std::vector<std::string>& paths,
                                   HivePartitioning partitioning, bool missing_is_null) {
  if (partitioning == HivePartitioning::kOff) return;
  for (const std::string& path : paths) {
    std::vector<Value> values(fields_.size());
    std::vector<bool> given(fields_.size());
    for (auto& [key, value] : keys_and_values(path)) {
      std::optional<size_t> index = index_of(key);
      if (!index) {
        index = fields_.size();
        fields_.push_back({key, DataType(TypeId::kString)});
        values.emplace_back();
        given.push_back(false);
        // The paths before lack it.
        if (!values_.empty() && !missing_is_null) {
          throw Error(ErrorCode::kInvalidArgument,
                      "files in different partition folders: the first file's path lacks a key",
                      "'" + paths.front() + "'" + kWaysOut)
              .locate({.file = path, .column = key});
        }
      }
      if (given[*index]) {
        throw Error(ErrorCode::kInvalidArgument, "a path has a partition key twice")
            .locate({.file = path, .column = key});
      }
      given[*index] = true;
      values[*index] = std::move(value);
    }
    const auto lacking = std::find(given.begin(), given.end(), false);
    if (lacking != given.end() && !missing_is_null) {
      throw Error(ErrorCode::kInvalidArgument,
                  "files in different partition folders: the path lacks a key",
                  "the first file's has it, '" + paths.front() + "'" + kWaysOut)
          .locate(
              {.file = path, .column = fields_[static_cast<size_t>(lacking - given.begin())].name});
    }
    values_.push_back(std::move(values));
    given_.push_back(std::move(given));
  }
  for (std::vector<Value>& values : values_) values.resize(fields_.size());
  for (std::vector<bool>& given : given_) given.resize(fields_.size());
  if (partitioning == HivePartitioning::kText) return;
  for (size_t i = 0; i < fields_.size(); ++i) fields_[i].type = type_of(values_, i);
}

std::optional<size_t> PartitionColumns::index_of(std::string_view name) const noexcept {
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].name == name) return i;
  }
  return std::nullopt;
}

ColumnPtr PartitionColumns::value(const Context& context, size_t path_index, size_t index) const {
  const Value& text = values_[path_index][index];
  const DataType& type = fields_[index].type;
  ColumnBuilder builder(context, type);
  if (!text) {
    builder.append_null();
  } else if (type.id() == TypeId::kInt64) {
    builder.append(*as_integer(*text));
  } else if (type.id() == TypeId::kDate32) {
    builder.append(*as_date(*text));
  } else {
    builder.append_bytes(*text);
  }
  return builder.finish();
}

}  // namespace colonnade::parquet
