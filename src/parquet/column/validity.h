// The validity of a column's rows while they are decoded: nothing until the first null.
#pragma once

#include <cstdint>
#include <utility>

#include <colonnade/context.h>
#include <colonnade/memory.h>

#include "base/bits.h"
#include "parquet/column/value_reader.h"

namespace colonnade::parquet {

class Validity {
 public:
  // A column of `max_rows` rows at most: a hint of what to reserve.
  Validity(const Context& context, int64_t max_rows) : context_(context), max_rows_(max_rows) {}

  int64_t num_nulls() const noexcept { return num_nulls_; }

  // Where bits [row, row + n) are to be written, the first at bit `row`; can be called again for
  // the same rows or for others that begin there. Rows before `row` that nobody wrote are valid.
  uint8_t* room_for(int64_t row, int64_t n) {
    if (!started_) {
      bits_ = context_.memory->allocate(bytes_to_reserve(max_rows_, 1, 0));
      started_ = true;
      make_room(row);
      bits::fill(bits_.data(), 0, row, true);
    }
    make_room(row + n);
    return bits_.data();
  }
  void append_valid(int64_t row, int64_t n) {
    if (!started_) return;
    make_room(row + n);
    bits::fill(bits_.data(), row, n, true);
  }
  void count_nulls(int64_t n) noexcept { num_nulls_ += n; }

  // The bits of all rows; empty where none is null.
  Buffer finish(int64_t num_rows) {
    if (num_nulls_ == 0) return {};
    make_room(num_rows);
    bits::fill(bits_.data(), num_rows, bits_.size() * 8 - num_rows, false);
    return std::move(bits_).freeze();
  }

 private:
  void make_room(int64_t num_rows) { bits_.resize(bits::bytes_for(num_rows)); }

  Context context_;
  int64_t max_rows_;
  MutableBuffer bits_;
  bool started_ = false;
  int64_t num_nulls_ = 0;
};

}  // namespace colonnade::parquet
