// What all nodes of one memory tree share: the budget of its root, the free lists, the reclaimers.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include <colonnade/memory.h>

#include "base/fork_hook.h"
#include "base/free_lists.h"
#include "base/reclaimers.h"

namespace colonnade {

// The root's limit covers `held` = what the root's pools use (with what they hold in advance) +
// `cached`. All counts are bytes of whole blocks. A block goes from a free list to a buffer and
// back without changing `held`, so a recycled block is never refused for its own bytes.
class MemoryTree final : ForkHook {
 public:
  explicit MemoryTree(const MemoryOptions& options);

  int64_t limit() const noexcept { return limit_; }
  int64_t held() const noexcept { return held_.load(std::memory_order_relaxed); }
  int64_t cached() const noexcept { return cached_.load(std::memory_order_relaxed); }
  int64_t exported() const noexcept { return exported_.load(std::memory_order_relaxed); }
  const MemoryTestMode& test_mode() const noexcept { return test_mode_; }

  // False when `held` would pass the limit.
  bool hold(int64_t bytes) noexcept;
  void drop(int64_t bytes) noexcept { held_.fetch_sub(bytes, std::memory_order_acq_rel); }

  // A block from the free lists (its data is null when there is none). Its bytes count as cached
  // until taken(); the alternative is put_back().
  MemoryBlock take(int size_class) noexcept { return free_lists_.take(size_class); }
  void put_back(const MemoryBlock& block) noexcept;
  void taken(const MemoryBlock& block) noexcept {
    cached_.fetch_sub(block.bytes(), std::memory_order_acq_rel);
  }
  // Makes room among the cached bytes for a block whose bytes are in `held`; false when the block
  // is not one to be recycled or the cache is full. After true its bytes count as cached, and
  // cache() puts it there.
  bool may_cache(const MemoryBlock& block) noexcept;
  void cache(const MemoryBlock& block) noexcept;
  // Gives cached blocks back to the system until `bytes` are freed or none is left; returns the
  // sum.
  int64_t evict(int64_t bytes) noexcept;

  void export_bytes(int64_t bytes) noexcept {
    exported_.fetch_add(bytes, std::memory_order_acq_rel);
  }
  void unexport_bytes(int64_t bytes) noexcept {
    exported_.fetch_sub(bytes, std::memory_order_acq_rel);
  }

  // Whether the test mode wants this allocation, the next one, to fail.
  bool fails_allocation() noexcept;

  Reclaimers& reclaimers() noexcept { return reclaimers_; }
  // Guards the lists of children of all nodes.
  std::mutex& structure() noexcept { return structure_; }

 private:
  void before_fork() noexcept override;
  void after_fork_in_parent() noexcept override;
  void after_fork_in_child() noexcept override;

  const int64_t limit_;
  const int64_t max_cached_;
  const MemoryTestMode test_mode_;
  std::atomic<int64_t> held_{0};
  std::atomic<int64_t> cached_{0};
  std::atomic<int64_t> exported_{0};
  std::atomic<int64_t> num_allocations_{0};  // counted only when one is to fail
  FreeLists free_lists_;
  Reclaimers reclaimers_;
  std::mutex structure_;
  ForkRegistration registration_{*this};
};

}  // namespace colonnade
