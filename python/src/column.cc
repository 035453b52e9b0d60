// colonnade.Column and colonnade.ChunkedColumn.
#include <nanobind/nanobind.h>

#include <span>
#include <vector>

#include <colonnade/arrow.h>

#include "export.h"
#include "fixed_width.h"
#include "gil.h"
#include "interrupt.h"
#include "lookup.h"
#include "module.h"
#include "rows.h"
#include "tabular.h"
#include "text.h"
#include "value_reader.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

nb::object preview(nb::handle self) {
  return nb::module_::import_("colonnade._preview").attr("of_column")(self);
}

void append_buffer(nb::list& list, const Buffer& buffer) {
  if (buffer.data() == nullptr) return;
  list.append(nb::make_tuple(reinterpret_cast<uintptr_t>(buffer.data()), buffer.size()));
}

void append_buffers(nb::list& list, const Column& column) {
  const ColumnParts& parts = column.parts();
  append_buffer(list, parts.validity);
  append_buffer(list, parts.values);
  append_buffer(list, parts.offsets);
  append_buffer(list, parts.bytes);
  for (const Buffer& buffer : parts.view_buffers) append_buffer(list, buffer);
  for (const ColumnPtr& child : parts.children) append_buffers(list, *child);
  if (parts.dictionary) append_buffers(list, *parts.dictionary->values);
}

const char* encoding_text(Encoding encoding) {
  switch (encoding) {
    case Encoding::kFlat:
      return "flat";
    case Encoding::kDictionary:
      return "dictionary";
    case Encoding::kConstant:
      return "constant";
  }
  return "?";
}

void validate(const Field& field, std::span<const ColumnPtr> chunks, bool full) {
  const Context context = make_context();
  const OwnWork work(context);
  for (const ColumnPtr& chunk : chunks) {
    arrow::validate(context, field, *chunk, validation(full));
  }
}

// The value of the only row of `one`, which its column counts as `row`.
nb::object only_value(const Field& field, const ColumnPtr& one, int64_t row) {
  return to_list(field.name, std::span(&one, 1), Temporal::kDatetime, row)[0];
}

