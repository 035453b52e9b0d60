// colonnade.table and colonnade.column: from any object that speaks Arrow's PyCapsule protocol.
#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <colonnade/arrow.h>

#include "arrow/errno_codes.h"
#include "capsule.h"
#include "gil.h"
#include "interrupt.h"
#include "module.h"
#include "rows.h"
#include "tabular.h"
#include "text.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

Table table_from_stream(nb::handle object, bool validate) {
  const nb::object capsule = object.attr("__arrow_c_stream__")();
  ArrowArrayStream* const stream = stream_in(capsule);
  const Context context = make_context();
  const LeavePython unlocked;
  const ConsumerScope scope(Consumer::kPython);
  const auto source = arrow::import_stream(context, stream, validation(validate));
  return Table::collect(*source, context.cancel);
}

// The capsules of __arrow_c_array__.
std::pair<nb::object, nb::object> array_capsules(nb::handle object) {
  const nb::object pair = object.attr("__arrow_c_array__")();
  if (!PyTuple_Check(pair.ptr()) || nb::len(pair) != 2) {
    throw nb::type_error("__arrow_c_array__ must give two capsules");
  }
  return {nb::object(pair[0]), nb::object(pair[1])};
}

Table table_from_array(nb::handle object, bool validate) {
  const auto [schema_capsule, array_capsule] = array_capsules(object);
  ArrowSchema* const schema = schema_in(schema_capsule);
  ArrowArray* const array = array_in(array_capsule);
  const Context context = make_context();
  const OwnWork work(context);
  const SchemaPtr imported = arrow::import_schema(schema);
  Batch batch = arrow::import_batch(context, imported, array, validation(validate));
  std::vector<Batch> batches;
  if (batch.num_rows() > 0) batches.push_back(std::move(batch));
  return {imported, std::move(batches)};
}

NamedColumn column_from_array(nb::handle object, bool validate) {
  const auto [schema_capsule, array_capsule] = array_capsules(object);
  ArrowSchema* const schema = schema_in(schema_capsule);
  ArrowArray* const array = array_in(array_capsule);
  const Context context = make_context();
  const OwnWork work(context);
  NamedColumn result{arrow::import_field(schema), nullptr};
  result.column = arrow::import_column(context, result.field, array, validation(validate));
  return result;
}

ChunkedColumn column_from_stream(nb::handle object, bool validate) {
  const nb::object capsule = object.attr("__arrow_c_stream__")();
  ArrowArrayStream* const stream = stream_in(capsule);
  const Context context = make_context();
  const LeavePython unlocked;
  const ConsumerScope scope(Consumer::kPython);

  ArrowSchema schema{};
  arrow::check_result(stream, stream->get_schema(stream, &schema), "get_schema");
  const Field field = arrow::import_field(&schema);
  std::vector<ColumnPtr> chunks;
  while (true) {
    context.cancel.poll();
    ArrowArray array{};
    arrow::check_result(stream, stream->get_next(stream, &array), "get_next");
    if (array.release == nullptr) break;
    chunks.push_back(arrow::import_column(context, field, &array, validation(validate)));
  }
  return {field, std::move(chunks)};
}

[[noreturn]] void throw_not_arrow(nb::handle object) {
  PyErr_Format(PyExc_TypeError, "%s has neither __arrow_c_stream__ nor __arrow_c_array__",
               Py_TYPE(object.ptr())->tp_name);
  nb::raise_python_error();
}

nb::object table(nb::handle object, bool validate) {
  if (nb::isinstance<Table>(object)) return nb::borrow(object);
  if (nb::hasattr(object, "__arrow_c_stream__")) {
    return nb::cast(table_from_stream(object, validate));
  }
  if (nb::hasattr(object, "__arrow_c_array__")) return nb::cast(table_from_array(object, validate));
  throw_not_arrow(object);
}

nb::object column(nb::handle object, bool validate) {
  if (nb::hasattr(object, "__arrow_c_array__")) {
    return nb::cast(column_from_array(object, validate));
  }
  if (nb::hasattr(object, "__arrow_c_stream__")) {
    return nb::cast(column_from_stream(object, validate));
  }
  throw_not_arrow(object);
}

}  // namespace

void define_import(nb::module_& module) {
  module.def("table", table, nb::arg("source").none(), nb::kw_only(), nb::arg("validate"));
  module.def("column", column, nb::arg("source").none(), nb::kw_only(), nb::arg("validate"));
}

}  // namespace colonnade::python
