// One-line throwing of Error with formatted values. Internal: public headers include nothing
// third-party.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include <colonnade/error.h>

namespace colonnade {

// fail(ErrorCode::kCorruptData, "dictionary index outside the dictionary", "index {}, size {}", i,
// n)
template <typename... Args>
[[noreturn, gnu::cold, gnu::noinline]] void fail(ErrorCode code, const char* what_happened,
                                                 fmt::format_string<Args...> values,
                                                 Args&&... args) {
  throw Error(code, what_happened, fmt::format(values, std::forward<Args>(args)...));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(ErrorCode code, const char* what_happened) {
  throw Error(code, what_happened);
}

}  // namespace colonnade
