#include "rows.h"

#include <vector>

#include "gil.h"
#include "interrupt.h"
#include "lookup.h"
#include "text.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

nb::list values_of(const Schema& schema, std::span<const Batch> batches, int32_t column,
                   Temporal temporal) {
  std::vector<ColumnPtr> chunks;
  for (const Batch& batch : batches) chunks.push_back(batch.column(column));
  return to_list(schema.field(column).name, chunks, temporal);
}

}  // namespace

nb::list rows_of(const Schema& schema, std::span<const Batch> batches, Temporal temporal) {
  check_unique_names(schema);
  nb::list rows;
  for (const Batch& batch : batches) {
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      if (row % kRowsBetweenTurns == 0) let_others_run();
      rows.append(nb::dict());
    }
  }
  for (int32_t i = 0; i < schema.num_fields(); ++i) {
    const nb::str name = to_text(schema.field(i).name);
    const nb::list values = values_of(schema, batches, i, temporal);
    const Py_ssize_t num_rows = PyList_GET_SIZE(rows.ptr());
    for (Py_ssize_t row = 0; row < num_rows; ++row) {
      if (row % kRowsBetweenTurns == 0) let_others_run();
      if (PyDict_SetItem(PyList_GET_ITEM(rows.ptr(), row), name.ptr(),
                         PyList_GET_ITEM(values.ptr(), row)) != 0) {
        nb::raise_python_error();
      }
    }
  }
  return rows;
}

nb::dict columns_of(const Schema& schema, std::span<const Batch> batches, Temporal temporal) {
  check_unique_names(schema);
  nb::dict columns;
  for (int32_t i = 0; i < schema.num_fields(); ++i) {
    columns[to_text(schema.field(i).name)] = values_of(schema, batches, i, temporal);
  }
  return columns;
}

arrow::Validation validation(bool full) {
  return full ? arrow::Validation::kFull : arrow::Validation::kStructure;
}

void validate_batches(const Schema& schema, std::span<const Batch> batches, bool full) {
  const Context context = make_context();
  const OwnWork work(context);
  for (const Batch& batch : batches) {
    for (int32_t i = 0; i < schema.num_fields(); ++i) {
      arrow::validate(context, schema.field(i), *batch.column(i), validation(full));
    }
  }
}

}  // namespace colonnade::python
