// The parts of the extension module, in the order in which they are defined.
#pragma once

#include <nanobind/nanobind.h>

namespace colonnade::python {

void define_schema_types(nanobind::module_& module);  // schema.cc
void define_column_types(nanobind::module_& module);  // column.cc
void define_batch(nanobind::module_& module);         // batch.cc
void define_table(nanobind::module_& module);         // table.cc
void define_stream(nanobind::module_& module);        // stream.cc
void define_file(nanobind::module_& module);          // file.cc
void define_functions(nanobind::module_& module);     // functions.cc
void define_import(nanobind::module_& module);        // import.cc

}  // namespace colonnade::python
