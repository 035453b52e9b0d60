#include "python_file.h"

#include <nanobind/nanobind.h>

#include <cstring>
#include <memory>
#include <span>
#include <string>

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

// The bytes that one call of read() gave, copied to `out`; their number, 1 to out.size().
size_t read_once(nb::handle object, std::span<uint8_t> out) {
  const nb::object result = object.attr("read")(out.size());
  Py_buffer view;
  if (PyObject_GetBuffer(result.ptr(), &view, PyBUF_SIMPLE) != 0) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "read() of a file opened in binary mode gives bytes, not %s",
                 Py_TYPE(result.ptr())->tp_name);
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
    nb::python_error copy(error);
    copy.restore();
    throw RaisedInPython::take(ErrorCode::kIo, "reading from a Python object failed");
  }
}

std::string name_of(nb::handle object) {
  const nb::object name = nb::getattr(object, "name", nb::none());
  if (PyUnicode_Check(name.ptr())) return from_text(name, "name");
  return std::string("<") + Py_TYPE(object.ptr())->tp_name + ">";
}

}  // namespace

bool is_file_like(PyObject* object) {
  return PyObject_HasAttrString(object, "read") != 0 && PyObject_HasAttrString(object, "seek") != 0;
}

FilePtr open_file_like(PyObject* object) {
  const nb::handle file(object);
  file.attr("seek")(0, kFromEnd);
  FileCallbacks callbacks;
  callbacks.size = nb::cast<int64_t>(file.attr("tell")());
  if (callbacks.size < 0) throw nb::value_error("tell() gave a negative position");
  callbacks.one_at_a_time = true;
  callbacks.read = [shared = share_python_object(Py_NewRef(object))](int64_t offset,
                                                                     std::span<uint8_t> out) {
    read_range(shared.get(), offset, out);
  };
  return open_callback_file(std::move(callbacks), name_of(file));
}

}  // namespace colonnade::python
