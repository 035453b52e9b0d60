#include "io/sole_use.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "base/fail.h"

namespace colonnade::io {
namespace {

uint64_t process_of(uint64_t holder) noexcept { return holder >> 32; }

uint64_t this_thread() noexcept {
  return static_cast<uint64_t>(getpid()) << 32 | static_cast<uint64_t>(syscall(SYS_gettid));
}

}  // namespace

void SoleUse::lock() {
  const uint64_t self = this_thread();
  uint64_t holder = 0;
  while (!holder_.compare_exchange_weak(holder, self, std::memory_order_acquire,
                                        std::memory_order_relaxed)) {
    if (holder == 0) continue;
    if (holder == self) {
      fail(ErrorCode::kInvalidArgument, "the function that reads a file uses the file itself");
    }
    if (process_of(holder) != process_of(self)) {
      fail(ErrorCode::kInvalidArgument,
           "the file was being read when the process forked: open it anew in the child");
    }
    holder_.wait(holder, std::memory_order_relaxed);
    holder = 0;
  }
}

void SoleUse::unlock() noexcept {
  holder_.store(0, std::memory_order_release);
  holder_.notify_one();
}

bool SoleUse::held_by_this_thread() const noexcept {
  return holder_.load(std::memory_order_relaxed) == this_thread();
}

}  // namespace colonnade::io
