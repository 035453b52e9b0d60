#include "parquet/format/metadata_account.h"

#include "base/fail.h"

namespace colonnade::parquet {

void MetadataAccount::charge(int64_t bytes, const char* purpose) {
  if (bytes > limit_bytes_ - charged_bytes_) {
    fail(ErrorCode::kOutOfBudget, "the footer asks for more memory than its size justifies",
         "{}: {} bytes more than {}, limit {}", purpose, bytes, charged_bytes_, limit_bytes_);
  }
  pool_->reserve(bytes, purpose);
  charged_bytes_ += bytes;
}

void MetadataAccount::give_back(int64_t bytes) noexcept {
  pool_->release(bytes);
  charged_bytes_ -= bytes;
}

}  // namespace colonnade::parquet
