// Names and messages as Python strings. They come from files and need not be UTF-8: each other byte
// becomes a lone surrogate, as Python does it with file names, and goes back into the same byte.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace colonnade::python {

nanobind::str to_text(std::string_view bytes);

// The bytes of a str. TypeError naming `what` for anything else.
std::string from_text(nanobind::handle text, const char* what);

// A str as UTF-8 for messages: never fails; what is no text is written as escapes.
std::string printable(nanobind::handle text);

}  // namespace colonnade::python
