#include "errors.h"

#include <nanobind/nanobind.h>

#include <utility>

#include "gil.h"
#include "text.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

nb::object text_or_none(const std::string& text) {
  return text.empty() ? nb::none() : nb::object(to_text(text));
}
nb::object number_or_none(int64_t number) {
  return number < 0 ? nb::none() : nb::object(nb::int_(number));
}

// The exception that _errors.py makes of `error`.
nb::object make_exception(const Error& error) {
  nb::list parameters;
  for (const auto& [name, value] : error.parameters()) {
    parameters.append(nb::make_tuple(to_text(name), to_text(value)));
  }
  const Place& place = error.place();
  return nb::module_::import_("colonnade._errors")
      .attr("make")(error_code_name(error.code()), to_text(error.what()),
                    to_text(error.what_happened()), error.system_errno(), text_or_none(place.file),
                    text_or_none(place.column), number_or_none(place.row_group),
                    number_or_none(place.page_offset), text_or_none(error.error_class()),
                    parameters);
}

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const RaisedInPython& error) {
    error.restore();
  } catch (const Error& error) {
    // One of our own streams was read through the C interface and interrupted: what the handler
    // raised waits, and says more than "cancelled".
    if (error.code() == ErrorCode::kCancelled && Py_MakePendingCalls() != 0) return;
    try {
      const nb::object exception = make_exception(error);
      PyErr_SetObject(exception.type().ptr(), exception.ptr());
    } catch (nb::python_error& failed) {
      failed.restore();
    }
  }
}

}  // namespace

RaisedInPython::RaisedInPython(ErrorCode code, const char* what_happened, std::string values,
                               std::shared_ptr<PyObject> exception)
    : Error(code, what_happened, std::move(values)), exception_(std::move(exception)) {}

RaisedInPython RaisedInPython::take(ErrorCode code, const char* what_happened) {
  const nb::python_error raised;
  // "KeyError: 'x'"; what() of a python_error is its whole traceback.
  std::string values = nb::type_name(raised.type()).c_str();
  const nb::object text = nb::steal(PyObject_Str(raised.value().ptr()));
  if (!text.is_valid()) {
    PyErr_Clear();
  } else if (PyObject_IsTrue(text.ptr()) == 1) {
    values += ": " + printable(text);
  }
  return RaisedInPython(code, what_happened, std::move(values),
                        share_python_object(Py_NewRef(raised.value().ptr())));
}

bool RaisedInPython::is_exception() const noexcept {
  return PyType_IsSubtype(Py_TYPE(exception_.get()),
                          reinterpret_cast<PyTypeObject*>(PyExc_Exception)) != 0;
}

void RaisedInPython::restore() const noexcept {
  PyObject* const value = exception_.get();
  PyErr_Restore(Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(value))), Py_NewRef(value),
                PyException_GetTraceback(value));
}

void register_errors() { nb::register_exception_translator(translate); }

}  // namespace colonnade::python
