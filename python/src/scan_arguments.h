// The keyword arguments of batches(), read() and read_table() as scan options.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include <colonnade/parquet.h>

namespace colonnade::python {

// All handles may be None. What each means is said in the docstrings in file.cc. ValueError and
// TypeError name the argument.
struct ScanArguments {
  nanobind::object columns;                                      // str or a sequence of str
  nanobind::object row_groups;                                   // sequence of int
  nanobind::object threads;                                      // int >= 1
  nanobind::object string_type;                                  // str
  nanobind::object batch_rows = nanobind::none();                // int >= 1
  nanobind::object batch_bytes = nanobind::none();               // int >= 1
  nanobind::object split = nanobind::none();                     // (offset, length)
  nanobind::object row_ranges = nanobind::none();                // iterable of (offset, length)
  nanobind::object row_number_column = nanobind::none();         // str
  nanobind::object global_row_number_column = nanobind::none();  // str
  bool union_by_name = false;
  nanobind::object hive_partitioning = nanobind::none();  // bool or 'text'

  // Batches for a stream.
  parquet::ScanOptions streaming() const;
  // One batch per row group, for a table that is kept.
  parquet::ScanOptions kept() const;

 private:
  void apply(parquet::ScanOptions& options) const;
};

// 's', 'ms', 'us' or 'ns'; ValueError or TypeError naming the argument otherwise.
TimeUnit unit_argument(nanobind::handle value, const char* name);
// A byte count of at least 1, or 0 for None.
int64_t limit_argument(nanobind::handle value, const char* name);

}  // namespace colonnade::python
