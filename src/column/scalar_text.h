// Values as text: for csv, tables and jsonl, and for what Python has no type of its own for.
#pragma once

#include <string>
#include <string_view>

#include "column/scalar.h"

namespace colonnade {

enum class BinaryText : uint8_t { kHex, kRaw };

struct TextOptions {
  BinaryText binary = BinaryText::kHex;  // of binary and fixed_binary; strings are always raw
  char timestamp_separator = ' ';        // between date and time of day
};

// Appends a valid value. Numbers are the shortest text that reads back as the same value ("nan",
// "inf" and "-inf" for the others), decimals have all digits of their scale, dates and times are
// ISO 8601 with the digits of their unit, timestamps with a time zone are given in UTC with "Z".
// Lists, structs and maps are JSON.
void append_text(std::string& out, const ScalarRef& value, const TextOptions& options = {});

// Two digits a byte, as append_text gives binary.
void append_hex(std::string& out, std::string_view bytes);

// Appends a value, also a null, as JSON: booleans, numbers and decimals bare (NaN and infinities as
// the strings "NaN", "Infinity", "-Infinity"), binary as hex, structs as objects, maps as objects
// whose keys are their text, everything else as the string that append_text gives. Bytes that are
// not UTF-8 become U+FFFD.
void append_json(std::string& out, const ScalarRef& value, const TextOptions& options = {});

}  // namespace colonnade
