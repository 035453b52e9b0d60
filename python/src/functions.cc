// What _functions.py calls to read files.
#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <colonnade/parquet.h>

#include "byte_source.h"
#include "file.h"
#include "gil.h"
#include "interrupt.h"
#include "module.h"
#include "scan_arguments.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

std::unique_ptr<OpenFile> open(nb::handle source, nb::object memory_limit, nb::object page_limit,
                               nb::object int96_unit, bool int96_wraps, bool verify_checksums) {
  const OpenArguments opening{memory_limit, page_limit, int96_unit, int96_wraps, verify_checksums};
  return std::make_unique<OpenFile>(source, opening.context(), opening.options());
}

Table read_table(nb::handle source, nb::object columns, nb::object threads, nb::object string_type,
                 nb::object row_number_column, nb::object global_row_number_column,
                 bool union_by_name, nb::object hive_partitioning, nb::object memory_limit,
                 nb::object page_limit, nb::object int96_unit, bool int96_wraps,
                 bool verify_checksums) {
  const OpenArguments opening{memory_limit, page_limit, int96_unit, int96_wraps, verify_checksums};
  ScanArguments arguments{columns, nb::none(), threads, string_type};
  arguments.row_number_column = row_number_column;
  arguments.global_row_number_column = global_row_number_column;
  arguments.union_by_name = union_by_name;
  arguments.hive_partitioning = hive_partitioning;
  const parquet::ScanOptions options = arguments.kept();
  const parquet::OpenOptions open_options = opening.options();
  const Context context = opening.context();
  if (!names_files(source)) return OpenFile(source, context, open_options).table(options);
  const std::vector<std::string> files = files_of(source);
  return collect_table(context, nullptr,
                       [&] { return parquet::scan_files(files, options, context, open_options); });
}

std::unique_ptr<Stream> scan(nb::handle source, nb::object columns, nb::object batch_rows,
                             nb::object batch_bytes, nb::object threads, nb::object string_type,
                             nb::object row_number_column, nb::object global_row_number_column,
                             bool union_by_name, nb::object hive_partitioning,
                             nb::object memory_limit, nb::object page_limit, nb::object int96_unit,
                             bool int96_wraps, bool verify_checksums) {
  const OpenArguments opening{memory_limit, page_limit, int96_unit, int96_wraps, verify_checksums};
  ScanArguments arguments{columns, nb::none(), threads, string_type, batch_rows, batch_bytes};
  arguments.row_number_column = row_number_column;
  arguments.global_row_number_column = global_row_number_column;
  arguments.union_by_name = union_by_name;
  arguments.hive_partitioning = hive_partitioning;
  const parquet::ScanOptions options = arguments.streaming();
  const parquet::OpenOptions open_options = opening.options();
  const Context context = opening.context();
  if (!names_files(source)) return OpenFile(source, context, open_options).stream(options);
  std::vector<std::string> files = files_of(source);
  const LeavePython unlocked;
  const ConsumerScope scope(Consumer::kPython);
  return std::make_unique<Stream>(
      context, parquet::scan_files(std::move(files), options, context, open_options));
}

int64_t release_unused_memory() {
  const LeavePython unlocked;
  return MemoryPool::process()->trim();
}

}  // namespace

void define_functions(nb::module_& module) {
  module.def("open", open, nb::arg("source").none(), nb::kw_only(), nb::arg("memory_limit").none(),
             nb::arg("page_limit").none(), nb::arg("int96_unit").none(), nb::arg("int96_wraps"),
             nb::arg("verify_checksums"));
  module.def("read_table", read_table, nb::arg("source").none(), nb::arg("columns").none(),
             nb::kw_only(), nb::arg("threads").none(), nb::arg("string_type").none(),
             nb::arg("row_number_column").none(), nb::arg("global_row_number_column").none(),
             nb::arg("union_by_name"), nb::arg("hive_partitioning").none(),
             nb::arg("memory_limit").none(), nb::arg("page_limit").none(),
             nb::arg("int96_unit").none(), nb::arg("int96_wraps"), nb::arg("verify_checksums"));
  module.def("scan", scan, nb::arg("source").none(), nb::arg("columns").none(), nb::kw_only(),
             nb::arg("batch_rows").none(), nb::arg("batch_bytes").none(), nb::arg("threads").none(),
             nb::arg("string_type").none(), nb::arg("row_number_column").none(),
             nb::arg("global_row_number_column").none(), nb::arg("union_by_name"),
             nb::arg("hive_partitioning").none(), nb::arg("memory_limit").none(),
             nb::arg("page_limit").none(), nb::arg("int96_unit").none(), nb::arg("int96_wraps"),
             nb::arg("verify_checksums"));
  module.def("release_unused_memory", release_unused_memory);
}

}  // namespace colonnade::python
