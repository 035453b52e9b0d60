#include "base/reclaimers.h"

#include <algorithm>
#include <utility>

#include "base/memory_node.h"

namespace colonnade {

namespace {

// Reclaimers of all trees that this thread is inside.
thread_local int calls_on_this_thread = 0;

}  // namespace

std::shared_ptr<ReclaimerEntry> Reclaimers::add(const MemoryNode* node,
                                                MemoryPool::ReclaimFunction function) {
  auto entry = std::make_shared<ReclaimerEntry>();
  entry->node = node;
  entry->function = std::move(function);
  const std::lock_guard lock(mutex_);
  entries_.push_back(entry);
  return entry;
}

void Reclaimers::remove(const std::shared_ptr<ReclaimerEntry>& entry) noexcept {
  MemoryPool::ReclaimFunction function;  // destroyed without the lock
  std::unique_lock lock(mutex_);
  std::erase(entries_, entry);
  const std::thread::id self = std::this_thread::get_id();
  if (entry->running == self) return;  // the function removes itself: it lives until it returns
  finished_.wait(lock, [&] { return entry->running == std::thread::id(); });
  function = std::move(entry->function);
  lock.unlock();
}

bool Reclaimers::Request::is_willing(const ReclaimerEntry* entry) const noexcept {
  const auto found = std::find_if(asked_.begin(), asked_.end(),
                                  [entry](const Asked& a) { return a.entry.get() == entry; });
  return found == asked_.end() || found->calls < kMaxCalls;
}

bool Reclaimers::Request::ask_next(const MemoryNode* top, int64_t bytes) {
  const std::thread::id self = std::this_thread::get_id();
  std::shared_ptr<ReclaimerEntry> best;
  Asked* asked = nullptr;
  {
    std::unique_lock lock(reclaimers_.mutex_);
    for (;;) {
      best = nullptr;
      int64_t best_bytes = -1;
      for (const auto& entry : reclaimers_.entries_) {
        if (entry->running == self || !is_willing(entry.get())) continue;
        if (entry->running != std::thread::id() && calls_on_this_thread > 0) continue;
        if (!entry->node->is_below(top)) continue;
        const int64_t held_bytes = entry->node->held_bytes();
        if (held_bytes <= best_bytes) continue;
        best = entry;
        best_bytes = held_bytes;
      }
      if (best == nullptr) return false;
      if (best->running == std::thread::id()) break;
      reclaimers_.finished_.wait(lock);
    }
    const auto found = std::find_if(asked_.begin(), asked_.end(),
                                    [&best](const Asked& a) { return a.entry == best; });
    asked = found != asked_.end() ? &*found : &asked_.emplace_back(Asked{best, 0});
    best->running = self;
  }

  int64_t released = 0;
  ++calls_on_this_thread;
  try {
    released = best->function(bytes);
  } catch (...) {
    // A reclaimer that fails has nothing to give; the request goes on to the next one.
  }
  --calls_on_this_thread;
  asked->calls = released > 0 ? asked->calls + 1 : kMaxCalls;

  const std::lock_guard lock(reclaimers_.mutex_);
  best->running = std::thread::id();
  reclaimers_.finished_.notify_all();
  return true;
}

void Reclaimers::forget_other_threads() noexcept {
  const std::thread::id self = std::this_thread::get_id();
  for (const auto& entry : entries_) {
    if (entry->running != self) entry->running = std::thread::id();
  }
  // Threads of the parent may have been waiting: the object is made anew in place, not destroyed.
  std::construct_at(&finished_);
}

}  // namespace colonnade
