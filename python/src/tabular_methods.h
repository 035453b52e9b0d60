// The methods that Batch and Table have in common. Each gives overloads of
//   table_schema(x), table_batches(x), table_column(x, index), table_slice(x, offset, length)
#pragma once

#include <nanobind/nanobind.h>

#include <span>

#include "lookup.h"
#include "rows.h"
#include "tabular.h"
#include "value_reader.h"

namespace colonnade::python {

inline const Schema& table_schema(const Batch& batch) { return *batch.schema(); }
inline std::span<const Batch> table_batches(const Batch& batch) { return {&batch, 1}; }
inline NamedColumn table_column(const Batch& batch, int32_t index) {
  return {batch.schema()->field(index), batch.column(index)};
}
inline Batch table_slice(const Batch& batch, int64_t offset, int64_t length) {
  return batch.slice(offset, length);
}

inline const Schema& table_schema(const Table& table) { return *table.schema(); }
inline std::span<const Batch> table_batches(const Table& table) { return table.batches(); }
inline ChunkedColumn table_column(const Table& table, int32_t index) { return table.column(index); }
inline Table table_slice(const Table& table, int64_t offset, int64_t length) {
  return table.slice(offset, length);
}

template <typename T>
nanobind::list all_columns(const T& self) {
  nanobind::list list;
  for (int32_t i = 0; i < table_schema(self).num_fields(); ++i) {
    list.append(nanobind::cast(table_column(self, i)));
  }
  return list;
}

template <typename T>
int64_t slice_bytes_of(const T& self) {
  int64_t bytes = 0;
  for (const Batch& batch : table_batches(self)) {
    for (const ColumnPtr& column : batch.columns()) bytes += column->slice_bytes();
  }
  return bytes;
}

// x["name"], x[index], x[start:stop]
template <typename T>
nanobind::object get_item(const T& self, nanobind::handle key) {
  if (PySlice_Check(key.ptr())) {
    const RowRange rows = row_range(self.num_rows(), nanobind::borrow<nanobind::slice>(key));
    return nanobind::cast(table_slice(self, rows.offset, rows.length));
  }
  return nanobind::cast(table_column(self, find_column(table_schema(self), key)));
}

template <typename T>
void define_tabular_methods(nanobind::class_<T>& type) {
  namespace nb = nanobind;
  type.def(
          "__repr__",
          [](nb::handle self) {
            return nb::module_::import_("colonnade._preview").attr("of_table")(self);
          },
          nb::sig("def __repr__(self) -> str"))
      .def("__len__", &T::num_rows)
      .def("__getitem__", get_item<T>, nb::arg("key").none())
      .def(
          "__iter__",
          [](const T&) -> nb::object {
            throw nb::type_error(
                "rows or columns? iterate over .columns, .to_pylist() or a table's .batches; "
                "pandas "
                "takes it by pandas.DataFrame.from_arrow(...) or pyarrow.table(...).to_pandas()");
          },
          nb::sig("def __iter__(self) -> NoReturn"))
      .def_prop_ro(
          "schema", [](const T& self) { return table_schema(self); },
          nb::sig("def schema(self) -> Schema"), "Names and types of the columns.")
      .def_prop_ro("num_rows", &T::num_rows, nb::sig("def num_rows(self) -> int"),
                   "How many rows there are; len() is the same.")
      .def_prop_ro(
          "num_columns", [](const T& self) { return table_schema(self).num_fields(); },
          nb::sig("def num_columns(self) -> int"), "How many columns there are.")
      .def_prop_ro(
          "column_names", [](const T& self) { return column_names(table_schema(self)); },
          nb::sig("def column_names(self) -> list[str]"), "The names, in order.")
      .def_prop_ro("columns", all_columns<T>, nb::sig("def columns(self) -> list[Any]"),
                   "The columns, in order.")
      .def_prop_ro("nbytes", slice_bytes_of<T>, nb::sig("def nbytes(self) -> int"),
                   "Bytes of memory that these rows take, without those of dictionaries, which "
                   "batches share.")
      .def(
          "column",
          [](const T& self, nb::handle key) {
            return table_column(self, find_column(table_schema(self), key));
          },
          nb::arg("key").none(),
          "The column of that name or index; a negative index counts from the end.")
      .def(
          "slice",
          [](const T& self, int64_t offset, nb::handle length) {
            const RowRange rows = row_range(self.num_rows(), offset, length);
            return table_slice(self, rows.offset, rows.length);
          },
          nb::arg("offset") = 0, nb::arg("length") = nb::none(),
          nb::sig("def slice(self, offset: int = 0, length: int | None = None) -> Self"),
          "Rows from `offset` on, counted from the end where it is negative, at most `length`. "
          "Copies nothing.")
      .def(
          "to_pylist",
          [](const T& self, nb::handle temporal) {
            return rows_of(table_schema(self), table_batches(self), temporal_argument(temporal));
          },
          nb::kw_only(), nb::arg("temporal") = "datetime",
          nb::sig("def to_pylist(self, *, temporal: Literal['datetime', 'int'] = 'datetime') "
                  "-> list[dict[str, Any]]"),
          "The rows as dicts; see Column.to_pylist.")
      .def(
          "to_pydict",
          [](const T& self, nb::handle temporal) {
            return columns_of(table_schema(self), table_batches(self), temporal_argument(temporal));
          },
          nb::kw_only(), nb::arg("temporal") = "datetime",
          nb::sig("def to_pydict(self, *, temporal: Literal['datetime', 'int'] = 'datetime') "
                  "-> dict[str, list[Any]]"),
          "The columns as lists by name; see Column.to_pylist.")
      .def(
          "validate",
          [](const T& self, bool full) {
            validate_batches(table_schema(self), table_batches(self), full);
          },
          nb::kw_only(), nb::arg("full") = false,
          nb::sig("def validate(self, *, full: bool = False) -> None"),
          "Raises CorruptError unless every column is well formed; `full` looks at every value.");
}

}  // namespace colonnade::python
