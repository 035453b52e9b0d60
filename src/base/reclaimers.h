// The functions of one memory tree that give memory back on request.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <colonnade/memory.h>

namespace colonnade {

// Guarded by the lock of its Reclaimers, except for `function`, which only the running thread uses.
struct ReclaimerEntry {
  const MemoryNode* node = nullptr;
  MemoryPool::ReclaimFunction function;
  std::thread::id running;  // the thread that is inside `function`
};

// Calls of one function never overlap: a second thread waits for the first and then calls again,
// unless it is inside some reclaimer itself (two such threads could wait for each other): then it
// leaves the function out. Thread-safe; no lock is held during a call.
class Reclaimers {
 public:
  // Throws bad_alloc.
  std::shared_ptr<ReclaimerEntry> add(const MemoryNode* node, MemoryPool::ReclaimFunction function);
  // Afterwards the function is never called. Waits for a call on another thread.
  void remove(const std::shared_ptr<ReclaimerEntry>& entry) noexcept;

  // One request for memory, which may ask several reclaimers.
  class Request {
   public:
    explicit Request(Reclaimers& reclaimers) noexcept : reclaimers_(reclaimers) {}
    // Asks one more reclaimer of `top` or a node below it for `bytes`: of those still willing the
    // one whose node uses most. Willing is who has not answered 0 (or thrown) to this request, not
    // been asked kMaxCalls times, and is not running on this thread. False when there is none.
    bool ask_next(const MemoryNode* top, int64_t bytes);  // throws bad_alloc

   private:
    static constexpr int kMaxCalls = 8;
    struct Asked {
      std::shared_ptr<ReclaimerEntry> entry;
      int calls;
    };
    bool is_willing(const ReclaimerEntry* entry) const noexcept;

    Reclaimers& reclaimers_;
    std::vector<Asked> asked_;
  };

  // For fork hooks. In the child no other thread runs a function.
  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }
  void forget_other_threads() noexcept;  // with the lock held

 private:
  std::mutex mutex_;
  std::condition_variable finished_;  // a call has ended
  std::vector<std::shared_ptr<ReclaimerEntry>> entries_;
};

}  // namespace colonnade
