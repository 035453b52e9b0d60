// Local files with a system call of one's own choice, for tests that interrupt and shorten reads.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <functional>
#include <string>

#include <colonnade/file.h>

namespace colonnade::io {

// preadv(2): bytes read, 0 at the end of the file, -1 with errno. Called from several threads at
// once.
using PreadvFunction =
    std::function<ssize_t(int fd, const iovec* parts, int num_parts, off_t offset)>;

// As colonnade::open_local_file, which passes the system's own preadv.
FilePtr open_local_file(const std::string& path, PreadvFunction preadv_function);

}  // namespace colonnade::io
