// Fields of a struct by their names.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <colonnade/type.h>

namespace colonnade {

// Refers to the names. Of fields with one name the first, so that there are fewer entries than
// fields where names repeat.
inline std::unordered_map<std::string_view, size_t> index_by_name(
    const std::vector<Field>& fields) {
  std::unordered_map<std::string_view, size_t> index;
  index.reserve(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) index.try_emplace(fields[i].name, i);
  return index;
}

}  // namespace colonnade
