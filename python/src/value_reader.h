// Values of columns as Python objects.
//
//   null -> None, bool -> bool, integers -> int, floats -> float, decimal -> decimal.Decimal
//   (exact), date -> datetime.date, time -> datetime.time, timestamp -> datetime.datetime (aware
//   when the type has a zone), duration -> datetime.timedelta, string -> str, binary -> bytes, list
//   -> list, struct -> dict, map -> list of (key, value), interval -> int (months) or tuple of ints
//
// No digit is lost: a value that its Python type cannot hold is an error.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <colonnade/column.h>
#include <colonnade/error.h>

namespace colonnade::python {

// How dates, times, timestamps and durations come out.
enum class Temporal : uint8_t {
  kDatetime,  // as objects of the datetime module
  kInteger,   // as the stored number, in the type's unit
};

// What is wrong with one value; whoever knows the row and the column makes an Error of it.
struct BadValue {
  ErrorCode code;
  const char* what_happened;
  std::string values;
};

// Reads the values of one column, which it keeps alive. Used with Python's lock held.
class ValueReader {
 public:
  virtual ~ValueReader() = default;
  ValueReader(const ValueReader&) = delete;
  ValueReader& operator=(const ValueReader&) = delete;

  // The value of row `row`, 0 <= row < length. Throws BadValue.
  nanobind::object read(int64_t row) {
    return column_->is_valid(row) ? value(row) : nanobind::none();
  }

 protected:
  explicit ValueReader(ColumnPtr column) : column_(std::move(column)) {}
  const ColumnParts& parts() const noexcept { return column_->parts(); }
  // The same for a row that is not null.
  virtual nanobind::object value(int64_t row) = 0;

 private:
  ColumnPtr column_;
};
using ValueReaderPtr = std::unique_ptr<ValueReader>;

ValueReaderPtr make_reader(const ColumnPtr& column, Temporal temporal);
// The parts of make_reader: a flat column of a date, time, timestamp, duration or interval; and of
// a list, struct or map.
ValueReaderPtr make_temporal_reader(const ColumnPtr& column);
ValueReaderPtr make_nested_reader(const ColumnPtr& column, Temporal temporal);

// A value of T at `index` of a buffer that need not be aligned.
template <typename T>
T load(const Buffer& buffer, int64_t index) noexcept {
  T value;
  __builtin_memcpy(&value, buffer.data() + index * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

// All values of `chunks`, in order, one list. A value that cannot be had is an Error with the
// column `name` and the number of its row, counted from `first_row`. Runs Python's signal handlers
// and lets other threads run now and then.
nanobind::list to_list(const std::string& name, std::span<const ColumnPtr> chunks,
                       Temporal temporal, int64_t first_row = 0);

// 'datetime' or 'int'; ValueError otherwise.
Temporal temporal_argument(nanobind::handle value);

}  // namespace colonnade::python
