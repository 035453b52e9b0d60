// What a scan reads, row group by row group, in order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <colonnade/context.h>
#include <colonnade/parquet.h>

#include "parquet/column/row_cursor.h"
#include "parquet/file/file_set.h"
#include "parquet/file/selection.h"

namespace colonnade::parquet {

// One row group of one file, and what of that file the scan's columns come from.
struct RowGroupUnit {
  std::shared_ptr<const FileReader> reader;
  std::shared_ptr<const std::vector<SelectedColumn>> columns;  // one per output column
  int32_t row_group = 0;
  int64_t first_row = 0;          // in the file
  int64_t rows_before_file = 0;   // in the files before it
  RowCursor rows = RowCursor(0);  // those that are read
};

// The next row group, or nothing at the end; may open files. After an error the next call tries the
// same again. One caller at a time.
using RowGroupUnits = std::function<std::optional<RowGroupUnit>()>;

// The row groups of one file that `options` select; row groups without rows are left out.
RowGroupUnits units_of_file(std::shared_ptr<const FileReader> reader,
                            std::vector<SelectedColumn> columns, const ScanOptions& options);

// The row groups of several files in turn. `options` select row groups only where there is one
// file.
RowGroupUnits units_of_files(std::shared_ptr<const FileSet> files, const ScanOptions& options);

}  // namespace colonnade::parquet
