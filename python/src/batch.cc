// colonnade.Batch.
#include <nanobind/nanobind.h>

#include "export.h"
#include "module.h"
#include "tabular_methods.h"

namespace nb = nanobind;

namespace colonnade::python {

void define_batch(nb::module_& module) {
  nb::class_<Batch> type(module, "Batch", nb::is_final(),
                         R"doc(Some rows of a table, each column in one piece. Immutable.

>>> for batch in colonnade.open("trips.parquet").batches(columns=["city", "riders"], batch_rows=3):
...     print(batch.num_rows, batch["city"].to_pylist())
3 ['Oslo', 'Lima', 'Oslo']
1 ['Pune']

A batch outlives its file, and it speaks Arrow's PyCapsule protocol:

>>> import pyarrow
>>> pyarrow.record_batch(batch).num_columns
2
)doc");
  define_tabular_methods(type);
  type.def("__arrow_c_array__", export_batch, nb::arg("requested_schema") = nb::none(),
           nb::sig("def __arrow_c_array__(self, requested_schema: object | None = None) "
                   "-> tuple[object, object]"),
           "The batch as an Arrow C schema and struct array in PyCapsules.");
}

}  // namespace colonnade::python
