#include "cli/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>

#include "cli/quantity.h"
#include "cli/terminal.h"

namespace colonnade::cli {

namespace {

// The token that the handler sets. Set once, before the handler is installed, and never destroyed.
const CancelToken* interrupted_token = nullptr;
std::atomic<int> first_signal{0};
std::atomic<int64_t> first_signal_ns{0};  // of the monotonic clock
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<int64_t>::is_always_lock_free,
              "a signal handler cannot take a lock");

// Signals that come closer together than anybody types are one request: timeout(1) sends two.
constexpr int64_t kOneRequestNs = 500'000'000;

void on_signal(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t now_ns = int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  int64_t first_ns = 0;
  if (first_signal_ns.compare_exchange_strong(first_ns, now_ns)) {
    first_signal = signal;
    CancelToken(*interrupted_token).cancel();
  } else if (now_ns - first_ns > kOneRequestNs) {
    std::signal(signal, SIG_DFL);
    raise(signal);  // comes when this handler returns
  }
}

void catch_signals(const CancelToken& token) {
  interrupted_token = new CancelToken(token);
  struct sigaction action{};
  action.sa_handler = on_signal;  // without SA_RESTART: what waits in a system call comes back
  sigemptyset(&action.sa_mask);
  // A file that grows beyond `ulimit -f` is an error of write() then, which leaves nothing behind.
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

void write_error(std::string_view text) {
  // A lost progress line harms nobody.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Session::Session(const GlobalOptions& options) : quiet_(options.quiet) {
  if (options.memory_bytes) {
    MemoryOptions memory;
    memory.limit_bytes = *options.memory_bytes;
    context_.memory = MemoryPool::make_root("--memory", memory);
  }
  catch_signals(context_.cancel);
}

int caught_signal() noexcept { return first_signal; }

Progress::Progress(const Session& session, int64_t total_rows)
    : enabled_(!session.quiet() && is_terminal(STDERR_FILENO)), total_rows_(total_rows) {}

Progress::~Progress() {
  if (shown_) write_error("\r\x1b[K");
}

void Progress::add_rows(int64_t rows) {
  rows_ += rows;
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string line = fmt::format("\r\x1b[K{} rows", format_count(rows_));
  if (total_rows_ > 0)
    line += fmt::format(" ({:.0f} %)",
                        100.0 * static_cast<double>(rows_) / static_cast<double>(total_rows_));
  line += fmt::format(", {} rows/s",
                      format_count(static_cast<int64_t>(static_cast<double>(rows_) / seconds)));
  write_error(line);
  shown_ = true;
}

}  // namespace colonnade::cli
