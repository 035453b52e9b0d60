#include "lookup.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_set>

#include "column/no_such_column.h"
#include "text.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

int64_t index_argument(int64_t size, nb::handle index, const char* what) {
  const Py_ssize_t number = PyNumber_AsSsize_t(index.ptr(), PyExc_IndexError);
  if (number == -1 && PyErr_Occurred()) nb::raise_python_error();
  if (number < -size || number >= size) {
    PyErr_Format(PyExc_IndexError, "%s %zd of %lld", what, number, static_cast<long long>(size));
    nb::raise_python_error();
  }
  return number < 0 ? number + size : number;
}

}  // namespace

nb::list column_names(const Schema& schema) {
  nb::list names;
  for (const Field& field : schema.fields()) names.append(to_text(field.name));
  return names;
}

int32_t find_column(const Schema& schema, nb::handle key) {
  if (!PyUnicode_Check(key.ptr())) {
    if (PyIndex_Check(key.ptr()) == 0 || PyBool_Check(key.ptr())) {
      PyErr_Format(PyExc_TypeError, "a column is named by str or int, not %s",
                   Py_TYPE(key.ptr())->tp_name);
      nb::raise_python_error();
    }
    return static_cast<int32_t>(index_argument(schema.num_fields(), key, "column"));
  }
  const std::string name = from_text(key, "name");
  const auto index = schema.index_of(name);
  if (!index) throw no_such_column(schema, name);
  for (int32_t i = *index + 1; i < schema.num_fields(); ++i) {
    if (schema.field(i).name == name) {
      PyErr_Format(PyExc_ValueError, "several columns are named %R: use an index", key.ptr());
      nb::raise_python_error();
    }
  }
  return *index;
}

void check_unique_names(const Schema& schema) {
  std::unordered_set<std::string_view> names;
  for (const Field& field : schema.fields()) {
    if (!names.insert(field.name).second) {
      PyErr_Format(PyExc_ValueError, "several columns are named %R: a dict would keep one of them",
                   to_text(field.name).ptr());
      nb::raise_python_error();
    }
  }
}

RowRange row_range(int64_t num_rows, int64_t offset, nb::handle length) {
  if (offset < 0) offset = std::max(offset + num_rows, int64_t{0});
  offset = std::min(offset, num_rows);
  int64_t wanted = num_rows - offset;
  if (!length.is_none()) {
    const auto asked = nb::cast<int64_t>(length);
    if (asked < 0) throw nb::value_error("length must not be negative");
    wanted = std::min(wanted, asked);
  }
  return {offset, wanted};
}

RowRange row_range(int64_t num_rows, nb::slice slice) {
  Py_ssize_t start = 0, stop = 0, step = 0;
  if (PySlice_Unpack(slice.ptr(), &start, &stop, &step) != 0) nb::raise_python_error();
  if (step != 1) throw nb::value_error("rows are sliced with step 1 only");
  const Py_ssize_t length = PySlice_AdjustIndices(num_rows, &start, &stop, step);
  return {start, length};
}

int64_t row_number(int64_t num_rows, nb::handle row) {
  return index_argument(num_rows, row, "row");
}

}  // namespace colonnade::python
