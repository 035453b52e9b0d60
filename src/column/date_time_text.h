// Dates, times, timestamps, durations and intervals as ISO 8601 text. Any int64 is printed; years
// outside 0 to 9999 get a sign, as ISO 8601 asks ("-0044-03-15", "+12024-01-01").
#pragma once

#include <cstdint>
#include <string>

#include <colonnade/type.h>

#include "column/interval.h"

namespace colonnade {

// "2024-02-29", of days since 1970-01-01.
void append_date(std::string& out, int64_t days);
// "23:59:59.999999" since midnight, with as many digits as the unit has.
void append_time(std::string& out, int64_t value, TimeUnit unit);
// "2024-02-29 23:59:59.999", with `separator` in the middle and "Z" behind it when `utc`.
void append_timestamp(std::string& out, int64_t value, TimeUnit unit, char separator, bool utc);
// "-PT26H3M4.5S"; "PT0S" for none.
void append_duration(std::string& out, int64_t value, TimeUnit unit);
// "P1M-2DT0.5S"; "P0D" for none.
void append_interval(std::string& out, const Interval& interval);

}  // namespace colonnade
