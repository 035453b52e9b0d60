#include <colonnade/context.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include <colonnade/error.h>

#include "base/executor.h"

namespace colonnade {

// Only the atomics change once the token is shared.
struct CancelToken::State {
  std::atomic<bool> cancelled{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "cancel() is called in signal handlers");
  std::shared_ptr<State> parent;
  std::function<bool()> poll;
  std::atomic<int64_t> next_poll_ns{0};     // of the steady clock; 0: due at once
  std::atomic<std::thread::id> consumer{};  // who called poll() last

  // Calls the poll function when it is due; of several threads that ask, one calls it.
  void ask() {
    constexpr int64_t kPollIntervalNs = 50'000'000;
    const int64_t now_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::steady_clock::now().time_since_epoch())
                               .count();
    int64_t next = next_poll_ns.load(std::memory_order_relaxed);
    if (now_ns < next || !next_poll_ns.compare_exchange_strong(next, now_ns + kPollIntervalNs,
                                                               std::memory_order_relaxed)) {
      return;
    }
    if (poll()) cancelled.store(true, std::memory_order_release);
  }
};

CancelToken::CancelToken() : state_(std::make_shared<State>()) {}

CancelToken CancelToken::child() const {
  CancelToken token;
  token.state_->parent = state_;
  return token;
}

void CancelToken::cancel() noexcept { state_->cancelled.store(true, std::memory_order_release); }

bool CancelToken::cancelled() const noexcept {
  for (const State* state = state_.get(); state != nullptr; state = state->parent.get()) {
    if (state->cancelled.load(std::memory_order_acquire)) return true;
  }
  return false;
}

void CancelToken::check() const {
  // Deep inside a long piece of work of the consuming thread nobody else can ask its function.
  const std::thread::id self = std::this_thread::get_id();
  for (State* state = state_.get(); state != nullptr; state = state->parent.get()) {
    if (state->poll && state->consumer.load(std::memory_order_relaxed) == self) state->ask();
  }
  if (cancelled()) throw Error(ErrorCode::kCancelled, "cancelled");
}

void CancelToken::set_poll(std::function<bool()> poll) { state_->poll = std::move(poll); }

void CancelToken::poll() const {
  for (State* state = state_.get(); state != nullptr; state = state->parent.get()) {
    if (state->poll) {
      state->consumer.store(std::this_thread::get_id(), std::memory_order_relaxed);
    }
  }
  check();
}

void Metrics::add(std::string_view name, int64_t value) {
  const std::lock_guard lock(mutex_);
  const auto found = values_.find(name);
  if (found != values_.end()) {
    found->second += value;
  } else {
    values_.emplace(name, value);
  }
}

Metrics::Snapshot Metrics::snapshot() const {
  const std::lock_guard lock(mutex_);
  return values_;
}

Context::Context()
    : memory(MemoryPool::process()),
      executor(Executor::process()),
      metrics(std::make_shared<Metrics>()) {}

}  // namespace colonnade