void define_column(nb::module_& module) {
  nb::class_<NamedColumn>(module, "Column", nb::is_final(),
                          R"doc(The values of one column in one batch. Immutable.

>>> batch = next(colonnade.open("trips.parquet").batches())
>>> riders = batch.column("riders")
>>> riders
Column riders: int64, 4 rows, 1 null
[120, None, 75, 310]
>>> riders[0], riders.to_pylist(), len(riders), riders.null_count
(120, [120, None, 75, 310], 4, 1)

It speaks Arrow's PyCapsule protocol, and what it hands over is not copied:

>>> import pyarrow
>>> pyarrow.array(riders).sum()
<pyarrow.Int64Scalar: 505>
)doc")
      .def("__repr__", preview, nb::sig("def __repr__(self) -> str"))
      .def("__len__", [](const NamedColumn& self) { return self.column->length(); })
      .def(
          "__getitem__",
          [](const NamedColumn& self, nb::handle key) -> nb::object {
            const int64_t length = self.column->length();
            if (PySlice_Check(key.ptr())) {
              const RowRange rows = row_range(length, nb::borrow<nb::slice>(key));
              return nb::cast(
                  NamedColumn{self.field, self.column->slice(rows.offset, rows.length)});
            }
            const int64_t row = row_number(length, key);
            return only_value(self.field, self.column->slice(row, 1), row);
          },
          nb::sig("@overload\n"
                  "def __getitem__(self, key: int, /) -> Any\n"
                  "@overload\n"
                  "def __getitem__(self, key: slice, /) -> Column"))
      .def(
          "__iter__",
          [](const NamedColumn& self) {
            return nb::iter(
                to_list(self.field.name, std::span(&self.column, 1), Temporal::kDatetime));
          },
          nb::sig("def __iter__(self) -> Iterator[Any]"))
      .def_prop_ro(
          "name", [](const NamedColumn& self) { return to_text(self.field.name); },
          nb::sig("def name(self) -> str"), "The name of its field.")
      .def_prop_ro(
          "type", [](const NamedColumn& self) { return self.field.type; },
          nb::sig("def type(self) -> DataType"), "What its values mean.")
      .def_prop_ro(
          "field", [](const NamedColumn& self) { return self.field; },
          nb::sig("def field(self) -> Field"), "Name, type and whether it may hold nulls.")
      .def_prop_ro(
          "null_count", [](const NamedColumn& self) { return self.column->null_count(); },
          nb::sig("def null_count(self) -> int"), "How many rows are null.")
      .def_prop_ro(
          "nbytes", [](const NamedColumn& self) { return self.column->slice_bytes(); },
          nb::sig("def nbytes(self) -> int"),
          "Bytes of memory that these rows take, without those of dictionaries, which batches "
          "share.")
      .def_prop_ro(
          "encoding",
          [](const NamedColumn& self) { return encoding_text(self.column->encoding()); },
          nb::sig("def encoding(self) -> str"),
          "How the values lie: 'flat' (one by one), 'dictionary' (as numbers of distinct values) "
          "or "
          "'constant' (one value for every row).")
      .def(
          "__array__",
          [](nb::handle self, nb::handle dtype, nb::handle copy) {
            return nb::module_::import_("colonnade._numpy").attr("of_column")(self, dtype, copy);
          },
          nb::arg("dtype") = nb::none(), nb::kw_only(), nb::arg("copy") = nb::none(),
          nb::sig(
              "def __array__(self, dtype: DTypeLike | None = None, *, copy: bool | None = None) "
              "-> ndarray"),
          R"doc(The values as a NumPy array of their own type, by a copy.

Numbers and booleans keep their type, dates, timestamps and durations become datetime64 and timedelta64 (of a
timestamp with a time zone: in UTC). Null is NaN or NaT there; integers and booleans with nulls, and all
other types, give an array of objects as to_pylist() has them.)doc")
      .def("_fixed_width_values",
           [](const NamedColumn& self) {
             return fixed_width_values(self.field, std::span(&self.column, 1));
           })
      .def(
          "slice",
          [](const NamedColumn& self, int64_t offset, nb::handle length) {
            const RowRange rows = row_range(self.column->length(), offset, length);
            return NamedColumn{self.field, self.column->slice(rows.offset, rows.length)};
          },
          nb::arg("offset") = 0, nb::arg("length") = nb::none(),
          nb::sig("def slice(self, offset: int = 0, length: int | None = None) -> Column"),
          "Rows from `offset` on, counted from the end where it is negative, at most `length`. "
          "Copies nothing.")
      .def(
          "to_pylist",
          [](const NamedColumn& self, nb::handle temporal) {
            return to_list(self.field.name, std::span(&self.column, 1),
                           temporal_argument(temporal));
          },
          nb::kw_only(), nb::arg("temporal") = "datetime",
          nb::sig("def to_pylist(self, *, temporal: Literal['datetime', 'int'] = 'datetime') "
                  "-> list[Any]"),
          R"doc(The values as Python objects.

No digit is lost: a value that its Python type cannot hold, such as a timestamp with nanoseconds, raises
DataError. `temporal='int'` gives dates, times, timestamps and durations as the numbers that are stored.)doc")
      .def(
          "validate",
          [](const NamedColumn& self, bool full) {
            validate(self.field, std::span(&self.column, 1), full);
          },
          nb::kw_only(), nb::arg("full") = false,
          nb::sig("def validate(self, *, full: bool = False) -> None"),
          "Raises CorruptError unless the column is well formed; `full` looks at every value.")
      .def(
          "buffers",
          [](const NamedColumn& self) {
            nb::list list;
            append_buffers(list, *self.column);
            return list;
          },
          nb::sig("def buffers(self) -> list[tuple[int, int]]"),
          "Address and size in bytes of each buffer the column has, its children's after its own.")
      .def("__arrow_c_array__", export_column, nb::arg("requested_schema") = nb::none(),
           nb::sig("def __arrow_c_array__(self, requested_schema: object | None = None) "
                   "-> tuple[object, object]"),
           "The column as an Arrow C schema and array in PyCapsules.");
}

