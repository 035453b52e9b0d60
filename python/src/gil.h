// Python's global lock and the threads that Python did not start.
//
// Colonnade's workers enter Python to read from a file-like object or to drop the last reference to
// a Python object, and they may do so while the interpreter shuts down. A thread that asks for the
// lock then is ended by Python in the middle of C++ frames, which aborts the process. So every
// entry passes a gate: close_gate() runs when Python exits, waits for the threads inside, and lets
// no other in.
#pragma once

#include <Python.h>

#include <memory>

namespace colonnade::python {

// Takes the lock on any thread, also one that holds it already. False once the gate is closed: then
// nothing of Python may be touched. (The thread that closed the gate may always enter.)
class EnterPython {
 public:
  EnterPython() noexcept;
  ~EnterPython();
  EnterPython(const EnterPython&) = delete;
  EnterPython& operator=(const EnterPython&) = delete;

  explicit operator bool() const noexcept { return entered_; }

 private:
  bool entered_;
  PyGILState_STATE state_{};
};

// Gives the lock up for the lifetime of this object where the calling thread holds it; does nothing
// on other threads, so that it may stand in code that foreign consumers of our streams call. A
// thread that wants the lock back after the gate was closed sleeps until the process ends.
class LeavePython {
 public:
  LeavePython() noexcept;
  ~LeavePython();
  LeavePython(const LeavePython&) = delete;
  LeavePython& operator=(const LeavePython&) = delete;

 private:
  PyThreadState* state_;
};

// With the lock held; gives it up while it waits, a few seconds at most.
void close_gate() noexcept;

// Whether the calling thread is the one on which Python runs signal handlers; true in the child of
// a fork for the thread that forked.
bool on_main_thread() noexcept;

// Shared ownership of a Python object that any thread may drop. The caller holds the lock; takes
// over the reference. The object is leaked when the last owner goes after the gate was closed.
std::shared_ptr<PyObject> share_python_object(PyObject* object);

// To be called once when the module is loaded.
void prepare_gate_for_fork();

}  // namespace colonnade::python
