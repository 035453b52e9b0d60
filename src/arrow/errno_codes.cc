#include "arrow/errno_codes.h"

#include <cerrno>
#include <string>

#include "base/fail.h"

namespace colonnade::arrow {
namespace {

struct Row {
  ErrorCode code;
  int exported;
};

// Docs: docs/errors.md has the same table.
constexpr Row kTable[] = {
    {ErrorCode::kInvalidArgument, EINVAL},  {ErrorCode::kNotFound, ENOENT},
    {ErrorCode::kPermissionDenied, EACCES}, {ErrorCode::kIo, EIO},
    {ErrorCode::kCorruptData, EBADMSG},     {ErrorCode::kNotSupported, ENOTSUP},
    {ErrorCode::kOutOfBudget, ENOMEM},      {ErrorCode::kCancelled, ECANCELED},
    {ErrorCode::kDataError, EDOM},          {ErrorCode::kInternal, ENOTRECOVERABLE},
};

// What other producers return: pyarrow gives ENOSYS for what is not implemented.
constexpr Row kAlsoImported[] = {
    {ErrorCode::kPermissionDenied, EPERM},
    {ErrorCode::kNotSupported, ENOSYS},
};

}  // namespace

int errno_of(const Error& error) noexcept {
  if (error.code() == ErrorCode::kIo && error.system_errno() > 0 &&
      code_of_errno(error.system_errno()) == ErrorCode::kIo) {
    return error.system_errno();
  }
  for (const Row& row : kTable) {
    if (row.code == error.code()) return row.exported;
  }
  return ENOTRECOVERABLE;
}

ErrorCode code_of_errno(int stream_errno) noexcept {
  for (const Row& row : kTable) {
    if (row.exported == stream_errno) return row.code;
  }
  for (const Row& row : kAlsoImported) {
    if (row.exported == stream_errno) return row.code;
  }
  return ErrorCode::kIo;
}

void check_result(ArrowArrayStream* stream, int result, const char* call) {
  if (result == 0) return;
  const char* message =
      stream->get_last_error == nullptr ? nullptr : stream->get_last_error(stream);
  Error error(code_of_errno(result), message == nullptr || *message == '\0'
                                         ? fmt::format("{} of an Arrow stream failed", call)
                                         : std::string(message));
  if (error.code() == ErrorCode::kIo) error.with_errno(result);
  throw error;
}

}  // namespace colonnade::arrow
