// Which rows of a row group are read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace colonnade::parquet {

// Rows [begin, end) of a row group, begin < end.
struct RowSpan {
  int64_t begin = 0;
  int64_t end = 0;
};
// Sorted, and apart from one another.
using RowSpans = std::vector<RowSpan>;

// A position in a row group, and what is selected behind it.
class RowCursor {
 public:
  // All of them.
  explicit RowCursor(int64_t num_rows) : RowCursor(num_rows, nullptr) {}
  // Those in `selected`; null for all.
  RowCursor(int64_t num_rows, std::shared_ptr<const RowSpans> selected)
      : num_rows_(num_rows), selected_(std::move(selected)) {
    if (!selected_) {
      left_ = num_rows;
    } else {
      for (const RowSpan& span : *selected_) left_ += span.end - span.begin;
    }
  }

  int64_t num_rows() const noexcept { return num_rows_; }  // of the row group
  int64_t position() const noexcept { return position_; }
  bool at_end() const noexcept { return position_ == num_rows_; }
  // Selected rows that were not passed.
  int64_t left() const noexcept { return left_; }
  // Rows from here on that are not selected, before one that is.
  int64_t to_skip() const noexcept { return left_ == 0 ? 0 : span().begin - position_; }
  // Selected rows from here on without a gap.
  int64_t run() const noexcept { return left_ == 0 || to_skip() > 0 ? 0 : span().end - position_; }

  // Passes n rows: n <= to_skip(), or n <= run().
  void pass(int64_t n) noexcept {
    if (to_skip() == 0) left_ -= n;
    position_ += n;
    if (selected_ && next_ < selected_->size() && position_ == (*selected_)[next_].end) ++next_;
  }

 private:
  RowSpan span() const noexcept {
    return selected_
               ? RowSpan{std::max((*selected_)[next_].begin, position_), (*selected_)[next_].end}
               : RowSpan{position_, num_rows_};
  }

  int64_t num_rows_;
  std::shared_ptr<const RowSpans> selected_;
  size_t next_ = 0;  // the span that is next, or current
  int64_t position_ = 0;
  int64_t left_ = 0;
};

}  // namespace colonnade::parquet
