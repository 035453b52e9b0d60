#include "base/executor.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "base/cgroup.h"
#include "base/fail.h"
#include "base/fork_hook.h"

namespace colonnade {

namespace {

// CPUs of the affinity mask; 0 when it cannot be read.
int32_t affinity_cpus() {
  // The kernel refuses a mask smaller than its own, whose size it does not tell.
  for (int num_cpus = 1024; num_cpus <= (1 << 20); num_cpus *= 2) {
    cpu_set_t* mask = CPU_ALLOC(static_cast<size_t>(num_cpus));
    if (mask == nullptr) return 0;
    const size_t mask_bytes = CPU_ALLOC_SIZE(static_cast<size_t>(num_cpus));
    const int refused = sched_getaffinity(0, mask_bytes, mask) == 0 ? 0 : errno;
    const int32_t cpus = refused != 0 ? 0 : CPU_COUNT_S(mask_bytes, mask);
    CPU_FREE(mask);
    if (refused != EINVAL) return cpus;
  }
  return 0;
}

// What the thread that started this worker blocked; null on other threads.
thread_local const sigset_t* program_signals = nullptr;

}  // namespace

ProgramSignals::ProgramSignals() noexcept {
  if (program_signals != nullptr) pthread_sigmask(SIG_SETMASK, program_signals, &before_);
}
ProgramSignals::~ProgramSignals() {
  if (program_signals != nullptr) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int32_t available_cpus() {
  int32_t cpus = std::max(1, affinity_cpus());
  if (const double quota = cgroup_cpus(); quota > 0 && quota < cpus) {
    cpus = static_cast<int32_t>(std::ceil(quota));
  }
  return cpus;
}

// Shared by the Executor and its workers, so that a task may drop the last reference to its
// Executor.
struct Executor::State final : ForkHook, std::enable_shared_from_this<Executor::State> {
  explicit State(int32_t num_threads) : max_threads(num_threads) {}

  const int32_t max_threads;
  std::mutex mutex;  // guards everything below
  std::condition_variable wake;
  std::deque<std::function<void()>> queue;
  std::vector<pthread_t> threads;
  size_t num_idle = 0;  // workers that wait for `wake`
  bool stopping = false;
  int64_t generation = 0;  // forks that this process descends from, as far as the state saw them
  ForkRegistration registration{*this};

  // What a new thread is given.
  struct Start {
    std::shared_ptr<State> state;
    int64_t generation;
    size_t ordinal;  // from 1
    sigset_t signals;
  };

  int start_worker();
  void work(int64_t born_in) noexcept;

  void before_fork() noexcept override { mutex.lock(); }
  void after_fork_in_parent() noexcept override { mutex.unlock(); }
  void after_fork_in_child() noexcept override;
};

void Executor::State::after_fork_in_child() noexcept {
  ++generation;
  threads.clear();
  num_idle = 0;
  // Tasks of the parent may refer to objects that its threads were changing at the fork: they are
  // neither run nor destroyed here. The same holds for the condition variable, which the parent's
  // threads may be waiting for: it is made anew in place.
  static auto& abandoned = *new std::deque<std::deque<std::function<void()>>>;
  abandoned.emplace_back().swap(queue);
  std::construct_at(&wake);
  mutex.unlock();
}

// Called with the mutex held. Returns 0 or an errno.
int Executor::State::start_worker() {
  auto start =
      std::make_unique<Start>(Start{shared_from_this(), generation, threads.size() + 1, {}});
  threads.reserve(threads.size() + 1);
  sigset_t all;  // a new thread inherits the mask
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &start->signals);
  const sigset_t before = start->signals;
  pthread_t thread;
  const int refused = pthread_create(
      &thread, nullptr,
      [](void* argument) -> void* {
        const std::unique_ptr<Start> given(static_cast<Start*>(argument));
        char name[16];  // the kernel's limit
        std::snprintf(name, sizeof(name), "colonnade-%zu", given->ordinal);
        pthread_setname_np(pthread_self(), name);
        program_signals = &given->signals;
        given->state->work(given->generation);
        return nullptr;
      },
      start.get());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (refused != 0) return refused;
  static_cast<void>(start.release());
  threads.push_back(thread);
  return 0;
}

// noexcept: a task that throws ends the process.
void Executor::State::work(int64_t born_in) noexcept {
  std::unique_lock lock(mutex);
  for (;;) {
    while (queue.empty() && !stopping) {
      ++num_idle;
      wake.wait(lock);
      --num_idle;
    }
    if (queue.empty()) return;
    std::function<void()> task = std::move(queue.front());
    queue.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // what it holds goes before the next wait, and without the lock
    lock.lock();
    // The task forked and this is the child: the thread is no worker here.
    if (generation != born_in) return;
  }
}

Executor::Executor(int32_t num_threads) {
  if (num_threads < 1) {
    fail(ErrorCode::kInvalidArgument, "an executor needs a thread", "{} threads", num_threads);
  }
  state_ = std::make_shared<State>(num_threads);
}

Executor::~Executor() {
  std::vector<pthread_t> threads;
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    threads.swap(state_->threads);
    state_->wake.notify_all();
  }
  for (const pthread_t thread : threads) {
    if (pthread_equal(thread, pthread_self()) != 0) {
      pthread_detach(thread);  // a task holds the last reference: its thread ends by itself
    } else {
      pthread_join(thread, nullptr);
    }
  }
}

const std::shared_ptr<Executor>& Executor::process() {
  static const auto& executor =
      *new std::shared_ptr<Executor>(std::make_shared<Executor>(available_cpus()));
  return executor;
}

int32_t Executor::num_threads() const noexcept { return state_->max_threads; }

void Executor::submit(std::function<void()> task) {
  const std::lock_guard lock(state_->mutex);
  State& state = *state_;
  state.queue.push_back(std::move(task));
  if (state.queue.size() > state.num_idle &&
      state.threads.size() < static_cast<size_t>(state.max_threads)) {
    const int refused = state.start_worker();
    // With one worker at least, the task only waits longer.
    if (refused != 0 && state.threads.empty()) {
      state.queue.pop_back();
      throw Error(ErrorCode::kOutOfBudget, "cannot start a thread").with_errno(refused);
    }
  }
  state.wake.notify_one();
}

}  // namespace colonnade
