#include "text.h"

namespace nb = nanobind;

namespace colonnade::python {

nb::str to_text(std::string_view bytes) {
  PyObject* const text =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape");
  if (text == nullptr) nb::raise_python_error();
  return nb::steal<nb::str>(text);
}

std::string from_text(nb::handle text, const char* what) {
  if (!PyUnicode_Check(text.ptr())) {
    throw nb::type_error(
        (std::string(what) + " must be a str, not " + nb::type_name(text.type()).c_str()).c_str());
  }
  const nb::object encoded =
      nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
  if (!encoded.is_valid()) nb::raise_python_error();
  return {PyBytes_AS_STRING(encoded.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(encoded.ptr()))};
}

std::string printable(nb::handle text) {
  for (const char* const lone_surrogates : {"surrogateescape", "backslashreplace"}) {
    const nb::object encoded =
        nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", lone_surrogates));
    if (encoded.is_valid()) {
      return {PyBytes_AS_STRING(encoded.ptr()),
              static_cast<size_t>(PyBytes_GET_SIZE(encoded.ptr()))};
    }
    PyErr_Clear();
  }
  return "?";
}

}  // namespace colonnade::python
