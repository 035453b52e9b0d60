#include "byte_source.h"

#include <unistd.h>

#include <climits>
#include <cstring>
#include <utility>

#include <colonnade/error.h>
#include <colonnade/parquet.h>

#include "buffer_file.h"
#include "interrupt.h"
#include "python_file.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

std::vector<std::string> list_files(const std::string& path) {
  const Context context = make_context();
  const OwnWork work(context);
  return parquet::list_files(path, context);
}

// os.fsencode(path) where the contents of a file are meant.
void refuse_path(nb::handle bytes) {
  const char* const text = PyBytes_AS_STRING(bytes.ptr());
  const auto size = static_cast<size_t>(PyBytes_GET_SIZE(bytes.ptr()));
  if (size == 0 || size > PATH_MAX || std::memchr(text, 0, size) != nullptr) return;
  if (::access(text, F_OK) != 0) return;
  PyErr_Format(PyExc_TypeError,
               "bytes are the contents of a file; %R is the name of one: pass it as str",
               bytes.ptr());
  nb::raise_python_error();
}

}  // namespace

bool is_path(nb::handle object) {
  return PyUnicode_Check(object.ptr()) ||
         (!PyBytes_Check(object.ptr()) && PyObject_HasAttrString(object.ptr(), "__fspath__") != 0);
}

std::string path_of(nb::handle object) {
  PyObject* encoded = nullptr;
  if (PyUnicode_FSConverter(object.ptr(), &encoded) == 0) nb::raise_python_error();
  const nb::object owner = nb::steal(encoded);
  return {PyBytes_AS_STRING(encoded), static_cast<size_t>(PyBytes_GET_SIZE(encoded))};
}

ByteSource byte_source(nb::handle object) {
  if (is_path(object)) return {path_of(object), nullptr};
  if (PyBytes_Check(object.ptr())) refuse_path(object);
  if (PyObject_CheckBuffer(object.ptr()) != 0) return {open_buffer(object.ptr()), nullptr};
  if (is_file_like(object.ptr())) {
    FileLike opened = open_file_like(object.ptr());
    return {std::move(opened.file), std::move(opened.use)};
  }
  PyErr_Format(
      PyExc_TypeError,
      "a path, the bytes of a file, or an object with read(), seek() and tell() is wanted, "
      "not %s",
      Py_TYPE(object.ptr())->tp_name);
  nb::raise_python_error();
}

bool names_files(nb::handle object) {
  if (is_path(object)) return true;
  if (PyObject_CheckBuffer(object.ptr()) != 0 || is_file_like(object.ptr())) return false;
  return PyObject_HasAttrString(object.ptr(), "__iter__") != 0;
}

std::vector<std::string> files_of(nb::handle object) {
  if (is_path(object)) return list_files(path_of(object));
  std::vector<std::string> files;
  for (const nb::handle element : object) {
    if (!is_path(element)) {
      PyErr_Format(PyExc_TypeError, "several files are named by paths, not %s",
                   Py_TYPE(element.ptr())->tp_name);
      nb::raise_python_error();
    }
    for (std::string& file : list_files(path_of(element))) files.push_back(std::move(file));
  }
  if (files.empty()) throw nb::value_error("no files to read: what should name them is empty");
  return files;
}

}  // namespace colonnade::python
