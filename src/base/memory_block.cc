#include "base/memory_block.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "base/address_sanitizer.h"
#include "base/bits.h"

namespace colonnade {

namespace {

constexpr int64_t kAlignment = 64;
constexpr int64_t kHugePageBytes = int64_t{2} << 20;
constexpr int64_t kPadding = MutableBuffer::kPaddingBytes;

int64_t page_bytes() noexcept {
  static const int64_t bytes = sysconf(_SC_PAGESIZE);
  return bytes;
}

// Bytes that the last page of a mapped block has beyond a class's size and the padding.
int64_t mapped_extra() noexcept { return page_bytes() - kPadding; }

bool is_mapped(int64_t capacity) noexcept { return capacity >= kHugePageBytes; }

constexpr int64_t kLinearBytes = 256;  // classes up to here are multiples of 64
constexpr int kLinearClasses = static_cast<int>(kLinearBytes / kAlignment);

// The classes without the extra of mapped blocks.
int class_of(int64_t size_bytes) noexcept {
  if (size_bytes <= kLinearBytes) {
    return static_cast<int>((std::max<int64_t>(size_bytes, 1) - 1) / kAlignment);
  }
  const int k =
      std::bit_width(static_cast<uint64_t>(size_bytes - 1)) - 1;  // 2^k < size <= 2^(k + 1)
  const int quarter = static_cast<int>((size_bytes - 1 - (int64_t{1} << k)) >> (k - 2));  // 0 to 3
  return kLinearClasses + 4 * (k - 8) + quarter;
}

int64_t size_of(int size_class) noexcept {
  if (size_class < kLinearClasses) return kAlignment * (size_class + 1);
  const int k = 8 + (size_class - kLinearClasses) / 4;
  const int quarters = (size_class - kLinearClasses) % 4 + 1;
  return (int64_t{1} << k) + quarters * (int64_t{1} << (k - 2));
}

uint8_t* map(int64_t num_bytes) noexcept {
  // One huge page more than needed, so that an aligned start lies inside; both ends are given back.
  const int64_t mapped = num_bytes + kHugePageBytes;
  void* const address = mmap(nullptr, static_cast<size_t>(mapped), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<uint8_t*>(address);
  const auto misaligned = reinterpret_cast<uintptr_t>(begin) % kHugePageBytes;
  const auto head = static_cast<int64_t>(misaligned == 0 ? 0 : kHugePageBytes - misaligned);
  const int64_t tail = kHugePageBytes - head;
  if (head > 0) munmap(begin, static_cast<size_t>(head));
  if (tail > 0) munmap(begin + head + num_bytes, static_cast<size_t>(tail));
  // A hint: without huge pages the memory is the same, only slower to touch.
  madvise(begin + head, static_cast<size_t>(num_bytes), MADV_HUGEPAGE);
  return begin + head;
}

}  // namespace

namespace size_class {

static_assert(kLinearClasses + 4 * (46 - 8) <= kNumClasses, "kMaxBytes = 2^46 has a class");

int of_size(int64_t size_bytes) noexcept {
  // What the last page adds to a mapped block need not be paid for by the class.
  if (size_bytes > kHugePageBytes)
    size_bytes = std::max(size_bytes - mapped_extra(), kHugePageBytes);
  return class_of(size_bytes);
}

int64_t capacity(int size_class) noexcept {
  const int64_t size = size_of(size_class);
  return is_mapped(size) ? size + mapped_extra() : size;
}

int of_capacity(int64_t block_capacity) noexcept {
  if (block_capacity < kAlignment) return -1;
  const int size_class = of_size(block_capacity);
  return capacity(size_class) == block_capacity ? size_class : -1;
}

int64_t exact_capacity(int64_t size_bytes) noexcept {
  const int64_t data = bits::round_up(std::max<int64_t>(size_bytes, 1), kAlignment);
  return is_mapped(data) ? bits::round_up(data + kPadding, page_bytes()) - kPadding : data;
}

}  // namespace size_class

MemoryBlock allocate_block(int64_t capacity) noexcept {
  const int64_t num_bytes = capacity + kPadding;
  void* const data = is_mapped(capacity)
                         ? map(num_bytes)
                         : std::aligned_alloc(kAlignment, static_cast<size_t>(num_bytes));
  return {static_cast<uint8_t*>(data), capacity};
}

void free_block(const MemoryBlock& block) noexcept {
  poison_beyond(block, block.bytes());  // the next owner of these addresses may use them
  if (is_mapped(block.capacity)) {
    munmap(block.data, static_cast<size_t>(block.bytes()));
  } else {
    std::free(block.data);
  }
}

void offer_block(const MemoryBlock& block) noexcept {
  if (is_mapped(block.capacity)) {
    madvise(block.data, static_cast<size_t>(block.bytes()), MADV_FREE);
  }
}

bool is_fresh_block_zero(int64_t capacity) noexcept { return is_mapped(capacity); }

void poison_beyond([[maybe_unused]] const MemoryBlock& block,
                   [[maybe_unused]] int64_t num_bytes) noexcept {
#if defined(COLONNADE_ASAN)
  __asan_unpoison_memory_region(block.data, static_cast<size_t>(num_bytes));
  __asan_poison_memory_region(block.data + num_bytes,
                              static_cast<size_t>(block.bytes() - num_bytes));
#endif
}

}  // namespace colonnade
