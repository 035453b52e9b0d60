// Columns by name or index, and rows by slice, as Python users write them.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <vector>

#include <colonnade/type.h>

namespace colonnade::python {

nanobind::list column_names(const Schema& schema);

// The index of the column that `key` (str or int, negative from the end) names. kNotFound for a
// name that is not there, ValueError for one that several columns have, IndexError, TypeError.
int32_t find_column(const Schema& schema, nanobind::handle key);

// ValueError when two columns have one name, because the second would be lost in a dict.
void check_unique_names(const Schema& schema);

struct RowRange {
  int64_t offset;
  int64_t length;
};

// slice(offset, length): what lies outside is cut off; `length` may be None: to the end. A negative
// offset counts from the end.
RowRange row_range(int64_t num_rows, int64_t offset, nanobind::handle length);
// x[start:stop]; ValueError for a step other than 1.
RowRange row_range(int64_t num_rows, nanobind::slice slice);
// x[row]; IndexError outside.
int64_t row_number(int64_t num_rows, nanobind::handle row);

}  // namespace colonnade::python
