// The path of a nested column in errors, put together on the way up.
#pragma once

#include <string>

#include <colonnade/error.h>

namespace colonnade::arrow {

// The same error, its column path continued upwards: "b" below parent "a" becomes "a.b".
inline Error below(const std::string& parent, const Error& error) {
  Place place = error.place();
  place.column = place.column.empty() ? parent : parent + "." + place.column;
  Error moved(error.code(), error.what_happened(), error.values());
  moved.locate(place);
  if (error.system_errno() != 0) moved.with_errno(error.system_errno());
  return moved;
}

// Calls `function` for a column or child named `name`; errors carry the name, but for a cancel:
// that has no place, and may be of a class derived from Error, which goes on as it is.
template <typename Function>
auto at_column(const std::string& name, const Function& function) {
  try {
    return function();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kCancelled) throw;
    throw below(name, error);
  }
}

}  // namespace colonnade::arrow
