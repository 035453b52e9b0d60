#include <colonnade/batch_stream.h>

#include "base/fail.h"

namespace colonnade {

std::optional<Batch> BatchSource::next(int64_t max_rows) {
  if (max_rows < 1) {
    fail(ErrorCode::kInvalidArgument, "fewer than one row asked for", "max_rows {}", max_rows);
  }
  if (error_) std::rethrow_exception(error_);
  try {
    check_cancelled();
    while (!pending_) {
      if (ended_) return std::nullopt;
      pending_ = produce();
      if (!pending_) {
        ended_ = true;
      } else if (pending_->num_rows() == 0) {
        pending_.reset();
      }
    }
    if (pending_->num_rows() <= max_rows) {
      std::optional<Batch> batch = std::move(pending_);
      pending_.reset();
      return batch;
    }
    Batch head = pending_->slice(0, max_rows);
    pending_ = pending_->slice(max_rows, pending_->num_rows() - max_rows);
    return head;
  } catch (...) {
    error_ = std::current_exception();
    pending_.reset();
    throw;
  }
}

}  // namespace colonnade
