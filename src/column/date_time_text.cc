#include "column/date_time_text.h"

#include <fmt/format.h>

#include <iterator>

namespace colonnade {
namespace {

constexpr int64_t kSecondsPerDay = 86'400;

int64_t units_per_second(TimeUnit unit) noexcept {
  switch (unit) {
    case TimeUnit::kSecond:
      return 1;
    case TimeUnit::kMilli:
      return 1'000;
    case TimeUnit::kMicro:
      return 1'000'000;
    case TimeUnit::kNano:
      return 1'000'000'000;
  }
  return 1;
}

int fraction_digits(TimeUnit unit) noexcept { return static_cast<int>(unit) * 3; }

struct Quotient {
  int64_t floor;
  int64_t remainder;  // not negative
};

Quotient floor_divide(int64_t value, int64_t divisor) noexcept {
  const int64_t remainder = value % divisor;
  return remainder < 0 ? Quotient{value / divisor - 1, remainder + divisor}
                       : Quotient{value / divisor, remainder};
}

void append_clock(std::string& out, uint64_t seconds, uint64_t fraction, TimeUnit unit) {
  fmt::format_to(std::back_inserter(out), "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60,
                 seconds % 60);
  if (unit != TimeUnit::kSecond) {
    fmt::format_to(std::back_inserter(out), ".{:0{}}", fraction, fraction_digits(unit));
  }
}

// Absolute value; of the smallest int64 too.
uint64_t magnitude(int64_t value) noexcept {
  return value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

// "1.5" of 1'500 ms; without trailing zeroes.
void append_seconds(std::string& out, uint64_t seconds, uint64_t fraction, TimeUnit unit) {
  fmt::format_to(std::back_inserter(out), "{}", seconds);
  if (fraction == 0) return;
  fmt::format_to(std::back_inserter(out), ".{:0{}}", fraction, fraction_digits(unit));
  while (out.back() == '0') out.pop_back();
}

}  // namespace

void append_date(std::string& out, int64_t days) {
  // Years are counted from March, so that the leap day is the last of its year, in eras of 400
  // years.
  constexpr int64_t kDaysFromMarch0000To1970 = 719'468;
  constexpr int64_t kDaysPerEra = 146'097;
  // Split off whole eras first: days + 719468 could overflow.
  const Quotient eras = floor_divide(days, kDaysPerEra);
  const Quotient era = floor_divide(eras.remainder + kDaysFromMarch0000To1970, kDaysPerEra);
  const int64_t day_of_era = era.remainder;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / (kDaysPerEra - 1)) /
      365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const int64_t year = (eras.floor + era.floor) * 400 + year_of_era + (month <= 2 ? 1 : 0);
  if (year < 0) {
    fmt::format_to(std::back_inserter(out), "-{:04}", -year);
  } else if (year > 9'999) {
    fmt::format_to(std::back_inserter(out), "+{}", year);
  } else {
    fmt::format_to(std::back_inserter(out), "{:04}", year);
  }
  fmt::format_to(std::back_inserter(out), "-{:02}-{:02}", month, day);
}

void append_time(std::string& out, int64_t value, TimeUnit unit) {
  if (value < 0) out.push_back('-');
  const auto per_second = static_cast<uint64_t>(units_per_second(unit));
  append_clock(out, magnitude(value) / per_second, magnitude(value) % per_second, unit);
}

void append_timestamp(std::string& out, int64_t value, TimeUnit unit, char separator, bool utc) {
  const Quotient seconds = floor_divide(value, units_per_second(unit));
  const Quotient days = floor_divide(seconds.floor, kSecondsPerDay);
  append_date(out, days.floor);
  out.push_back(separator);
  append_clock(out, static_cast<uint64_t>(days.remainder), static_cast<uint64_t>(seconds.remainder),
               unit);
  if (utc) out.push_back('Z');
}

void append_duration(std::string& out, int64_t value, TimeUnit unit) {
  if (value < 0) out.push_back('-');
  const auto per_second = static_cast<uint64_t>(units_per_second(unit));
  const uint64_t seconds = magnitude(value) / per_second;
  const uint64_t fraction = magnitude(value) % per_second;
  out += "PT";
  if (seconds >= 3600) fmt::format_to(std::back_inserter(out), "{}H", seconds / 3600);
  if (seconds / 60 % 60 != 0) fmt::format_to(std::back_inserter(out), "{}M", seconds / 60 % 60);
  if (seconds % 60 != 0 || fraction != 0 || value == 0) {
    append_seconds(out, seconds % 60, fraction, unit);
    out.push_back('S');
  }
}

void append_interval(std::string& out, const Interval& interval) {
  out.push_back('P');
  if (interval.months != 0) fmt::format_to(std::back_inserter(out), "{}M", interval.months);
  if (interval.days != 0) fmt::format_to(std::back_inserter(out), "{}D", interval.days);
  if (interval.nanoseconds != 0) {
    out += interval.nanoseconds < 0 ? "T-" : "T";
    const uint64_t nanoseconds = magnitude(interval.nanoseconds);
    append_seconds(out, nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000, TimeUnit::kNano);
    out.push_back('S');
  }
  if (interval == Interval{}) out += "0D";
}

}  // namespace colonnade
