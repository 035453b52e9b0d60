// What a footer's index takes from the memory budget, held below a limit that follows from the
// footer's own size.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <colonnade/memory.h>

namespace colonnade::parquet {

// Charges to a pool; destruction gives everything back. One user at a time.
class MetadataAccount {
 public:
  // At most `limit_bytes` may be charged at any time.
  MetadataAccount(std::shared_ptr<MemoryPool> pool, int64_t limit_bytes) noexcept
      : pool_(std::move(pool)), limit_bytes_(limit_bytes) {}
  ~MetadataAccount() { pool_->release(charged_bytes_); }
  MetadataAccount(const MetadataAccount&) = delete;
  MetadataAccount& operator=(const MetadataAccount&) = delete;

  // kOutOfBudget naming `purpose`.
  void charge(int64_t bytes, const char* purpose);
  void give_back(int64_t bytes) noexcept;
  int64_t charged_bytes() const noexcept { return charged_bytes_; }
  const std::shared_ptr<MemoryPool>& pool() const noexcept { return pool_; }

  // Room in `list` for `capacity` elements. While its elements move, the old place and the new one
  // are charged.
  template <typename T>
  void reserve(std::vector<T>& list, size_t capacity, const char* purpose) {
    if (capacity <= list.capacity()) return;
    const auto old_bytes = static_cast<int64_t>(list.capacity() * sizeof(T));
    charge(static_cast<int64_t>(capacity * sizeof(T)), purpose);
    list.reserve(capacity);
    give_back(old_bytes);
  }
  // Room for one more element; lists grow as their elements arrive.
  template <typename T>
  void make_room(std::vector<T>& list, const char* purpose) {
    if (list.size() == list.capacity()) reserve(list, list.empty() ? 8 : list.size() * 2, purpose);
  }
  // The bytes of a string outside of its object.
  void charge_text(size_t length, const char* purpose) {
    if (length > std::string().capacity()) charge(static_cast<int64_t>(length) + 1, purpose);
  }

 private:
  std::shared_ptr<MemoryPool> pool_;
  int64_t limit_bytes_;
  int64_t charged_bytes_ = 0;
};

}  // namespace colonnade::parquet
