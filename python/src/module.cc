// The extension module colonnade._colonnade.
#include "module.h"

#include <nanobind/nanobind.h>

#include "errors.h"
#include "gil.h"
#include "guarded_source.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

// Before the interpreter is taken down: no thread of ours may be inside it, or come back.
void stop_at_exit(nb::module_& module) {
  module.def("_stop", [] {
    cancel_all_sources();
    close_gate();
  });
  nb::module_::import_("atexit").attr("register")(module.attr("_stop"));
}

}  // namespace
}  // namespace colonnade::python

// NOLINTNEXTLINE: nanobind's macro
NB_MODULE(_colonnade, module) {
  using namespace colonnade::python;
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError, "colonnade works in the main interpreter only");
    nb::raise_python_error();
  }
  // Objects that live until the interpreter ends are no leak.
  nb::set_leak_warnings(false);
  module.attr("__version__") = COLONNADE_VERSION;
  prepare_gate_for_fork();
  register_errors();
  define_schema_types(module);
  define_column_types(module);
  define_batch(module);
  define_table(module);
  define_stream(module);
  define_file(module);
  define_functions(module);
  define_import(module);
  stop_at_exit(module);
}
