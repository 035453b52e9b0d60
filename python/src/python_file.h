// Files that Python reads: objects with read(), seek() and tell().
#pragma once

#include <Python.h>

#include <memory>

#include <colonnade/file.h>

#include "io/sole_use.h"

namespace colonnade::python {

bool is_file_like(PyObject* object);

// Who may use a file-like object now: read() is told its place by a seek() before it, so one thread
// at a time does both, however many files are open over the object.
using FileUse = std::shared_ptr<io::SoleUse>;

struct FileLike {
  FilePtr file;
  FileUse use;  // of the object
};

// Called with Python's lock, which it gives up while it waits for the object.
FileLike open_file_like(PyObject* object);

// Fails (kInvalidArgument) inside the read() of the object that `use` belongs to, on the thread
// that called it: what that waits for, waits for read(). `use` may be null.
void refuse_inside_read(const FileUse& use);

}  // namespace colonnade::python
