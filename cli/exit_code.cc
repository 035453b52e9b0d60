#include "cli/exit_code.h"

namespace colonnade::cli {

int exit_code(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return kExitUsage;
    case ErrorCode::kNotFound:
      return 3;
    case ErrorCode::kPermissionDenied:
      return 4;
    case ErrorCode::kIo:
      return 5;
    case ErrorCode::kCorruptData:
      return 6;
    case ErrorCode::kNotSupported:
      return 7;
    case ErrorCode::kOutOfBudget:
      return 8;
    case ErrorCode::kDataError:
      return 9;
    case ErrorCode::kCancelled:
      return 130;  // main() has the code of the signal that did it
    case ErrorCode::kInternal:
      return 1;
  }
  return 1;
}

}  // namespace colonnade::cli
