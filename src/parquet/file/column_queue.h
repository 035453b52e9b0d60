// One top-level column of one row group on its way through a scan: the reader and the parts that
// wait.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <utility>

#include <colonnade/column.h>

#include "parquet/column/row_reader.h"

namespace colonnade::parquet {

// Rows are cut at multiples of the batch size counted from the row group's first row (a cell); a
// part never crosses such a border, and ends before it only where the reader stopped for bytes. So
// where parts end depends on the file and the options alone, never on threads. The owner's lock
// guards everything but read(), which one thread at a time calls without it.
class ColumnQueue {
 public:
  struct Part {
    ColumnPtr column;
    int64_t bytes = 0;
  };

  ColumnQueue(std::unique_ptr<RowReader> reader, int64_t num_rows)
      : reader_(std::move(reader)), num_rows_(num_rows) {}

  bool can_read() const noexcept { return !error && rows_read_ < num_rows_; }
  int64_t rows_read() const noexcept { return rows_read_; }
  bool has_part() const noexcept { return !parts_.empty(); }
  // A part is there, or the error that comes instead of one.
  bool is_ready() const noexcept { return has_part() || error; }
  const Part& front() const noexcept { return parts_.front(); }
  int64_t waiting_bytes() const noexcept {
    int64_t bytes = 0;
    for (const Part& part : parts_) bytes += part.bytes;
    return bytes;
  }

  // Decodes the next part. `batch_rows` and `batch_bytes` as in ScanOptions.
  Part read(int64_t batch_rows, int64_t batch_bytes) {
    int64_t rows = num_rows_ - rows_read_;
    if (batch_rows > 0) rows = std::min(rows, batch_rows - rows_read_ % batch_rows);
    Part part{reader_->read(rows, batch_bytes), 0};
    part.bytes = part.column->slice_bytes();
    return part;
  }

  void push(Part part) {
    rows_read_ += part.column->length();
    parts_.push_back(std::move(part));
    if (rows_read_ == num_rows_) reader_.reset();  // gives back its page and dictionary
  }

  // Takes the first `rows` rows of the front part; returns them and the bytes that no longer wait.
  Part take(int64_t rows) {
    Part& part = parts_.front();
    if (rows == part.column->length()) {
      Part taken = std::move(part);
      parts_.pop_front();
      return taken;
    }
    Part taken{part.column->slice(0, rows), 0};
    part.column = part.column->slice(rows, part.column->length() - rows);
    const int64_t left = part.column->slice_bytes();
    taken.bytes = part.bytes - left;
    part.bytes = left;
    return taken;
  }

  std::exception_ptr error;  // what follows the last part

 private:
  std::unique_ptr<RowReader> reader_;
  int64_t num_rows_;
  int64_t rows_read_ = 0;
  std::deque<Part> parts_;
};

}  // namespace colonnade::parquet
