#include "base/json.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace colonnade::json {

void append_string(std::string& out, std::string_view text) {
  out.push_back('"');
  append_escaped(out, text);
  out.push_back('"');
}

void append_escaped(std::string& out, std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x80) {
      const size_t length = utf8::sequence_length(text.substr(i));
      if (length == 0) {
        out += "\xEF\xBF\xBD";
        ++i;
      } else {
        out.append(text, i, length);
        i += length;
      }
      continue;
    }
    ++i;
    switch (byte) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (byte < 0x20 || byte == 0x7F) {
          constexpr char kDigits[] = "0123456789abcdef";
          out += "\\u00";
          out += kDigits[byte >> 4];
          out += kDigits[byte & 0xF];
        } else {
          out.push_back(static_cast<char>(byte));
        }
    }
  }
}

void Writer::separate() {
  if (needs_comma_) out_.push_back(',');
  needs_comma_ = false;
}

Writer& Writer::open(char bracket) {
  separate();
  out_.push_back(bracket);
  return *this;
}

Writer& Writer::close(char bracket) {
  out_.push_back(bracket);
  needs_comma_ = true;
  return *this;
}

Writer& Writer::key(std::string_view name) {
  separate();
  append_string(out_, name);
  out_.push_back(':');
  return *this;
}

Writer& Writer::value(std::string_view text) {
  separate();
  append_string(out_, text);
  needs_comma_ = true;
  return *this;
}

Writer& Writer::value(int64_t number) {
  separate();
  fmt::format_to(std::back_inserter(out_), "{}", number);
  needs_comma_ = true;
  return *this;
}

Writer& Writer::value(bool truth) {
  separate();
  out_ += truth ? "true" : "false";
  needs_comma_ = true;
  return *this;
}

Writer& Writer::null() {
  separate();
  out_ += "null";
  needs_comma_ = true;
  return *this;
}

}  // namespace colonnade::json
