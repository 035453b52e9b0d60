#include "io/glob_pattern.h"

#include <cstddef>
#include <cstdint>

namespace colonnade::io {
namespace {

struct Character {
  uint32_t value = 0;
  size_t num_bytes = 1;
};

// The character at `i`. Bytes outside of UTF-8 come after all code points, so that no range reaches
// them.
Character character_at(std::string_view text, size_t i) {
  const auto byte = [&](size_t k) { return static_cast<uint8_t>(text[k]); };
  const uint8_t lead = byte(i);
  const size_t num_bytes = lead < 0x80                   ? 1
                           : lead >= 0xC2 && lead < 0xE0 ? 2
                           : lead >= 0xE0 && lead < 0xF0 ? 3
                           : lead >= 0xF0 && lead < 0xF5 ? 4
                                                         : 0;
  const Character lone{0x110000u + lead, 1};
  if (num_bytes == 1) return {lead, 1};
  if (num_bytes == 0 || num_bytes > text.size() - i) return lone;
  uint32_t value = lead & (0xFFu >> (num_bytes + 1));
  for (size_t k = 1; k < num_bytes; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return lone;
    value = value << 6 | (byte(i + k) & 0x3Fu);
  }
  return {value, num_bytes};
}

// Where the set that begins at `i` ends: behind its ']'; npos when it is never closed.
size_t end_of_set(std::string_view pattern, size_t i) {
  size_t k = i + 1;
  if (k < pattern.size() && (pattern[k] == '!' || pattern[k] == '^')) ++k;
  const size_t close = pattern.find(']', k + 1);
  return close == std::string_view::npos ? close : close + 1;
}

// Whether the set in [begin, end), brackets included, holds the character.
bool set_holds(std::string_view pattern, size_t begin, size_t end, uint32_t value) {
  size_t i = begin + 1;
  const bool negated = pattern[i] == '!' || pattern[i] == '^';
  if (negated) ++i;
  const size_t last = end - 1;  // the ']'
  bool held = false;
  while (i < last) {
    const Character low = character_at(pattern, i);
    i += low.num_bytes;
    uint32_t high = low.value;
    if (i + 1 < last && pattern[i] == '-') {
      const Character character = character_at(pattern, i + 1);
      high = character.value;
      i += 1 + character.num_bytes;
    }
    held = held || (low.value <= value && value <= high);
  }
  return held != negated;
}

}  // namespace

bool has_wildcard(std::string_view component) {
  for (size_t i = 0; i < component.size(); ++i) {
    if (component[i] == '*' || component[i] == '?') return true;
    if (component[i] == '[' && end_of_set(component, i) != std::string_view::npos) return true;
  }
  return false;
}

bool matches(std::string_view component, std::string_view name) {
  size_t p = 0;
  size_t n = 0;
  // Where to go on when what follows the last star does not fit: it takes one character more.
  size_t star = std::string_view::npos;
  size_t star_end = 0;
  while (n < name.size()) {
    const Character character = character_at(name, n);
    if (p < component.size()) {
      if (component[p] == '*') {
        star = ++p;
        star_end = n;
        continue;
      }
      const size_t set_end =
          component[p] == '[' ? end_of_set(component, p) : std::string_view::npos;
      if (set_end != std::string_view::npos) {
        if (set_holds(component, p, set_end, character.value)) {
          p = set_end;
          n += character.num_bytes;
          continue;
        }
      } else if (component[p] == '?') {
        ++p;
        n += character.num_bytes;
        continue;
      } else if (component[p] == name[n]) {
        ++p;
        ++n;
        continue;
      }
    }
    if (star == std::string_view::npos) return false;
    star_end += character_at(name, star_end).num_bytes;
    p = star;
    n = star_end;
  }
  while (p < component.size() && component[p] == '*') ++p;
  return p == component.size();
}

}  // namespace colonnade::io
