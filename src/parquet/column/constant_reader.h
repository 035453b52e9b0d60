// A column of which every row has one value, which stands outside of the file.
#pragma once

#include <algorithm>
#include <utility>

#include <colonnade/column.h>

#include "parquet/column/row_reader.h"

namespace colonnade::parquet {

class ConstantReader final : public RowReader {
 public:
  // `value`: flat, of one row.
  ConstantReader(ColumnPtr value, int64_t num_rows)
      : value_(std::move(value)), rows_left_(num_rows) {}

  // One value in memory, however many rows: max_bytes limits nothing.
  ColumnPtr read(int64_t max_rows, int64_t /*max_bytes*/) override {
    const int64_t rows = std::min(max_rows, rows_left_);
    rows_left_ -= rows;
    return Column::constant(value_, rows);
  }

 private:
  ColumnPtr value_;
  int64_t rows_left_;
};

}  // namespace colonnade::parquet
