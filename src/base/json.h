// Writing JSON: strings escaped as RFC 8259 wants them, and the commas between members.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace colonnade::json {

// Appends `text` as a JSON string with its quotes. Control characters, quotes and backslashes are
// escaped; bytes that are not UTF-8 become U+FFFD, one for each, so that the result is always valid
// JSON.
void append_string(std::string& out, std::string_view text);
// The same without the quotes, for a string that is written in parts; no part ends inside a UTF-8
// sequence.
void append_escaped(std::string& out, std::string_view text);

// Builds one document. The caller opens and closes in order; the writer puts the commas and colons.
class Writer {
 public:
  Writer& begin_object() { return open('{'); }
  Writer& end_object() { return close('}'); }
  Writer& begin_array() { return open('['); }
  Writer& end_array() { return close(']'); }
  Writer& key(std::string_view name);
  Writer& value(std::string_view text);
  Writer& value(const char* text) { return value(std::string_view(text)); }
  Writer& value(int64_t number);
  Writer& value(int32_t number) { return value(int64_t{number}); }
  Writer& value(bool truth);
  Writer& null();

  std::string take() && { return std::move(out_); }

 private:
  Writer& open(char bracket);
  Writer& close(char bracket);
  void separate();

  std::string out_;
  bool needs_comma_ = false;
};

}  // namespace colonnade::json
