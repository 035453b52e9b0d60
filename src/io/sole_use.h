// A mutex for what may call back into its own user.
#pragma once

#include <atomic>
#include <cstdint>

namespace colonnade::io {

// Use by one thread at a time. Works as a mutex does, with std::lock_guard, but fails where a mutex
// would wait for ever: when the thread holds it already, and in the child of a fork() that happened
// while another thread held it.
class SoleUse {
 public:
  // Throws kInvalidArgument.
  void lock();
  void unlock() noexcept;
  bool held_by_this_thread() const noexcept;

 private:
  std::atomic<uint64_t> holder_{0};  // process and thread; 0: free
};

}  // namespace colonnade::io
