#include "buffer_file.h"

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "gil.h"

namespace nb = nanobind;

namespace colonnade::python {

FilePtr open_buffer(PyObject* object) {
  auto view = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object, view.get(), PyBUF_SIMPLE) != 0) nb::raise_python_error();
  const std::shared_ptr<Py_buffer> owner(view.release(), [](Py_buffer* exported) {
    // After the gate was closed the view is leaked.
    if (const EnterPython python; python) {
      PyBuffer_Release(exported);
      delete exported;
    }
  });
  return open_memory_file(Buffer::wrap(owner->buf, owner->len, owner),
                          std::string("<") + Py_TYPE(object)->tp_name + ">");
}

}  // namespace colonnade::python
