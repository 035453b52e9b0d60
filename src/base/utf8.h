// UTF-8 as RFC 3629 defines it: no surrogates, no overlong forms, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace colonnade::utf8 {

// Bytes of the well-formed sequence at the front of `text`, 1 to 4; 0 where there is none (or
// `text` is empty).
size_t sequence_length(std::string_view text) noexcept;

// The offset of the first byte that does not belong to a well-formed sequence; bytes.size() when
// all do.
size_t first_invalid(std::span<const uint8_t> bytes) noexcept;

}  // namespace colonnade::utf8
