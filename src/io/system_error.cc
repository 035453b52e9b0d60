#include "io/system_error.h"

#include <cerrno>

#include "base/fail.h"

namespace colonnade::io {
namespace {

ErrorCode code_of(int system_errno) {
  switch (system_errno) {
    case ENOENT:
    case ENOTDIR:
      return ErrorCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::kPermissionDenied;
    case EISDIR:
    case ENAMETOOLONG:
      return ErrorCode::kInvalidArgument;
    default:
      return ErrorCode::kIo;
  }
}

}  // namespace

Error system_error(int system_errno, const char* what_happened, const std::string& path) {
  Error error(code_of(system_errno), what_happened);
  error.with_errno(system_errno);
  error.locate({.file = path});
  return error;
}

void check_path(const std::string& path) {
  if (path.empty()) fail(ErrorCode::kInvalidArgument, "the path is empty");
  const size_t zero = path.find('\0');
  if (zero != std::string::npos) {
    fail(ErrorCode::kInvalidArgument, "zero byte in a path", "'{}', then a zero byte at {}",
         path.substr(0, zero), zero);
  }
}

}  // namespace colonnade::io
