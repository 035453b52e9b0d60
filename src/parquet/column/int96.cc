#include "parquet/column/int96.h"

#include <cstring>

#include <fmt/format.h>

#include "column/decimal.h"

namespace colonnade::parquet {
namespace {

constexpr int64_t kJulianDayOfEpoch = 2'440'588;
constexpr int64_t kSecondsPerDay = 86'400;

struct Parts {
  int64_t nanoseconds;
  int32_t day;
};

Parts parts_of(const uint8_t* value) noexcept {
  Parts parts;
  std::memcpy(&parts.nanoseconds, value, sizeof(parts.nanoseconds));
  std::memcpy(&parts.day, value + sizeof(parts.nanoseconds), sizeof(parts.day));
  return parts;
}

int64_t per_second(TimeUnit unit) noexcept {
  switch (unit) {
    case TimeUnit::kSecond:
      return 1;
    case TimeUnit::kMilli:
      return 1'000;
    case TimeUnit::kMicro:
      return 1'000'000;
    case TimeUnit::kNano:
      break;
  }
  return 1'000'000'000;
}

}  // namespace

int64_t convert_int96(const uint8_t* in, int64_t n, TimeUnit unit, uint8_t* out) noexcept {
  const int64_t ns_per_unit = 1'000'000'000 / per_second(unit);
  const int64_t units_per_day = kSecondsPerDay * per_second(unit);
  int64_t first_outside = n;
  for (int64_t i = 0; i < n; ++i) {
    const Parts parts = parts_of(in + i * kInt96Bytes);
    int64_t units = parts.nanoseconds / ns_per_unit;
    if (parts.nanoseconds % ns_per_unit < 0) --units;
    const int128_t exact =
        static_cast<int128_t>(parts.day - kJulianDayOfEpoch) * units_per_day + units;
    const auto value = static_cast<int64_t>(exact);
    if (value != exact && first_outside == n) first_outside = i;
    std::memcpy(out + i * 8, &value, sizeof(value));
  }
  return first_outside;
}

std::string int96_text(const uint8_t* value) {
  const Parts parts = parts_of(value);
  return fmt::format("Julian day {}, nanosecond {} of the day", parts.day, parts.nanoseconds);
}

}  // namespace colonnade::parquet
