#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <utility>

#include <colonnade/memory.h>

#include "base/bits.h"
#include "base/fail.h"
#include "base/memory_node.h"

namespace colonnade {

namespace {

// The owner of a frozen buffer's bytes; it keeps the pool, and the pool its free lists, alive.
class Allocation {
 public:
  Allocation(std::shared_ptr<MemoryNode> node, const MemoryBlock& block) noexcept
      : node_(std::move(node)), block_(block) {}
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation() {
    if (charged_.load(std::memory_order_acquire)) {
      node_->give_back_charged(block_);
    } else {
      node_->give_back(block_);
    }
  }

  void charge_to_consumer() const noexcept {
    if (!charged_.exchange(true, std::memory_order_acq_rel)) node_->charge_to_consumer(block_);
  }

 private:
  std::shared_ptr<MemoryNode> node_;
  MemoryBlock block_;
  mutable std::atomic<bool> charged_{false};
};

MemoryNode& node_of(const std::shared_ptr<MemoryPool>& pool) noexcept {
  return static_cast<MemoryNode&>(*pool);
}

// In test mode only the bytes that the contract allows to touch stay open: `size` and the padding.
// What lies between there and the end of the block is what the size class rounded up.
void poison_slack(const MemoryNode& node, const MemoryBlock& block, int64_t size_bytes) noexcept {
  if (node.test_mode().poison_slack)
    poison_beyond(block, size_bytes + MutableBuffer::kPaddingBytes);
}

}  // namespace

// ---- Buffer ------------------------------------------------------------------------------------

Buffer Buffer::wrap(const void* data, int64_t size_bytes, std::shared_ptr<const void> owner) {
  if (size_bytes < 0 || (data == nullptr && size_bytes > 0)) {
    fail(ErrorCode::kInvalidArgument, "not a range of memory", "{} bytes at {}", size_bytes,
         fmt::ptr(data));
  }
  Buffer buffer;
  buffer.data_ = static_cast<const uint8_t*>(data);
  buffer.size_ = size_bytes;
  buffer.owner_ = std::move(owner);
  return buffer;
}

Buffer Buffer::slice(int64_t offset, int64_t size_bytes) const {
  if (offset < 0 || size_bytes < 0 || offset > size_ || size_bytes > size_ - offset) {
    fail(ErrorCode::kInvalidArgument, "slice outside the buffer", "{} bytes at {} of {}",
         size_bytes, offset, size_);
  }
  Buffer part = *this;
  if (offset > 0) part.data_ += offset;
  part.size_ = size_bytes;
  return part;
}

void Buffer::charge_to_consumer() const noexcept {
  if (from_pool_) static_cast<const Allocation*>(owner_.get())->charge_to_consumer();
}

// ---- MutableBuffer -----------------------------------------------------------------------------

MutableBuffer::MutableBuffer(MutableBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)),
      pool_(std::move(other.pool_)) {}

MutableBuffer& MutableBuffer::operator=(MutableBuffer&& other) noexcept {
  MutableBuffer taken(std::move(other));
  std::swap(data_, taken.data_);
  std::swap(size_, taken.size_);
  std::swap(capacity_, taken.capacity_);
  std::swap(pool_, taken.pool_);
  return *this;
}

MutableBuffer::~MutableBuffer() {
  if (data_ != nullptr) node_of(pool_).give_back({data_, capacity_});
}

void MutableBuffer::resize(int64_t size_bytes) {
  if (size_bytes < 0) {
    fail(ErrorCode::kInvalidArgument, "negative buffer size", "{} bytes", size_bytes);
  }
  if (pool_ == nullptr) {
    if (size_bytes == 0) return;
    fail(ErrorCode::kInvalidArgument, "a buffer without a pool cannot grow", "{} bytes",
         size_bytes);
  }
  if (size_bytes > capacity_) grow(size_bytes);
  size_ = size_bytes;
  poison_slack(node_of(pool_), {data_, capacity_}, size_);
}

void MutableBuffer::grow(int64_t size_bytes) {
  // Growing by half at least makes appending linear; near the limit what is needed must do.
  MemoryNode& node = node_of(pool_);
  bool zeroed;
  const MemoryBlock larger = node.take(size_bytes, capacity_ + capacity_ / 2, zeroed);
  std::memcpy(larger.data, data_, static_cast<size_t>(size_));
  node.give_back({data_, capacity_});
  data_ = larger.data;
  capacity_ = larger.capacity;
}

void MutableBuffer::fill_zero() noexcept {
  if (size_ > 0) std::memset(data_, 0, static_cast<size_t>(size_));
}

Buffer MutableBuffer::freeze() && {
  if (data_ == nullptr) return {};
  // At most 63 bytes, so inside the padding.
  std::memset(data_ + size_, 0, static_cast<size_t>(bits::round_up(size_, 64) - size_));
  Buffer buffer;
  try {
    buffer.owner_ = std::make_shared<Allocation>(std::static_pointer_cast<MemoryNode>(pool_),
                                                 MemoryBlock{data_, capacity_});
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::kOutOfBudget, "the system has no memory",
         "for the owner of a buffer of {} bytes", size_);
  }
  buffer.data_ = std::exchange(data_, nullptr);
  buffer.size_ = std::exchange(size_, 0);
  buffer.from_pool_ = true;
  capacity_ = 0;
  pool_ = nullptr;
  return buffer;
}

// ---- What pools hand out -----------------------------------------------------------------------

MutableBuffer MemoryPool::allocate(int64_t size_bytes) {
  bool zeroed;
  return make_buffer(size_bytes, zeroed);
}

MutableBuffer MemoryPool::allocate_zeroed(int64_t size_bytes) {
  bool zeroed;
  MutableBuffer buffer = make_buffer(size_bytes, zeroed);
  if (!zeroed) buffer.fill_zero();
  return buffer;
}

MutableBuffer MemoryPool::make_buffer(int64_t size_bytes, bool& zeroed) {
  if (size_bytes < 0) {
    fail(ErrorCode::kInvalidArgument, "negative buffer size", "memory pool '{}': {} bytes", name(),
         size_bytes);
  }
  MutableBuffer buffer;
  buffer.pool_ = shared_from_this();
  auto& node = static_cast<MemoryNode&>(*this);
  const MemoryBlock block = node.take(size_bytes, size_bytes, zeroed);
  buffer.data_ = block.data;
  buffer.capacity_ = block.capacity;
  buffer.size_ = size_bytes;
  poison_slack(node, block, size_bytes);
  return buffer;
}

}  // namespace colonnade
