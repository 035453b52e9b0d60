// Runs part of a test in a forked child.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/address_sanitizer.h"

namespace colonnade::testing {

// Whether a child may allocate that was forked while other threads were inside malloc. The C
// library sees to it; AddressSanitizer's allocator does so only from GCC 14 and LLVM 17 on, before
// a child may wait forever for a lock.
#if defined(COLONNADE_ASAN)
inline constexpr bool kAllocatorSurvivesFork = false;
#else
inline constexpr bool kAllocatorSurvivesFork = true;
#endif

// True when `body`, called in a child, returned true within 60 s. The child ends without running
// destructors or exit handlers.
template <typename Body>
bool holds_in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(body() ? 0 : 1);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace colonnade::testing
