// Ctrl-C and other signal handlers of Python while C++ works.
#pragma once

#include <colonnade/context.h>

#include "gil.h"

namespace colonnade::python {

class RaisedInPython;

// Who is waiting for batches on this thread. A Python exception may only be thrown through code
// that knows what to do with it.
enum class Consumer {
  kPython,   // one of our own functions: a signal handler's exception is thrown as RaisedInPython
  kForeign,  // somebody who pulls an exported stream: the work is cancelled, and the exception is
             // raised as soon as the main thread runs Python code again
};

// Says so for the lifetime of this object, for the calling thread. Without any: kForeign.
class ConsumerScope {
 public:
  explicit ConsumerScope(Consumer consumer) noexcept;
  ~ConsumerScope();
  ConsumerScope(const ConsumerScope&) = delete;
  ConsumerScope& operator=(const ConsumerScope&) = delete;

 private:
  Consumer before_;
};

// A piece of work that one of our own functions does without Python's lock, for the lifetime of
// this object; signal handlers run whenever it looks at the context's cancel token.
class OwnWork {
 public:
  explicit OwnWork(const Context& context) { context.cancel.poll(); }

 private:
  LeavePython unlocked_;
  ConsumerScope scope_{Consumer::kPython};
};

// Runs the signal handlers that are due and throws what they raise. With the lock held, at the end
// of a long call whose result may be dropped: what runs next may be a finalizer, where Python drops
// what a handler raises.
void check_signals();

// The same in the middle of a long loop that holds the lock, which other threads get meanwhile.
void let_others_run();
constexpr int64_t kRowsBetweenTurns = 4096;  // of such a loop, from one call to the next

// Raises the exception as soon as the main thread runs Python code again. On any thread.
void raise_on_main_thread(const RaisedInPython& raised) noexcept;

// A fresh context whose consumers run Python's signal handlers. `memory_limit_bytes`: 0 for none.
Context make_context(int64_t memory_limit_bytes = 0);

}  // namespace colonnade::python
