#include "base/utf8.h"

#include <cstring>

namespace colonnade::utf8 {

size_t sequence_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const auto at = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const auto continues = [&](size_t i) { return i < text.size() && (at(i) & 0xC0) == 0x80; };
  const uint8_t lead = at(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;  // a continuation byte, or an overlong form of ASCII
  if (lead < 0xE0) return continues(1) ? 2 : 0;
  if (lead < 0xF0) {
    if (!continues(1) || !continues(2)) return 0;
    if (lead == 0xE0 && at(1) < 0xA0) return 0;  // overlong
    if (lead == 0xED && at(1) > 0x9F) return 0;  // surrogates
    return 3;
  }
  if (lead > 0xF4 || !continues(1) || !continues(2) || !continues(3)) return 0;
  if (lead == 0xF0 && at(1) < 0x90) return 0;  // overlong
  if (lead == 0xF4 && at(1) > 0x8F) return 0;  // above U+10FFFF
  return 4;
}

size_t first_invalid(std::span<const uint8_t> bytes) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  size_t i = 0;
  while (i < text.size()) {
    uint64_t word;
    while (i + sizeof(word) <= text.size()) {  // eight ASCII bytes at a time
      std::memcpy(&word, text.data() + i, sizeof(word));
      if (word & 0x8080808080808080u) break;
      i += sizeof(word);
    }
    if (i == text.size()) break;
    const size_t length = sequence_length(text.substr(i, 4));
    if (length == 0) return i;
    i += length;
  }
  return i;
}

}  // namespace colonnade::utf8
