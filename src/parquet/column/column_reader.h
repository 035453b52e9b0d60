// The values of one column chunk, in order, as columns.
#pragma once

#include <cstdint>
#include <memory>

#include <colonnade/column.h>
#include <colonnade/context.h>
#include <colonnade/parquet.h>

#include "io/read_plan.h"
#include "parquet/column/leaf.h"
#include "parquet/column/leaf_pages.h"
#include "parquet/column/row_cursor.h"
#include "parquet/format/metadata.h"

namespace colonnade::parquet {

// Reads a flat chunk front to back. One user at a time; holds one page and the chunk's dictionary
// at a time.
class ColumnReader {
 public:
  // `bytes` are those of chunk_span(). `rows` are those of the row group that are read;
  // kCorruptData when the chunk has more or fewer than the row group.
  ColumnReader(const Context& context, const ColumnReadOptions& options, const Leaf& leaf,
               const Field& field, const ChunkMetadata& chunk, RowCursor rows,
               io::SequentialReader bytes);
  ~ColumnReader();
  ColumnReader(ColumnReader&&) noexcept;
  ColumnReader& operator=(ColumnReader&&) noexcept;

  int64_t rows_left() const noexcept;
  // The next rows: between 1 and min(max_rows, rows_left()); fewer than that only where the next
  // row would pass `max_bytes` of values in this column (0: no limit but that of 32-bit offsets) —
  // where it stops depends on the file and on these two numbers alone. rows_left() > 0. Reading the
  // last row also checks that the chunk holds no more values. Errors carry column and page offset.
  // Counted are the fixed width of a value, a bit for a boolean, and for a string 4 bytes and its
  // own bytes (its 4 bytes alone where ids into the chunk's dictionary are given). Nulls count as
  // values without bytes.
  ColumnPtr read(int64_t max_rows, int64_t max_bytes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace colonnade::parquet
