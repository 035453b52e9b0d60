// A file-like object of Python as a file: read() and seek() are called with the lock held, by one
// thread at a time. What they raise passes through as itself.
#pragma once

#include <Python.h>

#include <colonnade/file.h>

namespace colonnade::python {

// Whether `object` has read() and seek().
bool is_file_like(PyObject* object);

// Asks the object for its size by seeking to its end. With the lock held. The object's position is
// changed by every read; nobody else should use it meanwhile.
FilePtr open_file_like(PyObject* object);

}  // namespace colonnade::python
