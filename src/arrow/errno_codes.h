// Error codes as the errno values that the Arrow C Stream interface returns, both ways
// (docs/errors.md).
#pragma once

#include <colonnade/arrow_c.h>
#include <colonnade/error.h>

namespace colonnade::arrow {

// Never 0. Of kIo the errno of the failed system call, where it is not one that stands for another
// code.
int errno_of(const Error& error) noexcept;

// The code that a stream's errno stands for; kIo for those that stand for none.
ErrorCode code_of_errno(int stream_errno) noexcept;

// Throws what the return code of a stream's `call` and its message stand for, unless it is 0.
void check_result(ArrowArrayStream* stream, int result, const char* call);

}  // namespace colonnade::arrow
