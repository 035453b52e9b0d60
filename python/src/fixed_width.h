// Fixed-width values of columns in one piece, for NumPy.
#pragma once

#include <nanobind/nanobind.h>

#include <span>

#include <colonnade/column.h>

namespace colonnade::python {

// (values, nulls): a bytearray of the values of `chunks`, one after the other as they lie in flat
// columns (booleans as one byte each, null slots as they are), and one of a byte per row that is 1
// where the row is null, or None where none is. None for types without values of a fixed width of
// whole bytes other than bool.
nanobind::object fixed_width_values(const Field& field, std::span<const ColumnPtr> chunks);

}  // namespace colonnade::python
