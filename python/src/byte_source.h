// What open() and read_table() accept: a path, bytes, or a file-like object; several paths.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <variant>
#include <vector>

#include <colonnade/file.h>

#include "python_file.h"

namespace colonnade::python {

// A str or os.PathLike (not bytes: those are a file's contents).
bool is_path(nanobind::handle object);
// In the file system's encoding. ValueError for a NUL in it.
std::string path_of(nanobind::handle object);

struct ByteSource {
  std::variant<std::string, FilePtr> bytes;  // a path, or what was opened
  FileUse use;                               // of a file-like object; else null
};

// TypeError for what is none of the three.
ByteSource byte_source(nanobind::handle object);

// The files that a path, glob or folder, or a list or tuple of those stands for. FileNotFoundError
// where one matches nothing; ValueError for an empty list.
std::vector<std::string> files_of(nanobind::handle object);

}  // namespace colonnade::python
