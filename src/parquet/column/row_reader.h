// The rows of one column of a scan in a row group, wherever they come from.
#pragma once

#include <cstdint>

#include <colonnade/column.h>

namespace colonnade::parquet {

// One user at a time.
class RowReader {
 public:
  virtual ~RowReader() = default;
  // The next of the rows that are selected, of which there are some left: between 1 and max_rows;
  // fewer than that and than are left only where the next row would pass `max_bytes` (0: no limit).
  virtual ColumnPtr read(int64_t max_rows, int64_t max_bytes) = 0;

 protected:
  RowReader() = default;
};

}  // namespace colonnade::parquet
