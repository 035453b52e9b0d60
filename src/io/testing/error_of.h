// The error that a piece of code throws.
#pragma once

#include <optional>
#include <utility>

#include <colonnade/error.h>

namespace colonnade::io::testing {

// Absent when `function` throws none; other exceptions pass.
template <typename Function>
std::optional<Error> error_of(Function&& function) {
  try {
    std::forward<Function>(function)();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

// The code of that error.
template <typename Function>
std::optional<ErrorCode> code_of(Function&& function) {
  const std::optional<Error> error = error_of(std::forward<Function>(function));
  if (!error) return std::nullopt;
  return error->code();
}

}  // namespace colonnade::io::testing