void define_chunked_column(nb::module_& module) {
  nb::class_<ChunkedColumn>(module, "ChunkedColumn", nb::is_final(),
                            R"doc(The values of one column of a table, in chunks. Immutable.

>>> city = colonnade.read_table("trips.parquet").column("city")
>>> city
ChunkedColumn city: string, 4 rows, 0 nulls
['Oslo', 'Lima', 'Oslo', 'Pune']
>>> city[-1], len(city.chunks), city[1:3].to_pylist()
('Pune', 1, ['Lima', 'Oslo'])

It speaks Arrow's PyCapsule protocol:

>>> import pyarrow
>>> pyarrow.chunked_array(city).type
DataType(string)
)doc")
      .def("__repr__", preview, nb::sig("def __repr__(self) -> str"))
      .def("__len__", [](const ChunkedColumn& self) { return self.length(); })
      .def(
          "__getitem__",
          [](const ChunkedColumn& self, nb::handle key) -> nb::object {
            if (PySlice_Check(key.ptr())) {
              const RowRange rows = row_range(self.length(), nb::borrow<nb::slice>(key));
              return nb::cast(self.slice(rows.offset, rows.length));
            }
            const int64_t row = row_number(self.length(), key);
            return only_value(self.field(), self.slice(row, 1).chunks().front(), row);
          },
          nb::sig("@overload\n"
                  "def __getitem__(self, key: int, /) -> Any\n"
                  "@overload\n"
                  "def __getitem__(self, key: slice, /) -> ChunkedColumn"))
      .def(
          "__iter__",
          [](const ChunkedColumn& self) {
            return nb::iter(to_list(self.field().name, self.chunks(), Temporal::kDatetime));
          },
          nb::sig("def __iter__(self) -> Iterator[Any]"))
      .def_prop_ro(
          "name", [](const ChunkedColumn& self) { return to_text(self.field().name); },
          nb::sig("def name(self) -> str"), "The name of its field.")
      .def_prop_ro(
          "type", [](const ChunkedColumn& self) { return self.field().type; },
          nb::sig("def type(self) -> DataType"), "What its values mean.")
      .def_prop_ro(
          "field", [](const ChunkedColumn& self) { return self.field(); },
          nb::sig("def field(self) -> Field"), "Name, type and whether it may hold nulls.")
      .def_prop_ro("null_count", &ChunkedColumn::null_count, nb::sig("def null_count(self) -> int"),
                   "How many rows are null.")
      .def_prop_ro("nbytes", &ChunkedColumn::slice_bytes, nb::sig("def nbytes(self) -> int"),
                   "Bytes of memory that these rows take, without those of dictionaries, which "
                   "batches share.")
      .def_prop_ro(
          "chunks",
          [](const ChunkedColumn& self) {
            nb::list list;
            for (const ColumnPtr& chunk : self.chunks()) {
              list.append(nb::cast(NamedColumn{self.field(), chunk}));
            }
            return list;
          },
          nb::sig("def chunks(self) -> list[Column]"), "The pieces, one per batch of its table.")
      .def(
          "__array__",
          [](nb::handle self, nb::handle dtype, nb::handle copy) {
            return nb::module_::import_("colonnade._numpy").attr("of_column")(self, dtype, copy);
          },
          nb::arg("dtype") = nb::none(), nb::kw_only(), nb::arg("copy") = nb::none(),
          nb::sig(
              "def __array__(self, dtype: DTypeLike | None = None, *, copy: bool | None = None) "
              "-> ndarray"),
          "The values as a NumPy array, by a copy; see Column.__array__.")
      .def(
          "_fixed_width_values",
          [](const ChunkedColumn& self) { return fixed_width_values(self.field(), self.chunks()); })
      .def(
          "slice",
          [](const ChunkedColumn& self, int64_t offset, nb::handle length) {
            const RowRange rows = row_range(self.length(), offset, length);
            return self.slice(rows.offset, rows.length);
          },
          nb::arg("offset") = 0, nb::arg("length") = nb::none(),
          nb::sig("def slice(self, offset: int = 0, length: int | None = None) -> ChunkedColumn"),
          "Rows from `offset` on, counted from the end where it is negative, at most `length`. "
          "Copies nothing.")
      .def(
          "to_pylist",
          [](const ChunkedColumn& self, nb::handle temporal) {
            return to_list(self.field().name, self.chunks(), temporal_argument(temporal));
          },
          nb::kw_only(), nb::arg("temporal") = "datetime",
          nb::sig("def to_pylist(self, *, temporal: Literal['datetime', 'int'] = 'datetime') "
                  "-> list[Any]"),
          "The values as Python objects; see Column.to_pylist.")
      .def(
          "validate",
          [](const ChunkedColumn& self, bool full) { validate(self.field(), self.chunks(), full); },
          nb::kw_only(), nb::arg("full") = false,
          nb::sig("def validate(self, *, full: bool = False) -> None"),
          "Raises CorruptError unless the column is well formed; `full` looks at every value.")
      .def("__arrow_c_stream__", export_chunks, nb::arg("requested_schema") = nb::none(),
           nb::sig("def __arrow_c_stream__(self, requested_schema: object | None = None) "
                   "-> object"),
           "The chunks as an Arrow C stream in a PyCapsule.");
}

}  // namespace

void define_column_types(nb::module_& module) {
  define_column(module);
  define_chunked_column(module);
}

}  // namespace colonnade::python
