#include "scan_arguments.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "text.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

// A whole number in [least, most]; TypeError or ValueError otherwise.
int64_t whole_number(nb::handle value, const char* name, int64_t least, int64_t most) {
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid() || PyBool_Check(value.ptr())) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s must be an int, not %s", name, Py_TYPE(value.ptr())->tp_name);
    nb::raise_python_error();
  }
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0 || number < least || number > most) {
    PyErr_Format(PyExc_ValueError, "%s must be between %lld and %lld, not %R", name,
                 static_cast<long long>(least), static_cast<long long>(most), value.ptr());
    nb::raise_python_error();
  }
  return number;
}

constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();
constexpr int64_t kMaxInt32 = std::numeric_limits<int32_t>::max();

void check_iterable(nb::handle value, const char* otherwise) {
  if (nb::hasattr(value, "__iter__")) return;
  PyErr_Format(PyExc_TypeError, "%s, not %s", otherwise, Py_TYPE(value.ptr())->tp_name);
  nb::raise_python_error();
}

parquet::ColumnSelection column_selection(nb::handle columns) {
  if (columns.is_none()) return {};
  std::vector<std::string> names;
  if (PyUnicode_Check(columns.ptr())) {
    names.push_back(from_text(columns, "columns"));
  } else {
    check_iterable(columns, "columns must be a str or an iterable of str");
    for (const nb::handle name : columns) names.push_back(from_text(name, "a name in columns"));
  }
  return {std::move(names)};
}

// (offset, length), both at least 0.
std::pair<int64_t, int64_t> pair_of(nb::handle value, const char* name) {
  if (PySequence_Check(value.ptr()) == 0 || PyUnicode_Check(value.ptr()) || nb::len(value) != 2) {
    PyErr_Format(PyExc_TypeError, "%s must be a pair (offset, length)", name);
    nb::raise_python_error();
  }
  const std::string what = name;
  return {whole_number(nb::object(value[0]), ("the offset of " + what).c_str(), 0, kMaxInt64),
          whole_number(nb::object(value[1]), ("the length of " + what).c_str(), 0, kMaxInt64)};
}

parquet::StringForm string_form(nb::handle string_type) {
  if (string_type.is_none()) return parquet::StringForm::kOffsets32;
  const std::string name = from_text(string_type, "string_type");
  if (name == "string") return parquet::StringForm::kOffsets32;
  if (name == "large_string") return parquet::StringForm::kOffsets64;
  if (name == "view") return parquet::StringForm::kViews;
  if (name == "dictionary") return parquet::StringForm::kDictionary;
  PyErr_Format(PyExc_ValueError,
               "string_type must be 'string', 'large_string', 'view' or 'dictionary', not %R",
               string_type.ptr());
  nb::raise_python_error();
}

parquet::HivePartitioning hive_partitioning_of(nb::handle value) {
  if (value.is_none() || value.ptr() == Py_True) return parquet::HivePartitioning::kTyped;
  if (value.ptr() == Py_False) return parquet::HivePartitioning::kOff;
  if (PyUnicode_Check(value.ptr()) && from_text(value, "hive_partitioning") == "text")
    return parquet::HivePartitioning::kText;
  PyErr_Format(PyExc_ValueError, "hive_partitioning must be True, False or 'text', not %R",
               value.ptr());
  nb::raise_python_error();
}

}  // namespace

void ScanArguments::apply(parquet::ScanOptions& options) const {
  options.columns = column_selection(columns);
  options.strings = string_form(string_type);
  if (!threads.is_none()) {
    options.threads = static_cast<int32_t>(whole_number(threads, "threads", 1, kMaxInt32));
  }
  if (!row_groups.is_none()) {
    check_iterable(row_groups, "row_groups must be an iterable of int");
    std::vector<int32_t> ordinals;
    for (const nb::handle ordinal : row_groups) {
      ordinals.push_back(
          static_cast<int32_t>(whole_number(ordinal, "a number in row_groups", 0, kMaxInt32)));
    }
    options.row_groups = std::move(ordinals);
  }
  if (!split.is_none()) {
    const auto [offset, length] = pair_of(split, "split");
    options.split = parquet::ByteRange{offset, length};
  }
  if (!row_ranges.is_none()) {
    check_iterable(row_ranges, "row_ranges must be an iterable of pairs (offset, length)");
    options.row_ranges.emplace();
    for (const nb::handle range : row_ranges) {
      const auto [offset, length] = pair_of(range, "a range of row_ranges");
      options.row_ranges->push_back({offset, length});
    }
  }
  if (!row_number_column.is_none())
    options.row_number_column = from_text(row_number_column, "row_number_column");
  if (!global_row_number_column.is_none()) {
    options.global_row_number_column =
        from_text(global_row_number_column, "global_row_number_column");
  }
  options.union_by_name = union_by_name;
  options.hive_partitioning = hive_partitioning_of(hive_partitioning);
}

parquet::ScanOptions ScanArguments::streaming() const {
  parquet::ScanOptions options;
  apply(options);
  if (!batch_rows.is_none()) {
    // Rows that were asked for are not cut by bytes, unless those were asked for too.
    options.batch_rows = whole_number(batch_rows, "batch_rows", 1, kMaxInt64);
    options.batch_bytes = 0;
  }
  if (!batch_bytes.is_none()) {
    options.batch_bytes = whole_number(batch_bytes, "batch_bytes", 1, kMaxInt64);
  }
  return options;
}

parquet::ScanOptions ScanArguments::kept() const {
  auto options = parquet::ScanOptions::whole_row_groups();
  apply(options);
  return options;
}

TimeUnit unit_argument(nb::handle value, const char* name) {
  const std::string unit = from_text(value, name);
  if (unit == "s") return TimeUnit::kSecond;
  if (unit == "ms") return TimeUnit::kMilli;
  if (unit == "us") return TimeUnit::kMicro;
  if (unit == "ns") return TimeUnit::kNano;
  PyErr_Format(PyExc_ValueError, "%s must be 's', 'ms', 'us' or 'ns', not %R", name, value.ptr());
  nb::raise_python_error();
}

int64_t limit_argument(nb::handle value, const char* name) {
  return value.is_none() ? 0 : whole_number(value, name, 1, kMaxInt64);
}

}  // namespace colonnade::python
