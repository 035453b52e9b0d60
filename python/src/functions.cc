// colonnade.open, colonnade.read_table and colonnade.scan.
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

std::unique_ptr<OpenFile> open(nb::handle source, nb::handle memory_limit, nb::handle page_limit) {
  return std::make_unique<OpenFile>(
      source, make_context(limit_argument(memory_limit, "memory_limit")), open_options(page_limit));
}

Table read_table(nb::handle source, nb::object columns, nb::object threads, nb::object string_type,
                 nb::object memory_limit, nb::object page_limit) {
  const parquet::ScanOptions options =
      ScanArguments{columns, nb::none(), threads, string_type}.kept();
  const parquet::OpenOptions opening = open_options(page_limit);
  const Context context = make_context(limit_argument(memory_limit, "memory_limit"));
  if (!names_files(source)) return OpenFile(source, context, opening).table(options);
  const std::vector<std::string> files = files_of(source);
  return collect_table(context, nullptr,
                       [&] { return parquet::scan_files(files, options, context, opening); });
}

std::unique_ptr<Stream> scan(nb::handle source, nb::object columns, nb::object batch_rows,
                             nb::object batch_bytes, nb::object threads, nb::object string_type,
                             nb::object memory_limit, nb::object page_limit) {
  const parquet::OpenOptions opening = open_options(page_limit);
  const parquet::ScanOptions options =
      ScanArguments{columns, nb::none(), threads, string_type, batch_rows, batch_bytes}.streaming();
  const Context context = make_context(limit_argument(memory_limit, "memory_limit"));
  if (!names_files(source)) return OpenFile(source, context, opening).stream(options);
  std::vector<std::string> files = files_of(source);
  const LeavePython unlocked;
  const ConsumerScope scope(Consumer::kPython);
  return std::make_unique<Stream>(context,
                                  parquet::scan_files(std::move(files), options, context, opening));
}

int64_t release_unused_memory() {
  const LeavePython unlocked;
  return MemoryPool::process()->trim();
}

}  // namespace

void define_functions(nb::module_& module) {
  module.def("open", open, nb::arg("source").none(), nb::kw_only(),
             nb::arg("memory_limit") = nb::none(), nb::arg("page_limit") = nb::none(),
             nb::sig("def open(source: str | os.PathLike[str] | Buffer | BinaryReader, *, "
                     "memory_limit: int | None = None, page_limit: int | None = None) -> File"),
             R"doc(Opens a Parquet file and reads its footer.

source: a path (folders and globs are for read_table() and scan()); the bytes of a file (bytes, memoryview,
  mmap, ...), which are read in place; or an object with read(), seek() and tell() that was opened in
  binary mode.
memory_limit: bytes that reading may take at once; MemoryError where that is not enough. Batches count
  until an Arrow consumer has taken them.
page_limit: a page that is larger than so many bytes when decompressed is refused; 256 MiB by default.

>>> colonnade.open("trips.parquet")
<colonnade.File 'trips.parquet': 4 rows, 4 columns, 1 row group>
>>> with open("trips.parquet", "rb") as f:
...     colonnade.open(f.read()).num_rows
4
)doc");
  module.def("read_table", read_table, nb::arg("source").none(), nb::arg("columns") = nb::none(),
             nb::kw_only(), nb::arg("threads") = nb::none(), nb::arg("string_type") = "string",
             nb::arg("memory_limit") = nb::none(), nb::arg("page_limit") = nb::none(),
             nb::sig("def read_table(source: str | os.PathLike[str] | "
                     "Iterable[str | os.PathLike[str]] | Buffer | BinaryReader, "
                     "columns: str | Iterable[str] | None = None, *, threads: int | None = None, "
                     "string_type: Literal['string', 'large_string', 'view', 'dictionary'] = "
                     "'string', memory_limit: int | None = None, "
                     "page_limit: int | None = None) -> Table"),
             R"doc(Reads Parquet files into one table.

source: a path, a glob such as "sales/*.parquet", a folder, or several of those in a list or another
  iterable; or one file in another form, as for open(). Several are read in the order given, the files of a
  glob or folder in the order of their names; all have to have one schema. Names that begin with "." or "_"
  or end in ".crc" are left out.
columns, threads, string_type: as for File.batches().
memory_limit, page_limit: as for open().

>>> colonnade.read_table("trips.parquet", columns=["city", "fare"]).num_rows
4
>>> colonnade.read_table("trips.*").column_names
['city', 'day', 'riders', 'fare']
)doc");
  module.def(
      "scan", scan, nb::arg("source").none(), nb::arg("columns") = nb::none(), nb::kw_only(),
      nb::arg("batch_rows") = nb::none(), nb::arg("batch_bytes") = nb::none(),
      nb::arg("threads") = nb::none(), nb::arg("string_type") = "string",
      nb::arg("memory_limit") = nb::none(), nb::arg("page_limit") = nb::none(),
      nb::sig("def scan(source: str | os.PathLike[str] | "
              "Iterable[str | os.PathLike[str]] | Buffer | BinaryReader, "
              "columns: str | Iterable[str] | None = None, *, "
              "batch_rows: int | None = None, batch_bytes: int | None = None, "
              "threads: int | None = None, "
              "string_type: Literal['string', 'large_string', 'view', 'dictionary'] = "
              "'string', memory_limit: int | None = None, page_limit: int | None = None) "
              "-> Stream"),
      R"doc(Reads Parquet files as a stream of batches: read_table() for what is too large to keep.

>>> for batch in colonnade.scan("trips.parquet", columns="city"):
...     print(batch["city"].to_pylist())
['Oslo', 'Lima', 'Oslo', 'Pune']
)doc");
  module.def(
      "release_unused_memory", release_unused_memory, nb::sig("def release_unused_memory() -> int"),
      R"doc(Gives the system back what is kept for the next read; returns how many bytes that was.

Memory of tables and batches that are gone is used again rather than given back, up to 2 GiB; what exceeds
256 MiB of it the system may take whenever it needs memory.

>>> colonnade.release_unused_memory() >= 0
True
)doc");
}

}  // namespace colonnade::python
