// Blocks that no buffer uses, kept to be used again.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/memory_block.h"

namespace colonnade {

// One stack of blocks per size class: what was used last, and is most likely in the CPU's caches,
// is used first. Does no accounting. Thread-safe; nothing is called with the lock held.
class FreeLists {
 public:
  FreeLists() = default;
  ~FreeLists();  // gives the blocks back to the system
  FreeLists(const FreeLists&) = delete;
  FreeLists& operator=(const FreeLists&) = delete;

  // A block of that class; its data is null when there is none.
  MemoryBlock take(int size_class) noexcept;
  // A block of the largest class that has one; its data is null when all lists are empty.
  MemoryBlock take_largest() noexcept;
  // False when there is no memory to note the block in: it stays the caller's.
  bool put(int size_class, const MemoryBlock& block) noexcept;

  // For fork hooks.
  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }

 private:
  std::mutex mutex_;
  std::array<std::vector<uint8_t*>, size_class::kNumClasses> blocks_;
};

}  // namespace colonnade
