// What stands at the other end of a descriptor, and how wide text is there.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace colonnade::cli {

bool is_terminal(int fd) noexcept;
// A terminal, and neither NO_COLOR (https://no-color.org) nor a dumb TERM speaks against it.
bool wants_color(int fd) noexcept;
// Columns of the terminal at `fd`; 0 where it is none or does not say.
int32_t terminal_width(int fd) noexcept;

// `text` so that it can be shown in one line: control characters, also Unicode's, and bytes that
// are not UTF-8 escaped as \n, \t or \xNN.
std::string printable(std::string_view text);
void append_printable(std::string& out, std::string_view text);
// The bytes of that.
int64_t printable_size(std::string_view text) noexcept;
// Columns that printable UTF-8 takes, by wcwidth(3); needs the process's locale to be UTF-8. What
// is behind more than `enough` columns is not looked at.
int64_t display_width(std::string_view printable_text,
                      int64_t enough = std::numeric_limits<int64_t>::max()) noexcept;
// The longest beginning of at most `width` columns; an ellipsis in the last one where something was
// cut.
std::string fit(std::string_view printable_text, int64_t width);

}  // namespace colonnade::cli
