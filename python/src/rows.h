// Batches and tables as Python's lists and dicts.
#pragma once

#include <nanobind/nanobind.h>

#include <span>

#include <colonnade/arrow.h>
#include <colonnade/column.h>

#include "value_reader.h"

namespace colonnade::python {

// A dict per row.
nanobind::list rows_of(const Schema& schema, std::span<const Batch> batches, Temporal temporal);
// Column name -> list of its values.
nanobind::dict columns_of(const Schema& schema, std::span<const Batch> batches, Temporal temporal);

// What `full` or `validate` asks for.
arrow::Validation validation(bool full);

// arrow::validate for every column, without Python's lock.
void validate_batches(const Schema& schema, std::span<const Batch> batches, bool full);

}  // namespace colonnade::python
