// A calendar interval of any of Arrow's three kinds.
#pragma once

#include <cstdint>

namespace colonnade {

// Milliseconds of a day-time interval are held as nanoseconds.
struct Interval {
  int32_t months = 0;
  int32_t days = 0;
  int64_t nanoseconds = 0;
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace colonnade
