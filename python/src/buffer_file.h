// A bytes-like object of Python (bytes, bytearray, memoryview, mmap, an array) as a file: its bytes
// are read where they lie, and the object stays exported for as long as the file is open.
#pragma once

#include <Python.h>

#include <colonnade/file.h>

namespace colonnade::python {

// BufferError unless the bytes are contiguous. With the lock held.
FilePtr open_buffer(PyObject* object);

}  // namespace colonnade::python
