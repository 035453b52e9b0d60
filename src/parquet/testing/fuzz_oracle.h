// What fuzz targets hold of any input.
#pragma once

#include <cstdlib>

#include <colonnade/error.h>

namespace colonnade::parquet::testing {

// Ends the process, which is how a fuzz target says that it found a fault.
inline void check(bool holds) {
  if (!holds) std::abort();
}

// An error of the file or the budget; any other would be the caller's fault or ours.
inline bool is_answer(const Error& error) {
  return error.code() == ErrorCode::kCorruptData || error.code() == ErrorCode::kNotSupported ||
         error.code() == ErrorCode::kOutOfBudget;
}

}  // namespace colonnade::parquet::testing
