#include "python_file.h"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/fail.h"
#include "errors.h"
#include "gil.h"
#include "text.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

constexpr int kFromEnd = 2;  // io.SEEK_END
// What read() is asked for at once: its bytes object lies beside the buffer they go to.
constexpr int64_t kMaxReadBytes = int64_t{4} << 20;

[[noreturn]] void throw_not_bytes(nb::handle result) {
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError, "read() of a file opened in binary mode gives bytes, not %s",
               Py_TYPE(result.ptr())->tp_name);
  nb::raise_python_error();
}

// The bytes that one call of read() gave, copied to `out`; their number, 1 to out.size().
size_t read_once(nb::handle object, std::span<uint8_t> out) {
  const nb::object result = object.attr("read")(out.size());
  Py_buffer view;
  if (PyObject_GetBuffer(result.ptr(), &view, PyBUF_SIMPLE) != 0) {
    if (PyObject_CheckBuffer(result.ptr()) == 0) throw_not_bytes(result);
    nb::raise_python_error();
  }
  const size_t length = static_cast<size_t>(view.len);
  if (length > 0 && length <= out.size()) std::memcpy(out.data(), view.buf, length);
  PyBuffer_Release(&view);
  if (length > out.size()) {
    fail(ErrorCode::kIo, "read() gave more bytes than it was asked for", "asked {}, got {}",
         out.size(), length);
  }
  if (length == 0) fail(ErrorCode::kIo, "file ended early: it changed while being read");
  return length;
}

// FileCallbacks::read
void read_range(PyObject* object, int64_t offset, std::span<uint8_t> out) {
  const EnterPython python;
  if (!python) fail(ErrorCode::kCancelled, "Python is shutting down");
  try {
    const nb::handle file(object);
    file.attr("seek")(offset);
    while (!out.empty()) {
      const size_t wanted = std::min(out.size(), static_cast<size_t>(kMaxReadBytes));
      out = out.subspan(read_once(file, out.first(wanted)));
    }
  } catch (const nb::python_error& error) {
    const bool interrupts = !error.matches(PyExc_Exception);  // KeyboardInterrupt, SystemExit
    nb::python_error copy(error);
    copy.restore();
    throw RaisedInPython::take(interrupts ? ErrorCode::kCancelled : ErrorCode::kIo,
                               "reading from a Python object failed");
  }
}

// A name is a courtesy: what an object raises instead of one is dropped, but for an interrupt.
std::string name_of(nb::handle object) {
  const nb::object name = nb::steal(PyObject_GetAttrString(object.ptr(), "name"));
  if (!name.is_valid()) {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) nb::raise_python_error();
    PyErr_Clear();
  } else if (PyUnicode_Check(name.ptr())) {
    return printable(name);
  }
  return std::string("<") + Py_TYPE(object.ptr())->tp_name + ">";
}

int64_t size_of(nb::handle object) {
  // A text file may tell and count in other units than bytes.
  const nb::object nothing = object.attr("read")(0);
  if (PyUnicode_Check(nothing.ptr())) throw_not_bytes(nothing);
  object.attr("seek")(0, kFromEnd);
  const nb::object end = object.attr("tell")();
  const nb::object index = nb::steal(PyNumber_Index(end.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "tell() gives an int, not %s", Py_TYPE(end.ptr())->tp_name);
    nb::raise_python_error();
  }
  int overflow = 0;
  const long long size = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0 || size < 0) {
    PyErr_Format(PyExc_ValueError, "tell() gave %R at the end of the file", end.ptr());
    nb::raise_python_error();
  }
  return size;
}

// The one use of `object`. With the lock held.
FileUse use_of(PyObject* object) {
  static auto& uses = *new std::unordered_map<PyObject*, std::weak_ptr<io::SoleUse>>;
  std::erase_if(uses, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<io::SoleUse>& known = uses[object];
  FileUse use = known.lock();
  if (!use) known = use = std::make_shared<io::SoleUse>();
  return use;
}

}  // namespace

bool is_file_like(PyObject* object) {
  return PyObject_HasAttrString(object, "read") != 0 && PyObject_HasAttrString(object, "seek") != 0;
}

FileLike open_file_like(PyObject* object) {
  const FileUse use = use_of(object);
  FileCallbacks callbacks;
  callbacks.read = [use, shared = share_python_object(Py_NewRef(object))](int64_t offset,
                                                                          std::span<uint8_t> out) {
    const std::lock_guard alone(*use);
    read_range(shared.get(), offset, out);
  };
  std::string name = name_of(object);
  {
    std::unique_lock alone(*use, std::defer_lock);
    {
      const LeavePython unlocked;
      alone.lock();
    }
    callbacks.size = size_of(object);
  }
  return {open_callback_file(std::move(callbacks), std::move(name)), use};
}

void refuse_inside_read(const FileUse& use) {
  if (use && use->held_by_this_thread()) {
    fail(ErrorCode::kInvalidArgument, "the read() of a file-like object uses what is read from it");
  }
}

}  // namespace colonnade::python
