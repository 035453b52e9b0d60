#include "base/free_lists.h"

#include <new>

namespace colonnade {

FreeLists::~FreeLists() {
  for (MemoryBlock block = take_largest(); block.data != nullptr; block = take_largest()) {
    free_block(block);
  }
}

MemoryBlock FreeLists::take(int size_class) noexcept {
  const std::lock_guard lock(mutex_);
  std::vector<uint8_t*>& list = blocks_[static_cast<size_t>(size_class)];
  if (list.empty()) return {};
  uint8_t* const data = list.back();
  list.pop_back();
  return {data, size_class::capacity(size_class)};
}

MemoryBlock FreeLists::take_largest() noexcept {
  for (int size_class = size_class::kNumClasses - 1; size_class >= 0; --size_class) {
    const MemoryBlock block = take(size_class);
    if (block.data != nullptr) return block;
  }
  return {};
}

bool FreeLists::put(int size_class, const MemoryBlock& block) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    blocks_[static_cast<size_t>(size_class)].push_back(block.data);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace colonnade
