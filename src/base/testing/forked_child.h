// Runs part of a test in a forked child.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace colonnade::testing {

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
