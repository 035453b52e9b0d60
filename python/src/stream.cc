// colonnade.Stream.
#include "stream.h"

#include <nanobind/nanobind.h>

#include <string>
#include <utility>

#include "export.h"
#include "module.h"
#include "requested_schema.h"
#include "text.h"

namespace nb = nanobind;

namespace colonnade::python {

void define_stream(nb::module_& module) {
  nb::class_<Stream>(module, "Stream", nb::is_final(),
                     R"doc(Batches, one after another: an iterator that can be closed.

>>> with colonnade.open("trips.parquet").batches(columns="riders", batch_rows=2) as stream:
...     print(stream.schema.names, [batch.num_rows for batch in stream])
['riders'] [2, 2]

One thread reads it at a time; close() may be called from any thread and stops the read in progress, which
then raises Cancelled. Whoever takes its Arrow C stream takes over the rest of the batches:

>>> import pyarrow
>>> reader = pyarrow.RecordBatchReader.from_stream(colonnade.open("trips.parquet").batches())
>>> reader.read_all().num_rows
4
)doc")
      .def(
          "__iter__", [](nb::object self) { return self; }, nb::sig("def __iter__(self) -> Stream"))
      .def(
          "__next__",
          [](Stream& self) {
            std::optional<Batch> batch = self.next();
            if (!batch) throw nb::stop_iteration();
            return *std::move(batch);
          },
          nb::sig("def __next__(self) -> Batch"))
      .def(
          "__enter__", [](nb::object self) { return self; },
          nb::sig("def __enter__(self) -> Stream"))
      .def(
          "__exit__", [](Stream& self, nb::args) { self.close(); },
          nb::sig("def __exit__(self, *exception: object) -> None"))
      .def("__repr__",
           [](const Stream& self) {
             const int32_t num_columns = self.schema()->num_fields();
             return to_text("<colonnade.Stream of " + std::to_string(num_columns) +
                            (num_columns == 1 ? " column" : " columns") +
                            (self.closed() ? ", closed>" : ">"));
           })
      .def_prop_ro(
          "schema", [](const Stream& self) { return *self.schema(); },
          nb::sig("def schema(self) -> Schema"), "Names and types of the columns of every batch.")
      .def_prop_ro("closed", &Stream::closed, nb::sig("def closed(self) -> bool"),
                   "Whether it was closed or handed over.")
      .def("close", &Stream::close, nb::sig("def close(self) -> None"),
           "Stops the work and frees its memory. Batches that were given out stay.")
      .def(
          "metrics",
          [](Stream& self) {
            nb::dict metrics;
            for (const auto& [name, value] : self.metrics()) metrics[to_text(name)] = value;
            return metrics;
          },
          nb::sig("def metrics(self) -> dict[str, int]"),
          "Counters of the work done so far, named in docs/python.md; none once it was handed "
          "over.")
      .def(
          "__arrow_c_stream__",
          [](Stream& self, nb::handle requested) {
            Schema forms = requested_forms(self.context(), *self.schema(), requested);
            return export_source(self.context(), self.hand_over(), std::move(forms));
          },
          nb::arg("requested_schema") = nb::none(),
          nb::sig("def __arrow_c_stream__(self, requested_schema: object | None = None) "
                  "-> object"),
          "The batches that are left as an Arrow C stream in a PyCapsule; this stream is closed.");
}

}  // namespace colonnade::python
