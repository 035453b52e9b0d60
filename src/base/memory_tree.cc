#include "base/memory_tree.h"

#include <cstring>

namespace colonnade {

namespace {

// Cached memory beyond this is the system's to take.
constexpr int64_t kOwnCachedBytes = int64_t{256} << 20;

}  // namespace

MemoryTree::MemoryTree(const MemoryOptions& options)
    : limit_(options.limit_bytes),
      max_cached_(options.max_cached_bytes),
      test_mode_(options.test_mode) {}

bool MemoryTree::hold(int64_t bytes) noexcept {
  int64_t held = held_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit_ - held) return false;
  } while (!held_.compare_exchange_weak(held, held + bytes, std::memory_order_acq_rel,
                                        std::memory_order_relaxed));
  return true;
}

bool MemoryTree::may_cache(const MemoryBlock& block) noexcept {
  if (size_class::of_capacity(block.capacity) < 0) return false;
  int64_t cached = cached_.load(std::memory_order_relaxed);
  do {
    if (block.bytes() > max_cached_ - cached) return false;
  } while (!cached_.compare_exchange_weak(cached, cached + block.bytes(), std::memory_order_acq_rel,
                                          std::memory_order_relaxed));
  return true;
}

void MemoryTree::cache(const MemoryBlock& block) noexcept {
  if (test_mode_.fill) {
    poison_beyond(block, block.bytes());
    std::memset(block.data, static_cast<uint8_t>(~test_mode_.pattern),
                static_cast<size_t>(block.bytes()));
  }
  if (cached_.load(std::memory_order_relaxed) > kOwnCachedBytes) offer_block(block);
  put_back(block);
}

void MemoryTree::put_back(const MemoryBlock& block) noexcept {
  poison_beyond(block, 0);  // nobody may touch it in the free list
  if (free_lists_.put(size_class::of_capacity(block.capacity), block)) return;
  free_block(block);
  taken(block);
  drop(block.bytes());
}

int64_t MemoryTree::evict(int64_t bytes) noexcept {
  int64_t freed = 0;
  while (freed < bytes) {
    const MemoryBlock block = free_lists_.take_largest();
    if (block.data == nullptr) break;
    free_block(block);
    taken(block);
    drop(block.bytes());
    freed += block.bytes();
  }
  return freed;
}

bool MemoryTree::fails_allocation() noexcept {
  return test_mode_.fail_allocation > 0 &&
         num_allocations_.fetch_add(1, std::memory_order_relaxed) + 1 == test_mode_.fail_allocation;
}

void MemoryTree::before_fork() noexcept {
  structure_.lock();
  reclaimers_.lock();
  free_lists_.lock();
}

void MemoryTree::after_fork_in_parent() noexcept {
  free_lists_.unlock();
  reclaimers_.unlock();
  structure_.unlock();
}

void MemoryTree::after_fork_in_child() noexcept {
  reclaimers_.forget_other_threads();
  after_fork_in_parent();
}

}  // namespace colonnade
