// The threads of the process: one pool of workers that runs small tasks.
#pragma once

#include <signal.h>

#include <cstdint>
#include <functional>
#include <memory>

#include <colonnade/context.h>

namespace colonnade {

// CPUs this process may use: the smaller of its affinity mask and its cgroup's quota (v1 and v2,
// rounded up), at least 1. Read anew at each call.
int32_t available_cpus();

// Threads start with the first submit(). After fork() the child starts with no threads and no
// queued tasks and works as if fresh; a task that was queued or running at the fork continues in
// the parent only. Thread-safe.
//
// Workers block all signals, which belong to the program's own threads.
class Executor {
 public:
  // `num_threads` >= 1 workers at most.
  explicit Executor(int32_t num_threads);
  // Runs what is queued, then joins.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // The process's executor, of available_cpus() threads; never destroyed.
  static const std::shared_ptr<Executor>& process();

  int32_t num_threads() const noexcept;
  // Queues a task. Tasks must not throw, and must not block on other tasks.
  void submit(std::function<void()> task);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Lets the calling thread take the signals that the program takes, for the lifetime of this object,
// where it is a worker; does nothing on other threads. For calls into code of the program: a
// process that it starts inherits the mask, and would never hear of SIGTERM.
class ProgramSignals {
 public:
  ProgramSignals() noexcept;
  ~ProgramSignals();
  ProgramSignals(const ProgramSignals&) = delete;
  ProgramSignals& operator=(const ProgramSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace colonnade
