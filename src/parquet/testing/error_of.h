// The error that must come.
#pragma once

#include <stdexcept>
#include <utility>

#include <colonnade/error.h>

namespace colonnade::parquet::testing {

// What `function` throws; where it throws nothing, the test fails by std::logic_error.
template <typename Function>
Error error_of(Function&& function) {
  try {
    std::forward<Function>(function)();
  } catch (const Error& error) {
    return error;
  }
  throw std::logic_error("nothing was thrown where an Error was expected");
}

}  // namespace colonnade::parquet::testing
