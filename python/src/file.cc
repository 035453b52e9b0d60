// colonnade.File.
#include "file.h"

#include <nanobind/stl/unique_ptr.h>

#include <string>
#include <utility>

#include "byte_source.h"
#include "export.h"
#include "gil.h"
#include "interrupt.h"
#include "module.h"
#include "requested_schema.h"
#include "text.h"

namespace nb = nanobind;

namespace colonnade::python {

OpenFile::OpenFile(nb::handle source, const Context& context, const parquet::OpenOptions& options)
    : context_(context) {
  const ByteSource opened = byte_source(source);
  use_ = opened.use;
  {
    const LeavePython unlocked;
    const ConsumerScope scope(Consumer::kPython);
    file_ =
        std::visit([&](const auto& bytes) { return parquet::File::open(bytes, context_, options); },
                   opened.bytes);
  }
  check_signals();
}

const parquet::File& OpenFile::get() const {
  if (!file_) throw nb::value_error("the file is closed");
  return *file_;
}

void OpenFile::close() {
  std::optional<parquet::File> closing = std::exchange(file_, std::nullopt);
  const LeavePython unlocked;
  closing.reset();
}

std::unique_ptr<Stream> OpenFile::stream(const parquet::ScanOptions& options) const {
  const parquet::File file = get();
  const LeavePython unlocked;
  const ConsumerScope scope(Consumer::kPython);
  return std::make_unique<Stream>(context_, file.scan(options), use_);
}

Table OpenFile::table(const parquet::ScanOptions& options) const {
  const parquet::File file = get();
  return collect_table(context_, use_, [&] { return file.scan(options); });
}

Table collect_table(const Context& context, const FileUse& use,
                    const std::function<std::unique_ptr<BatchSource>()>& begin) {
  std::optional<Table> table;
  {
    const LeavePython unlocked;
    const ConsumerScope scope(Consumer::kPython);
    GuardedSource source(begin(), Consumer::kPython, use);
    table = Table::collect(source, context.cancel);
  }
  check_signals();
  return *std::move(table);
}

Context OpenArguments::context() const {
  return make_context(limit_argument(memory_limit, "memory_limit"));
}

parquet::OpenOptions OpenArguments::options() const {
  parquet::OpenOptions options;
  if (!page_limit.is_none()) options.page_limit_bytes = limit_argument(page_limit, "page_limit");
  options.int96_unit = unit_argument(int96_unit, "int96_unit");
  options.int96_wraps = int96_wraps;
  options.verify_checksums = verify_checksums;
  return options;
}

namespace {

nb::dict key_values(const parquet::File& file) {
  nb::dict dict;
  for (const auto& [key, value] : file.key_value_metadata()) dict[to_text(key)] = to_text(value);
  return dict;
}

nb::object parsed_json(const std::string& json) {
  return nb::module_::import_("json").attr("loads")(nb::bytes(json.data(), json.size()));
}

nb::dict row_group_dict(const parquet::RowGroupInfo& info) {
  nb::dict dict;
  dict["num_rows"] = info.num_rows;
  dict["compressed_bytes"] = info.compressed_bytes;
  dict["uncompressed_bytes"] = info.uncompressed_bytes;
  dict["first_page_offset"] = info.first_page_offset;
  return dict;
}

nb::dict column_chunk_dict(const parquet::ColumnChunkInfo& info) {
  const auto text = [](const std::optional<std::string>& value) {
    return value ? nb::object(to_text(*value)) : nb::none();
  };
  const auto number = [](const std::optional<int64_t>& value) {
    return value ? nb::object(nb::int_(*value)) : nb::none();
  };
  nb::list encodings;
  for (const std::string& encoding : info.encodings) encodings.append(to_text(encoding));
  nb::dict dict;
  dict["path"] = to_text(info.path);
  dict["physical_type"] = to_text(info.physical_type);
  dict["codec"] = to_text(info.codec);
  dict["encodings"] = encodings;
  dict["num_values"] = info.num_values;
  dict["compressed_bytes"] = info.compressed_bytes;
  dict["uncompressed_bytes"] = info.uncompressed_bytes;
  dict["first_page_offset"] = info.first_page_offset;
  dict["has_dictionary_page"] = info.has_dictionary_page;
  dict["min"] = text(info.min);
  dict["max"] = text(info.max);
  dict["null_count"] = number(info.null_count);
  dict["distinct_count"] = number(info.distinct_count);
  return dict;
}

std::string describe(const OpenFile& self) {
  if (self.closed()) return "<colonnade.File, closed>";
  const parquet::File& file = self.get();
  const auto counted = [](int64_t count, const char* noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
  };
  const nb::str name = nb::repr(to_text(file.name()));
  return "<colonnade.File " + std::string(name.c_str()) + ": " + counted(file.num_rows(), "row") +
         ", " + counted(file.schema()->num_fields(), "column") + ", " +
         counted(file.num_row_groups(), "row group") + ">";
}

// A scan as a stream in the forms that `requested` asks for, decoded into them where that is
// possible.
nb::object export_file(const OpenFile& self, nb::handle requested) {
  parquet::ScanOptions options;
  Schema forms = requested_forms(self.context(), *self.get().schema(), requested);
  options.strings = string_form_for(forms, options.strings);
  return export_source(self.context(), self.stream(options)->hand_over(), std::move(forms));
}

void define_properties(nb::class_<OpenFile>& type) {
  type.def_prop_ro(
          "name", [](const OpenFile& self) { return to_text(self.get().name()); },
          nb::sig("def name(self) -> str"), "The path it was opened by, or what was opened.")
      .def_prop_ro(
          "schema", [](const OpenFile& self) { return *self.get().schema(); },
          nb::sig("def schema(self) -> Schema"), "Names and types of its columns.")
      .def_prop_ro(
          "num_rows", [](const OpenFile& self) { return self.get().num_rows(); },
          nb::sig("def num_rows(self) -> int"), "How many rows it has.")
      .def_prop_ro(
          "num_columns", [](const OpenFile& self) { return self.get().schema()->num_fields(); },
          nb::sig("def num_columns(self) -> int"),
          "How many columns it has; nested ones count once.")
      .def_prop_ro(
          "num_row_groups", [](const OpenFile& self) { return self.get().num_row_groups(); },
          nb::sig("def num_row_groups(self) -> int"), "How many row groups it has.")
      .def_prop_ro(
          "created_by", [](const OpenFile& self) { return to_text(self.get().created_by()); },
          nb::sig("def created_by(self) -> str"), "What wrote the file, as it says itself.")
      .def_prop_ro(
          "format_version", [](const OpenFile& self) { return self.get().format_version(); },
          nb::sig("def format_version(self) -> int"), "The version in its footer, 1 or 2.")
      .def_prop_ro(
          "key_value_metadata", [](const OpenFile& self) { return key_values(self.get()); },
          nb::sig("def key_value_metadata(self) -> dict[str, str]"),
          "What its writer put into the footer; bytes that are not UTF-8 are surrogates (PEP 383).")
      .def_prop_ro(
          "metadata", [](const OpenFile& self) { return parsed_json(self.get().metadata_json()); },
          nb::sig("def metadata(self) -> dict[str, Any]"),
          "The whole footer as dicts and lists: row groups, column chunks, statistics.")
      .def_prop_ro("closed", &OpenFile::closed, nb::sig("def closed(self) -> bool"),
                   "Whether close() was called.")
      .def(
          "row_group",
          [](const OpenFile& self, int32_t ordinal) {
            return row_group_dict(self.get().row_group(ordinal));
          },
          nb::arg("ordinal"), nb::sig("def row_group(self, ordinal: int) -> dict[str, int]"),
          "Rows and sizes of one row group.")
      .def(
          "column_chunk",
          [](const OpenFile& self, int32_t row_group, int32_t leaf) {
            return column_chunk_dict(self.get().column_chunk(row_group, leaf));
          },
          nb::arg("row_group"), nb::arg("leaf"),
          nb::sig("def column_chunk(self, row_group: int, leaf: int) -> dict[str, Any]"),
          "Type, codec, encodings, sizes and statistics of one column in one row group.");
}

}  // namespace

void define_file(nb::module_& module) {
  nb::class_<OpenFile> type(module, "File", nb::is_final(),
                            R"doc(An open Parquet file: what open() gives.

>>> file = colonnade.open("trips.parquet")
>>> file.num_rows, file.num_columns, file.num_row_groups
(4, 4, 1)
>>> file.column_chunk(0, 0)["path"], file.row_group(0)["num_rows"]
('city', 4)

The footer has been read; the rest is read when batches are asked for. Streams and batches may outlive it. Any
number of threads may use one file.
)doc");
  define_properties(type);
  type.def("__repr__", [](const OpenFile& self) { return to_text(describe(self)); })
      .def(
          "__enter__", [](nb::object self) { return self; }, nb::sig("def __enter__(self) -> File"))
      .def(
          "__exit__", [](OpenFile& self, nb::args) { self.close(); },
          nb::sig("def __exit__(self, *exception: object) -> None"))
      .def("close", &OpenFile::close, nb::sig("def close(self) -> None"),
           "Gives the file up. Streams that were begun go on.")
      .def(
          "batches",
          [](const OpenFile& self, nb::object columns, nb::object batch_rows,
             nb::object batch_bytes, nb::object row_groups, nb::object split, nb::object row_ranges,
             nb::object row_number_column, nb::object threads, nb::object string_type) {
            return self.stream(ScanArguments{columns, row_groups, threads, string_type, batch_rows,
                                             batch_bytes, split, row_ranges, row_number_column}
                                   .streaming());
          },
          nb::arg("columns") = nb::none(), nb::kw_only(), nb::arg("batch_rows") = nb::none(),
          nb::arg("batch_bytes") = nb::none(), nb::arg("row_groups") = nb::none(),
          nb::arg("split") = nb::none(), nb::arg("row_ranges") = nb::none(),
          nb::arg("row_number_column") = nb::none(), nb::arg("threads") = nb::none(),
          nb::arg("string_type") = "string",
          nb::sig(
              "def batches(self, columns: str | Iterable[str] | None = None, *, "
              "batch_rows: int | None = None, batch_bytes: int | None = None, "
              "row_groups: Iterable[int] | None = None, "
              "split: tuple[int, int] | None = None, "
              "row_ranges: Iterable[tuple[int, int]] | None = None, "
              "row_number_column: str | None = None, threads: int | None = None, "
              "string_type: Literal['string', 'large_string', 'view', 'dictionary'] = 'string') "
              "-> Stream"),
          R"doc(The rows as a stream of batches, in order.

columns: those to read, in this order; all by default. An empty list gives rows without columns. A dotted
  path reads a part of a nested column: "s.x", "l.element.x", or as Parquet has it "l.list.element.x".
batch_rows, batch_bytes: a batch has at most so many; 8,192 rows and 16 MiB by default. With batch_rows
  alone there is no limit in bytes.
row_groups: the numbers of those to read, in this order; all by default.
split: (offset, length) in bytes: only row groups whose midpoint lies there, so that splits that cover the
  file give each row once.
row_ranges: (offset, length) of the rows to read, counted from 0 in the file; sorted, and apart from one another.
row_number_column: the name of an int64 column behind the others that numbers the rows of the file.
threads: at most so many work at once; by default one for each CPU that this process may use.
string_type: how strings and binaries are laid out for Arrow: with 32-bit offsets ('string'), 64-bit
  offsets ('large_string'), as views ('view'), or as a dictionary ('dictionary').

>>> file = colonnade.open("trips.parquet")
>>> [batch.num_rows for batch in file.batches(["city"], batch_rows=3, threads=1)]
[3, 1]
)doc")
      .def(
          "read",
          [](const OpenFile& self, nb::object columns, nb::object row_groups, nb::object row_ranges,
             nb::object row_number_column, nb::object threads, nb::object string_type) {
            ScanArguments arguments{columns, row_groups, threads, string_type};
            arguments.row_ranges = row_ranges;
            arguments.row_number_column = row_number_column;
            return self.table(arguments.kept());
          },
          nb::arg("columns") = nb::none(), nb::kw_only(), nb::arg("row_groups") = nb::none(),
          nb::arg("row_ranges") = nb::none(), nb::arg("row_number_column") = nb::none(),
          nb::arg("threads") = nb::none(), nb::arg("string_type") = "string",
          nb::sig(
              "def read(self, columns: str | Iterable[str] | None = None, *, "
              "row_groups: Iterable[int] | None = None, "
              "row_ranges: Iterable[tuple[int, int]] | None = None, "
              "row_number_column: str | None = None, threads: int | None = None, "
              "string_type: Literal['string', 'large_string', 'view', 'dictionary'] = 'string') "
              "-> Table"),
          R"doc(The rows as a table, one batch per row group. The arguments are those of batches().

>>> colonnade.open("trips.parquet").read("riders").to_pydict()
{'riders': [120, None, 75, 310]}
)doc")
      .def("__arrow_c_stream__", export_file, nb::arg("requested_schema") = nb::none(),
           nb::sig("def __arrow_c_stream__(self, requested_schema: object | None = None) "
                   "-> object"),
           "All rows as an Arrow C stream in a PyCapsule.");
}

}  // namespace colonnade::python
