// colonnade.Table.
#include <nanobind/nanobind.h>

#include "export.h"
#include "module.h"
#include "tabular_methods.h"

namespace nb = nanobind;

namespace colonnade::python {

void define_table(nb::module_& module) {
  nb::class_<Table> type(module, "Table", nb::is_final(),
                         R"doc(A table in memory: columns of equal length, in batches. Immutable.

>>> table = colonnade.read_table("trips.parquet")
>>> table
Table, 4 rows, 4 columns
city    day         riders  fare
string  date32       int64  decimal(9, 2)
------  ----------  ------  -------------
Oslo    2024-03-01     120          45.50
Lima    2024-03-01    null          12.00
Oslo    2024-03-02      75           null
Pune    null           310           7.25
>>> table["riders"].to_pylist(), len(table), table.column_names
([120, None, 75, 310], 4, ['city', 'day', 'riders', 'fare'])
>>> table[1:2].to_pylist()
[{'city': 'Lima', 'day': datetime.date(2024, 3, 1), 'riders': None, 'fare': Decimal('12.00')}]

It speaks Arrow's PyCapsule protocol, so that others take it as it is, without a copy:

>>> import pyarrow
>>> pyarrow.table(table).column("riders").null_count
1
)doc");
  define_tabular_methods(type);
  type.def_prop_ro(
          "batches",
          [](const Table& self) {
            nb::list list;
            for (const Batch& batch : self.batches()) list.append(nb::cast(batch));
            return list;
          },
          nb::sig("def batches(self) -> list[Batch]"), "The batches it is made of, in order.")
      .def("__arrow_c_stream__", export_table, nb::arg("requested_schema") = nb::none(),
           nb::sig("def __arrow_c_stream__(self, requested_schema: object | None = None) "
                   "-> object"),
           "The table as an Arrow C stream in a PyCapsule.");
}

}  // namespace colonnade::python
