// Memory with a budget: a tree of pools, and the buffers they hand out.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include <colonnade/export.h>

namespace colonnade {

class MemoryNode;
class MemoryPool;
class MutableBuffer;
struct ReclaimerEntry;

// Immutable bytes with shared ownership. Copying and slicing share the owner and copy no bytes.
// Thread-safe like shared_ptr: distinct Buffer objects may be used from distinct threads.
class COLONNADE_API Buffer {
 public:
  Buffer() = default;
  // Bytes that something else owns; `owner` is released when the last Buffer over it goes.
  static Buffer wrap(const void* data, int64_t size_bytes, std::shared_ptr<const void> owner);

  const uint8_t* data() const noexcept { return data_; }
  int64_t size() const noexcept { return size_; }  // bytes
  bool empty() const noexcept { return size_ == 0; }

  // The bytes as values of T: size() / sizeof(T) of them. The data must be aligned for T, which
  // buffers from a pool are at offset 0.
  template <typename T>
  std::span<const T> as() const noexcept {
    return {reinterpret_cast<const T*>(data_), static_cast<size_t>(size_) / sizeof(T)};
  }

  // Bytes [offset, offset + size_bytes); must lie inside this buffer (kInvalidArgument otherwise).
  Buffer slice(int64_t offset, int64_t size_bytes) const;

  const std::shared_ptr<const void>& owner() const noexcept { return owner_; }

  // Takes the bytes' whole allocation out of the budget it was reserved from: from now on the
  // consumer who holds it pays. Used by the Arrow export. No effect on wrapped memory, nor twice.
  void charge_to_consumer() const noexcept;

 private:
  friend class MutableBuffer;
  const uint8_t* data_ = nullptr;
  int64_t size_ = 0;
  std::shared_ptr<const void> owner_;
  bool from_pool_ = false;  // owner_ is a pool allocation
};

// Writable bytes with one owner. data() is 64-byte aligned, and at least kPaddingBytes behind
// size() may be scribbled over by wide stores until freeze().
class COLONNADE_API MutableBuffer {
 public:
  static constexpr int64_t kPaddingBytes = 64;

  MutableBuffer() = default;
  MutableBuffer(MutableBuffer&&) noexcept;
  MutableBuffer& operator=(MutableBuffer&&) noexcept;
  ~MutableBuffer();

  uint8_t* data() noexcept { return data_; }
  const uint8_t* data() const noexcept { return data_; }
  int64_t size() const noexcept { return size_; }
  // Bytes that size() may grow to without moving the data; the padding comes on top.
  int64_t capacity() const noexcept { return capacity_; }

  template <typename T>
  T* as() noexcept {
    return reinterpret_cast<T*>(data_);
  }

  // Changes size(), keeping the first min(old, new) bytes; new bytes are uninitialised. Growth is
  // geometric, may move the data, and throws kOutOfBudget with the buffer unchanged.
  void resize(int64_t size_bytes);
  // Sets every byte in [0, size()) to zero.
  void fill_zero() noexcept;

  // Zeroes the slack up to the next multiple of 64 and gives the bytes away for sharing.
  Buffer freeze() &&;

 private:
  friend class MemoryPool;
  void grow(int64_t size_bytes);  // moves to a larger block
  uint8_t* data_ = nullptr;
  int64_t size_ = 0;
  int64_t capacity_ = 0;
  std::shared_ptr<MemoryPool> pool_;
};

// Faults and patterns that tests switch on. The defaults change nothing.
struct MemoryTestMode {
  bool fill = false;  // fill allocations with `pattern`, recycled memory with ~pattern
  uint8_t pattern = 0xA5;
  bool poison_slack =
      false;  // tell AddressSanitizer that bytes past size() + padding are off limits
  int64_t fail_allocation = 0;  // the n-th allocation (from 1) throws kOutOfBudget; 0: none does
};

struct MemoryOptions {
  static constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
  int64_t limit_bytes = kNoLimit;
  // What the free lists may hold back for recycling; always inside the limit and the first to go.
  // Large blocks past the first 256 MiB are offered to the system, which takes them when it needs
  // memory (MADV_FREE).
  int64_t max_cached_bytes = int64_t{2} << 30;
  MemoryTestMode test_mode = {};
};

// A node of the memory tree. A reservation counts in the node and in each of its parents, and is
// refused when any of them would pass its limit after the free lists were emptied and the
// reclaimers asked. Nodes reserve from their parents in steps, and no lock is held while a parent
// or a reclaimer is asked. All functions are thread-safe. Buffers keep their pool alive.
class COLONNADE_API MemoryPool : public std::enable_shared_from_this<MemoryPool> {
 public:
  // Gives memory back on request: called with the bytes wanted, returns the bytes it released from
  // its pool. May be called from any thread, but never while another call of the same reclaimer is
  // running, and never after its Reclaimer was destroyed. It must not wait for a thread that may be
  // asking for memory: a lock that it shares with one is only tried. One that throws gives nothing.
  using ReclaimFunction = std::function<int64_t(int64_t bytes)>;
  class COLONNADE_API Reclaimer {
   public:
    Reclaimer() = default;
    Reclaimer(Reclaimer&&) noexcept;
    Reclaimer& operator=(Reclaimer&&) noexcept;
    ~Reclaimer();  // waits for a call in progress on another thread

   private:
    friend class MemoryNode;
    std::shared_ptr<MemoryNode> node_;
    std::shared_ptr<ReclaimerEntry> entry_;
  };

  static std::shared_ptr<MemoryPool> make_root(std::string name, const MemoryOptions& options = {});
  // The process's own root: no limit. Never destroyed.
  static const std::shared_ptr<MemoryPool>& process();

  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;
  virtual ~MemoryPool() = default;

  virtual std::shared_ptr<MemoryPool> child(std::string name,
                                            int64_t limit_bytes = MemoryOptions::kNoLimit) = 0;

  // Accounts for memory that the pool does not hand out itself. Each successful reservation is
  // released exactly once, in any pieces.
  virtual bool try_reserve(int64_t bytes) noexcept = 0;
  void reserve(int64_t bytes, const char* purpose);  // throws kOutOfBudget naming purpose and sizes
  virtual void release(int64_t bytes) noexcept = 0;

  // `size_bytes` of uninitialised memory. Throws kOutOfBudget; never std::bad_alloc.
  MutableBuffer allocate(int64_t size_bytes);
  // The same, zeroed.
  MutableBuffer allocate_zeroed(int64_t size_bytes);

  virtual Reclaimer add_reclaimer(ReclaimFunction function) = 0;
  // Empties the free lists of the whole tree; returns the bytes given back to the system.
  virtual int64_t trim() noexcept = 0;

  virtual const std::string& name() const noexcept = 0;
  virtual int64_t limit_bytes() const noexcept = 0;
  // Reserved through this node and its children now, and at most so far; without cached memory and
  // without what was charged to a consumer. The peak also counts what children held in advance, up
  // to 3 MiB each.
  virtual int64_t used_bytes() const noexcept = 0;
  virtual int64_t peak_bytes() const noexcept = 0;
  // Held by the free lists of the whole tree; charged to consumers of the whole tree.
  virtual int64_t cached_bytes() const noexcept = 0;
  virtual int64_t exported_bytes() const noexcept = 0;

 private:
  friend class MemoryNode;  // the one implementation
  MemoryPool() = default;
  // `zeroed` tells whether the bytes are known to be zero.
  MutableBuffer make_buffer(int64_t size_bytes, bool& zeroed);
};

}  // namespace colonnade
