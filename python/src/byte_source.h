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

// Whether `object` is a path or an iterable of paths, rather than a file in another form.
bool names_files(nanobind::handle object);
// The files that a path, glob or folder, or an iterable of those stands for. FileNotFoundError
// where one matches nothing; ValueError where there is none.
std::vector<std::string> files_of(nanobind::handle object);

}  // namespace colonnade::python
