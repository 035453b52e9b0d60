#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cwchar>

#include "base/utf8.h"
#include "column/scalar_text.h"

namespace colonnade::cli {

namespace {

wchar_t decode(std::string_view sequence) noexcept {
  const auto at = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<uint8_t>(sequence[i]));
  };
  switch (sequence.size()) {
    case 1:
      return static_cast<wchar_t>(at(0));
    case 2:
      return static_cast<wchar_t>((at(0) & 0x1F) << 6 | (at(1) & 0x3F));
    case 3:
      return static_cast<wchar_t>((at(0) & 0x0F) << 12 | (at(1) & 0x3F) << 6 | (at(2) & 0x3F));
    default:
      return static_cast<wchar_t>((at(0) & 0x07) << 18 | (at(1) & 0x3F) << 12 |
                                  (at(2) & 0x3F) << 6 | (at(3) & 0x3F));
  }
}

int32_t width_of(std::string_view sequence) noexcept {
  if (sequence.size() == 1) return 1;
  return std::max(wcwidth(decode(sequence)), 0);
}

size_t sequence_at(std::string_view text, size_t i) noexcept {
  return std::max<size_t>(utf8::sequence_length(text.substr(i, 4)), 1);
}

// Whether a character would not stay where it is written: controls, line and paragraph separators,
// what turns the direction of the text around (Unicode TR 9) and the byte order mark.
bool moves_text(wchar_t character) noexcept {
  const auto c = static_cast<uint32_t>(character);
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

// Calls emit(part) with what can be shown of `text`, part by part.
template <typename Emit>
void escape(std::string_view text, Emit&& emit) {
  size_t shown_begin = 0;
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<uint8_t>(text[i]);
    const size_t length = byte < 0x80 ? 1 : utf8::sequence_length(text.substr(i, 4));
    if (length > 0 && !moves_text(decode(text.substr(i, length)))) {
      i += length;
      continue;
    }
    emit(text.substr(shown_begin, i - shown_begin));
    for (const size_t end = i + std::max<size_t>(length, 1); i < end; ++i) {
      if (text[i] == '\n') {
        emit("\\n");
      } else if (text[i] == '\r') {
        emit("\\r");
      } else if (text[i] == '\t') {
        emit("\\t");
      } else {
        std::string escaped = "\\x";
        append_hex(escaped, text.substr(i, 1));
        emit(escaped);
      }
    }
    shown_begin = i;
  }
  emit(text.substr(shown_begin));
}

}  // namespace

bool is_terminal(int fd) noexcept { return isatty(fd) == 1; }

bool wants_color(int fd) noexcept {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  return is_terminal(fd) && term != nullptr && std::string_view(term) != "dumb";
}

int32_t terminal_width(int fd) noexcept {
  winsize size{};
  return is_terminal(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void append_printable(std::string& out, std::string_view text) {
  escape(text, [&](std::string_view part) { out += part; });
}

std::string printable(std::string_view text) {
  std::string out;
  append_printable(out, text);
  return out;
}

int64_t printable_size(std::string_view text) noexcept {
  size_t size = 0;
  escape(text, [&](std::string_view part) { size += part.size(); });
  return static_cast<int64_t>(size);
}

int64_t display_width(std::string_view printable_text, int64_t enough) noexcept {
  int64_t width = 0;
  for (size_t i = 0; i < printable_text.size() && width <= enough;) {
    if (static_cast<uint8_t>(printable_text[i]) < 0x80) {
      ++width;
      ++i;
      continue;
    }
    const size_t length = sequence_at(printable_text, i);
    width += width_of(printable_text.substr(i, length));
    i += length;
  }
  return width;
}

std::string fit(std::string_view printable_text, int64_t width) {
  if (display_width(printable_text, width) <= width) return std::string(printable_text);
  int64_t used = 0;
  size_t end = 0;
  while (end < printable_text.size()) {
    const size_t length = sequence_at(printable_text, end);
    const int32_t next = width_of(printable_text.substr(end, length));
    if (used + next > width - 1) break;
    used += next;
    end += length;
  }
  return std::string(printable_text.substr(0, end)) + "…";
}

}  // namespace colonnade::cli
