// Failed system calls as errors.
#pragma once

#include <string>

#include <colonnade/error.h>

namespace colonnade::io {

// kNotFound, kPermissionDenied, kInvalidArgument (a folder, a path that cannot be one) or kIo, with
// the errno's text, the errno and the path as the place.
Error system_error(int system_errno, const char* what_happened, const std::string& path);

// kInvalidArgument for an empty path and for one with a zero byte in it, which the system would cut
// there.
void check_path(const std::string& path);

}  // namespace colonnade::io
