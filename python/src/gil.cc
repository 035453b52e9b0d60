#include "gil.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace colonnade::python {
namespace {

using namespace std::chrono_literals;

// Never destroyed: workers may outlive static objects.
struct Gate {
  std::atomic<int> inside{0};  // threads that hold the lock through EnterPython or wait for it
  std::atomic<bool> closed{false};
  std::atomic<pthread_t> closer{};
};
Gate& gate() noexcept {
  static Gate* const instance = new Gate;
  return *instance;
}

// Counts the thread as inside, unless the gate is closed to it.
bool pass_gate() noexcept {
  Gate& g = gate();
  g.inside.fetch_add(1);
  if (g.closed.load() && pthread_equal(g.closer.load(), pthread_self()) == 0) {
    g.inside.fetch_sub(1);
    return false;
  }
  return true;
}

// Not PyGILState_Check(): once there has been a subinterpreter, that says yes on every thread.
bool holds_lock() noexcept {
#if PY_VERSION_HEX >= 0x030D0000
  PyThreadState* const holder = PyThreadState_GetUnchecked();
#else
  PyThreadState* const holder = _PyThreadState_UncheckedGet();
#endif
  // Before Python 3.12 the holder may be another thread's.
  return holder != nullptr && holder == PyGILState_GetThisThreadState();
}

[[noreturn]] void sleep_until_exit() noexcept {
  while (true) std::this_thread::sleep_for(1h);
}

}  // namespace

EnterPython::EnterPython() noexcept : entered_(pass_gate()) {
  if (entered_ && Py_IsInitialized() == 0) {
    gate().inside.fetch_sub(1);
    entered_ = false;
  }
  if (entered_) state_ = PyGILState_Ensure();
}

EnterPython::~EnterPython() {
  if (!entered_) return;
  PyGILState_Release(state_);
  gate().inside.fetch_sub(1);
}

LeavePython::LeavePython() noexcept : state_(holds_lock() ? PyEval_SaveThread() : nullptr) {}

LeavePython::~LeavePython() {
  if (state_ == nullptr) return;
  if (!pass_gate()) sleep_until_exit();
  PyEval_RestoreThread(state_);
  gate().inside.fetch_sub(1);
}

void close_gate() noexcept {
  Gate& g = gate();
  g.closer.store(pthread_self());
  g.closed.store(true);
  PyThreadState* const state = PyEval_SaveThread();
  for (auto waited = 0ms; g.inside.load() > 0 && waited < 5s; waited += 5ms) {
    std::this_thread::sleep_for(5ms);
  }
  PyEval_RestoreThread(state);
}

bool on_main_thread() noexcept { return syscall(SYS_gettid) == getpid(); }

std::shared_ptr<PyObject> share_python_object(PyObject* object) {
  return {object, [](PyObject* dropped) {
            if (const EnterPython python; python) Py_XDECREF(dropped);
          }};
}

void prepare_gate_for_fork() {
  // Only the thread that forked exists in the child.
  pthread_atfork(nullptr, nullptr, [] { gate().inside.store(0); });
}

}  // namespace colonnade::python
