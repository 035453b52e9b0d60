// The slow plain reference of tests: columns as vectors of values, whatever their encoding and
// storage.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include <colonnade/column.h>

#include "column/decimal.h"
#include "column/interval.h"

namespace colonnade::testing {

// A float by its bits, so that NaN payloads and the sign of zero count.
struct FloatBits {
  uint64_t bits = 0;
  int32_t byte_width = 0;
  friend bool operator==(const FloatBits&, const FloatBits&) = default;
};

struct Value;

// The elements of a list or the fields of a struct.
struct Sequence {
  std::vector<Value> values;
  friend bool operator==(const Sequence&, const Sequence&);
};

// monostate: null. int64_t: signed integers, dates, times, timestamps, durations.
struct Value {
  std::variant<std::monostate, bool, int64_t, uint64_t, FloatBits, Decimal256, Interval,
               std::string, Sequence>
      content;
  friend bool operator==(const Value&, const Value&);
};

// Reads straight from the buffers, one value at a time. It shares no code with the library's own
// accessors.
Value value_at(const Column& column, int64_t row);
std::vector<Value> to_values(const Column& column);

std::string to_string(const Value& value);
void PrintTo(const Value& value, std::ostream* out);  // for GoogleTest's messages

// The first row in which two columns differ, with both values; empty when they are equal.
std::string first_difference(const Column& a, const Column& b);

}  // namespace colonnade::testing
