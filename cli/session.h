// What the commands of one run share: memory, signals, and how much is said on the terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <colonnade/context.h>

namespace colonnade::cli {

struct GlobalOptions {
  bool quiet = false;
  std::optional<int64_t> memory_bytes;  // no limit where absent
};

// One per process. The first SIGINT (Ctrl-C), SIGTERM or SIGHUP cancels context().cancel; another
// one ends the process as if nobody had caught it, unless it comes within half a second: then it is
// the same request. Those that were ignored when the process started (nohup) stay ignored.
class Session {
 public:
  explicit Session(const GlobalOptions& options);

  const Context& context() const noexcept { return context_; }
  bool quiet() const noexcept { return quiet_; }

 private:
  Context context_;
  bool quiet_;
};

// The first of these signals that came; 0: none.
int caught_signal() noexcept;

// One rewritten line on standard error, once work has taken a second; nothing where that is no
// terminal or -q was given.
class Progress {
 public:
  // `total_rows` -1: unknown.
  Progress(const Session& session, int64_t total_rows);
  ~Progress();  // removes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add_rows(int64_t rows);

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool shown_ = false;
  int64_t total_rows_;
  int64_t rows_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + std::chrono::seconds(1);
};

}  // namespace colonnade::cli
