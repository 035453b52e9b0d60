// A row group whose columns are being decoded by a scan.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "parquet/file/column_queue.h"
#include "parquet/file/row_group_units.h"

namespace colonnade::parquet {

// Its queues are in the order of the scan's columns. Which one is next, and whether all are ready,
// is kept up to date: looking at all of thousands of columns for each part of each would take
// longer than decoding them.
class RowGroupInWork {
 public:
  // Parts of the queues behind `rows_taken` may be there already.
  RowGroupInWork(RowGroupUnit unit, std::vector<ColumnQueue> columns, int64_t rows_taken)
      : unit_(std::move(unit)), columns_(std::move(columns)), rows_taken_(rows_taken) {
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].can_read()) readable_.push({columns_[i].rows_read(), i});
    }
    count_unready();
  }

  const RowGroupUnit& unit() const noexcept { return unit_; }
  std::vector<ColumnQueue>& columns() noexcept { return columns_; }
  const std::vector<ColumnQueue>& columns() const noexcept { return columns_; }
  int64_t rows_taken() const noexcept { return rows_taken_; }
  bool finished() const noexcept { return rows_taken_ == unit_.rows.left(); }
  // Of all parts that are there.
  int64_t waiting_bytes() const noexcept {
    int64_t bytes = 0;
    for (const ColumnQueue& column : columns_) bytes += column.waiting_bytes();
    return bytes;
  }

  // The column that is furthest behind of those that can be read; null where there is none.
  const ColumnQueue* furthest_behind() const noexcept {
    return readable_.empty() ? nullptr : &columns_[readable_.top().second];
  }
  // That column, for end_read(); nobody else reads it until then.
  size_t begin_read() {
    const size_t index = readable_.top().second;
    readable_.pop();
    ++num_reading_;
    return index;
  }
  // What begin_read() began ended in a part, or in an error.
  void end_read(size_t index, ColumnQueue::Part part, std::exception_ptr error) {
    ColumnQueue& column = columns_[index];
    const bool was_ready = column.is_ready();
    --num_reading_;
    if (error) {
      column.error = std::move(error);
    } else {
      column.push(std::move(part));
    }
    if (!was_ready && column.is_ready()) --num_unready_;
    if (column.can_read()) readable_.push({column.rows_read(), index});
  }
  bool finished_reading() const noexcept { return readable_.empty() && num_reading_ == 0; }

  // Whether every column has a part or an error.
  bool is_ready() const noexcept { return num_unready_ == 0; }
  // Takes that many rows of each column's front part; returns them and their bytes.
  std::vector<ColumnPtr> take(int64_t rows, int64_t& bytes) {
    std::vector<ColumnPtr> columns;
    columns.reserve(columns_.size());
    for (ColumnQueue& column : columns_) {
      ColumnQueue::Part part = column.take(rows);
      bytes += part.bytes;
      columns.push_back(std::move(part.column));
    }
    rows_taken_ += rows;
    count_unready();
    return columns;
  }

 private:
  using RowsAndIndex = std::pair<int64_t, size_t>;  // of a column; the first of the least is next

  void count_unready() noexcept {
    num_unready_ = std::count_if(columns_.begin(), columns_.end(),
                                 [](const ColumnQueue& column) { return !column.is_ready(); });
  }

  RowGroupUnit unit_;
  std::vector<ColumnQueue> columns_;
  int64_t rows_taken_;
  std::priority_queue<RowsAndIndex, std::vector<RowsAndIndex>, std::greater<>> readable_;
  int64_t num_reading_ = 0;
  int64_t num_unready_ = 0;
};

}  // namespace colonnade::parquet
