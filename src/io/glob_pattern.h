// Matching one name against one component of a glob.
#pragma once

#include <string_view>

namespace colonnade::io {

// Whether the component has a wildcard in it: '*', '?' or a closed "[...]".
bool has_wildcard(std::string_view component);

// '*' stands for any characters, '?' for one, "[a-z0]" for one of a set and "[!a-z]" (or '^') for
// one outside of it; ']' as the first of a set and '-' at its ends stand for themselves, so does a
// '[' that is never closed. A character is a code point of UTF-8; a byte that is not part of one
// counts as a character. There is no escape:
// "[*]" is a star. Takes time in proportion to both lengths at most.
bool matches(std::string_view component, std::string_view name);

}  // namespace colonnade::io
