// Which files a path, a glob or a folder stands for.
#pragma once

#include <string>
#include <vector>

#include <colonnade/context.h>

namespace colonnade::io {

// What colonnade::parquet::list_files promises, in full:
//
// A path that exists is taken as it is, even with wildcards in its name: a file as itself, whatever
// it is called, a folder as the files below it. Otherwise wildcards ('*', '?', "[..]", see
// glob_pattern.h) match names of one folder, and a component "**" matches any number of folders,
// none too; folders matched by the last component stand for the files below them. A component with
// a '[' that exists under that very name is no wildcard.
//
// Below a folder, and where a wildcard matched, files and folders are left out whose names start
// with '.' or
// '_' or end in ".crc" — except folders like "_year=2024", which are partitions, and names that
// begin (or end) just so in the glob itself ("_*", "*.crc"). Links are followed; a folder that the
// search below one folder meets twice is searched once, so that links in a circle end. Links that
// lead nowhere are listed, for opening them to fail. Pipes, sockets and devices below folders are
// left out.
//
// Sorted by path, bytewise, each path once; paths begin with what was given. kNotFound when nothing
// matches, kPermissionDenied or kIo for a folder that cannot be read; kCancelled. Folders that
// vanish meanwhile hold nothing.
std::vector<std::string> list_files(const CancelToken& cancel, const std::string& path_or_glob);

}  // namespace colonnade::io
