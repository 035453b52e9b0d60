// What the process exits with (docs/cli.md has the table).
#pragma once

#include <colonnade/error.h>

namespace colonnade::cli {

inline constexpr int kExitUsage = 2;  // also kInvalidArgument

int exit_code(ErrorCode code) noexcept;

}  // namespace colonnade::cli
