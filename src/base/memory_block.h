// The pieces of system memory that buffers are made of: their sizes, and how they are taken and
// given back.
#pragma once

#include <cstdint>

#include <colonnade/memory.h>

namespace colonnade {

// One piece. It is `capacity` bytes for data and MutableBuffer::kPaddingBytes behind them, so the
// pointer and the capacity say all about it.
struct MemoryBlock {
  uint8_t* data = nullptr;
  int64_t capacity = 0;

  // What it takes from the system and from budgets.
  int64_t bytes() const noexcept { return capacity + MutableBuffer::kPaddingBytes; }
};

// Capacities that are recycled: multiples of 64 up to 256, then four per power of two: (4, 5, 6, 7)
// / 4
// * 2^k. So a block is at most a quarter larger than what was asked, and powers of two, which most
// buffers ask for, fit exactly. From 2 MiB on a block is mapped by pages, and the rest of its last
// page adds to the capacity.
namespace size_class {

constexpr int kNumClasses = 160;
// The most that may be asked, 64 TiB: half of what an x86-64 process can address.
constexpr int64_t kMaxBytes = int64_t{1} << 46;

// The smallest class that holds `size_bytes`, from 0 to kMaxBytes.
int of_size(int64_t size_bytes) noexcept;
int64_t capacity(int size_class) noexcept;
// The class whose blocks have exactly this capacity; -1 when none has.
int of_capacity(int64_t capacity) noexcept;
// Capacity of the smallest block that holds `size_bytes`, whether recycled or not.
int64_t exact_capacity(int64_t size_bytes) noexcept;

}  // namespace size_class

// A block at a multiple of 64 (from 2 MiB on: at a multiple of 2 MiB and in huge pages, where the
// system has them), of unknown content; its data is null when the system has no memory.
MemoryBlock allocate_block(int64_t capacity) noexcept;
void free_block(const MemoryBlock& block) noexcept;
// Lets the system take the memory of a block that nobody uses when it needs some. The block stays
// valid; its content is lost.
void offer_block(const MemoryBlock& block) noexcept;
// Whether a block of this capacity comes zeroed from the system.
bool is_fresh_block_zero(int64_t capacity) noexcept;

// Under AddressSanitizer every access to the block beyond its first `num_bytes` is an error from
// now on, and none before them; elsewhere nothing happens.
void poison_beyond(const MemoryBlock& block, int64_t num_bytes) noexcept;

}  // namespace colonnade
