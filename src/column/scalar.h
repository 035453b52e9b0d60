// Single values of a column, through dictionary, constant and any storage: for sinks, printing and
// Python.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include <colonnade/column.h>

#include "base/bits.h"
#include "column/decimal.h"
#include "column/interval.h"

namespace colonnade {

class ScalarRef;

// The elements of a list or the entries of a map: rows [begin, begin + length) of `values`.
struct ScalarRange {
  const Column* values = nullptr;
  int64_t begin = 0;
  int64_t length = 0;
  ScalarRef operator[](int64_t index) const noexcept;
};

// One value where it lies; valid as long as the column is. The as_ functions ask that the value is
// valid and of a type that they name; they look at nothing. Ids, offsets and views are trusted (see
// Validation).
class ScalarRef {
 public:
  // 0 <= row < column.length()
  ScalarRef(const Column& column, int64_t row) noexcept;

  bool is_valid() const noexcept { return valid_; }
  const DataType& type() const noexcept { return column_->type(); }

  bool as_bool() const noexcept { return bits::get(parts().values.data(), place_); }
  // Signed integers, dates, time, timestamps, durations, interval[months].
  int64_t as_int64() const noexcept;
  // Unsigned integers.
  uint64_t as_uint64() const noexcept;
  // float16, float32 and float64.
  double as_double() const noexcept;
  Decimal256 as_decimal() const noexcept { return Decimal256::load(fixed(), parts().byte_width); }
  Interval as_interval() const noexcept;
  // string, binary and fixed_binary.
  std::string_view as_bytes() const noexcept;
  // list, fixed_size_list and map (its structs of key and value).
  ScalarRange as_list() const noexcept;
  // A field of a struct.
  ScalarRef field(size_t index) const noexcept;

 private:
  const ColumnParts& parts() const noexcept { return column_->parts(); }
  const uint8_t* fixed() const noexcept {
    return parts().values.data() + place_ * parts().byte_width;
  }
  template <typename T>
  T load() const noexcept {
    T value;
    std::memcpy(&value, fixed(), sizeof(T));
    return value;
  }

  const Column* column_;  // flat
  int64_t place_;         // in the column's buffers: its offset is in it
  bool valid_;
};

inline ScalarRef ScalarRange::operator[](int64_t index) const noexcept {
  return ScalarRef(*values, begin + index);
}

}  // namespace colonnade
