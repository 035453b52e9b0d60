#include "interrupt.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>
#include <utility>

#include "errors.h"
#include "gil.h"

namespace colonnade::python {
namespace {

thread_local Consumer current_consumer = Consumer::kForeign;

// A pending call: raises the exception it was given, on the main thread.
int raise_pending(void* exception) {
  PyObject* const value = static_cast<PyObject*>(exception);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(value)), value);
  Py_DECREF(value);
  return -1;
}

// A CancelToken's poll function: runs the signal handlers that are due. It throws rather than
// cancel the token, which is that of the whole file: only the scan that is being read ends.
bool run_signal_handlers() {
  if (!on_main_thread()) return false;
  const EnterPython python;
  if (!python) return true;
  if (PyErr_CheckSignals() == 0) return false;

  RaisedInPython raised =
      RaisedInPython::take(ErrorCode::kCancelled, "interrupted by a signal handler");
  if (current_consumer == Consumer::kPython) throw raised;
  raise_on_main_thread(raised);
  throw Error(ErrorCode::kCancelled, "interrupted by a signal handler");
}

}  // namespace

ConsumerScope::ConsumerScope(Consumer consumer) noexcept : before_(current_consumer) {
  current_consumer = consumer;
}
ConsumerScope::~ConsumerScope() { current_consumer = before_; }

void check_signals() {
  if (PyErr_CheckSignals() != 0) nanobind::raise_python_error();
}

void let_others_run() {
  // A thread that waits for the lock asks for it after 5 ms (sys.getswitchinterval()) without a
  // change; a lock that is given up more often is back before the other thread wakes.
  constexpr std::chrono::milliseconds kTurn(10);
  thread_local std::chrono::steady_clock::time_point last_turn;
  if (std::chrono::steady_clock::now() - last_turn >= kTurn) {
    std::optional<LeavePython> unlocked(std::in_place);
    unlocked.reset();
    last_turn = std::chrono::steady_clock::now();
  }
  check_signals();
}

void raise_on_main_thread(const RaisedInPython& raised) noexcept {
  const EnterPython python;
  if (!python) return;
  PyObject* const exception = Py_NewRef(raised.exception().get());
  if (Py_AddPendingCall(raise_pending, exception) != 0) Py_DECREF(exception);
}

Context make_context(int64_t memory_limit_bytes) {
  Context context;
  if (memory_limit_bytes > 0) {
    context.memory = MemoryPool::process()->child("memory_limit", memory_limit_bytes);
  }
  context.cancel.set_poll(run_signal_handlers);
  return context;
}

}  // namespace colonnade::python
