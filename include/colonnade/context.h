// What every source, sink and operator is given: memory, a cancel token, spill space, an executor,
// metrics.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include <colonnade/export.h>
#include <colonnade/memory.h>

namespace colonnade {

class Executor;

// A request to stop, shared by all copies of the token. Setting it is async-signal-safe; whoever
// waits looks at it at least every 50 ms, so that no wake-up is needed. Thread-safe.
class COLONNADE_API CancelToken {
 public:
  CancelToken();
  // A token that is cancelled with this one, but not the other way round.
  CancelToken child() const;

  void cancel() noexcept;
  bool cancelled() const noexcept;
  // Throws kCancelled once cancelled. On the thread that called poll() last it polls, too.
  void check() const;

  // A function for the thread that consumes a source, called at most every 50 ms by poll() and, on
  // that thread, by check(); returns true to cancel, or throws what these shall throw. (Python's
  // KeyboardInterrupt comes in here.)
  // Set it before the token is shared.
  void set_poll(std::function<bool()> poll);
  // check(), and the poll function of this token or its parents when it is due. Called by the
  // consuming thread only.
  void poll() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Named counters of one piece of work. Thread-safe. Names carry their unit (`read_bytes`,
// `decode_ns`).
class COLONNADE_API Metrics {
 public:
  using Snapshot = std::map<std::string, int64_t, std::less<>>;
  void add(std::string_view name, int64_t value);
  Snapshot snapshot() const;

 private:
  mutable std::mutex mutex_;
  Snapshot values_;
};

// A file of spilled bytes. Destruction removes it. One user at a time.
class COLONNADE_API SpillFile {
 public:
  virtual ~SpillFile() = default;
  // Appends; throws kIo with errno (a full disk is ENOSPC).
  virtual void append(std::span<const uint8_t> bytes) = 0;
  virtual int64_t size() const = 0;
  // Fills `out` from `offset`; kCorruptData when the file is shorter.
  virtual void read(int64_t offset, std::span<uint8_t> out) = 0;
};

// Where operators that exceed their memory put it. Thread-safe.
class COLONNADE_API SpillSpace {
 public:
  virtual ~SpillSpace() = default;
  virtual std::unique_ptr<SpillFile> create(std::string_view purpose) = 0;
};

// Cheap to copy; a copy means the same memory, token, executor and counters.
struct COLONNADE_API Context {
  // Memory of the process's root without a limit, a fresh token, no spill space (operators that
  // would spill fail with kOutOfBudget), the process's executor, fresh metrics.
  Context();

  std::shared_ptr<MemoryPool> memory;  // never null
  CancelToken cancel;
  std::shared_ptr<SpillSpace> spill;
  std::shared_ptr<Executor> executor;  // never null
  std::shared_ptr<Metrics> metrics;    // never null
};

}  // namespace colonnade
