// Errors across the border: colonnade::Error becomes the Python exception that says the same
// (colonnade/_errors.py has the table), and a Python exception travels through C++ as itself.
#pragma once

#include <Python.h>

#include <memory>
#include <string>

#include <colonnade/error.h>

namespace colonnade::python {

// A Python exception on its way through C++ code: what a file-like object's read() or a signal
// handler raised. Where code in between keeps only the base class, its text and code remain.
class RaisedInPython final : public Error {
 public:
  // Takes the exception that is set in Python. With the lock held.
  static RaisedInPython take(ErrorCode code, const char* what_happened);
  // Whether it is an Exception: KeyboardInterrupt and SystemExit are not.
  bool is_exception() const noexcept;
  // Sets it again; may be called any number of times. With the lock held.
  void restore() const noexcept;
  const std::shared_ptr<PyObject>& exception() const noexcept { return exception_; }

 private:
  RaisedInPython(ErrorCode code, const char* what_happened, std::string values,
                 std::shared_ptr<PyObject> exception);
  std::shared_ptr<PyObject> exception_;
};

// Makes nanobind's functions translate Error and RaisedInPython.
void register_errors();

}  // namespace colonnade::python
