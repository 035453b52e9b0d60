// What stands behind the Python class File.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <optional>

#include <colonnade/context.h>
#include <colonnade/parquet.h>

#include "python_file.h"
#include "scan_arguments.h"
#include "stream.h"
#include "tabular.h"

namespace colonnade::python {

class OpenFile {
 public:
  // `source`: what byte_source() accepts.
  OpenFile(nanobind::handle source, const Context& context, const parquet::OpenOptions& options);

  // ValueError once closed.
  const parquet::File& get() const;
  const Context& context() const noexcept { return context_; }
  bool closed() const noexcept { return !file_; }
  // Streams that were begun go on.
  void close();

  std::unique_ptr<Stream> stream(const parquet::ScanOptions& options) const;
  Table table(const parquet::ScanOptions& options) const;

 private:
  Context context_;
  FileUse use_;
  std::optional<parquet::File> file_;
};

// All that the source `begin` gives, as a table; begins and reads without Python's lock. `use` is
// that of the file-like object it reads, or null.
Table collect_table(const Context& context, const FileUse& use,
                    const std::function<std::unique_ptr<BatchSource>()>& begin);

// Arguments of the functions that open files, None where they were not given.
struct OpenArguments {
  nanobind::object memory_limit;
  nanobind::object page_limit;
  nanobind::object int96_unit;
  bool int96_wraps = false;
  bool verify_checksums = false;

  // TypeError or ValueError naming the argument.
  Context context() const;
  parquet::OpenOptions options() const;
};

}  // namespace colonnade::python
