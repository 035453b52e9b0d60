// Dates, times, timestamps, durations and intervals as Python objects.
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/fail.h"
#include "text.h"
#include "value_reader.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kSecondsPerDay = 86'400;
constexpr int64_t kMillisPerDay = kSecondsPerDay * 1'000;
// datetime.date.min and max, days since 1970-01-01.
constexpr int64_t kMinDay = -719'162;
constexpr int64_t kMaxDay = 2'932'896;
constexpr int64_t kMaxTimedeltaDays = 999'999'999;

int64_t units_per_second(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kSecond:
      return 1;
    case TimeUnit::kMilli:
      return 1'000;
    case TimeUnit::kMicro:
      return kMicrosPerSecond;
    case TimeUnit::kNano:
      return 1'000'000'000;
  }
  return 1;
}

struct Quotient {
  int64_t floor;
  int64_t rest;  // not negative
};
Quotient divide(int64_t number, int64_t divisor) {
  Quotient result{number / divisor, number % divisor};
  if (result.rest < 0) result = {result.floor - 1, result.rest + divisor};
  return result;
}

// Days and the microseconds of the last one. kDataError where that would cut nanoseconds off.
struct DayTime {
  int64_t days;
  int64_t micros;
};
DayTime day_time(int64_t number, TimeUnit unit) {
  const int64_t per_second = units_per_second(unit);
  const Quotient day = divide(number, per_second * kSecondsPerDay);
  if (unit != TimeUnit::kNano) return {day.floor, day.rest * (kMicrosPerSecond / per_second)};
  if (day.rest % 1'000 != 0) {
    throw BadValue{ErrorCode::kDataError,
                   "nanoseconds do not fit into Python's times, which count microseconds: read "
                   "them with to_pylist(temporal='int')",
                   fmt::format("value {}", number)};
  }
  return {day.floor, day.rest / 1'000};
}

struct CivilDate {
  int year;
  int month;
  int day;
};
// The proleptic Gregorian date, by eras of 400 years that begin on 0000-03-01.
CivilDate civil_date(int64_t days_since_1970) {
  if (days_since_1970 < kMinDay || days_since_1970 > kMaxDay) {
    throw BadValue{ErrorCode::kDataError,
                   "a date outside the years 1 to 9999 does not fit into datetime: read it with "
                   "to_pylist(temporal='int')",
                   fmt::format("{} days since 1970-01-01", days_since_1970)};
  }
  constexpr int64_t kDaysPerEra = 146'097;
  constexpr int64_t kDaysTo1970 = 719'468;  // since 0000-03-01
  const auto [era, day_of_era] = divide(days_since_1970 + kDaysTo1970, kDaysPerEra);
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  return {static_cast<int>(year), static_cast<int>(month), static_cast<int>(day)};
}

struct ClockTime {
  int hour;
  int minute;
  int second;
  int micros;
};
ClockTime clock_time(int64_t micros_of_day) {
  const int64_t seconds = micros_of_day / kMicrosPerSecond;
  return {static_cast<int>(seconds / 3'600), static_cast<int>(seconds / 60 % 60),
          static_cast<int>(seconds % 60), static_cast<int>(micros_of_day % kMicrosPerSecond)};
}

nb::object datetime_class(const char* name) { return nb::module_::import_("datetime").attr(name); }

// The minutes of "+05:30", "-0800" or "+07"; nothing for other text.
std::optional<int> fixed_offset_minutes(const std::string& zone) {
  if (zone.size() < 3 || (zone[0] != '+' && zone[0] != '-')) return std::nullopt;
  std::string digits;
  for (size_t i = 1; i < zone.size(); ++i) {
    if (zone[i] == ':' && i == 3) continue;
    if (zone[i] < '0' || zone[i] > '9') return std::nullopt;
    digits += zone[i];
  }
  if (digits.size() == 2) digits += "00";
  if (digits.size() != 4) return std::nullopt;
  const int hours = (digits[0] - '0') * 10 + digits[1] - '0';
  const int minutes = (digits[2] - '0') * 10 + digits[3] - '0';
  if (hours > 23 || minutes > 59) return std::nullopt;
  return (zone[0] == '-' ? -1 : 1) * (hours * 60 + minutes);
}

// The tzinfo of a zone's name.
nb::object time_zone(const std::string& zone) {
  const nb::object timezone = datetime_class("timezone");
  if (zone == "UTC" || zone == "utc" || zone == "Z") return timezone.attr("utc");
  if (const auto minutes = fixed_offset_minutes(zone)) {
    return timezone(datetime_class("timedelta")(0, *minutes * 60));
  }
  try {
    return nb::module_::import_("zoneinfo").attr("ZoneInfo")(to_text(zone));
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_KeyError) && !error.matches(PyExc_ValueError)) throw;
    throw BadValue{
        ErrorCode::kDataError,
        "the time zone is not known here: read the values with to_pylist(temporal='int')",
        "zone '" + zone + "'"};
  }
}

class DateReader final : public ValueReader {
 public:
  explicit DateReader(const ColumnPtr& column)
      : ValueReader(column), date_(datetime_class("date")) {}
  nb::object value(int64_t row) override {
    const CivilDate date = civil_date(days(parts().offset + row));
    return date_(date.year, date.month, date.day);
  }

 private:
  int64_t days(int64_t index) const {
    if (parts().type.id() == TypeId::kDate32) return load<int32_t>(parts().values, index);
    const auto millis = load<int64_t>(parts().values, index);
    const Quotient day = divide(millis, kMillisPerDay);
    if (day.rest != 0) {
      throw BadValue{ErrorCode::kDataError,
                     "a date that is not a whole day: read it with to_pylist(temporal='int')",
                     fmt::format("{} milliseconds", millis)};
    }
    return day.floor;
  }
  nb::object date_;
};

class TimeReader final : public ValueReader {
 public:
  explicit TimeReader(const ColumnPtr& column)
      : ValueReader(column), time_(datetime_class("time")) {}
  nb::object value(int64_t row) override {
    const int64_t index = parts().offset + row;
    const int64_t number = parts().byte_width == 4 ? load<int32_t>(parts().values, index)
                                                   : load<int64_t>(parts().values, index);
    const DayTime time = day_time(number, parts().type.unit());
    if (time.days != 0) {
      throw BadValue{ErrorCode::kDataError,
                     "a time outside the day: read it with to_pylist(temporal='int')",
                     fmt::format("value {}", number)};
    }
    const ClockTime clock = clock_time(time.micros);
    return time_(clock.hour, clock.minute, clock.second, clock.micros);
  }

 private:
  nb::object time_;
};

class TimestampReader final : public ValueReader {
 public:
  explicit TimestampReader(const ColumnPtr& column)
      : ValueReader(column),
        datetime_(datetime_class("datetime")),
        utc_(datetime_class("timezone").attr("utc")) {}
  nb::object value(int64_t row) override {
    const DayTime time =
        day_time(load<int64_t>(parts().values, parts().offset + row), parts().type.unit());
    const CivilDate date = civil_date(time.days);
    const ClockTime clock = clock_time(time.micros);
    const std::string& zone = parts().type.timezone();
    if (zone.empty()) {
      return datetime_(date.year, date.month, date.day, clock.hour, clock.minute, clock.second,
                       clock.micros);
    }
    if (!zone_.is_valid()) zone_ = time_zone(zone);
    const nb::object in_utc = datetime_(date.year, date.month, date.day, clock.hour, clock.minute,
                                        clock.second, clock.micros, utc_);
    if (zone_.is(utc_)) return in_utc;
    try {
      return in_utc.attr("astimezone")(zone_);
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_OverflowError)) throw;
      throw BadValue{ErrorCode::kDataError,
                     "a local time outside the years 1 to 9999 does not fit into datetime: read "
                     "it with to_pylist(temporal='int')",
                     "zone '" + zone + "'"};
    }
  }

 private:
  nb::object datetime_;
  nb::object utc_;
  nb::object zone_;  // made for the first value
};

class DurationReader final : public ValueReader {
 public:
  explicit DurationReader(const ColumnPtr& column)
      : ValueReader(column), timedelta_(datetime_class("timedelta")) {}
  nb::object value(int64_t row) override {
    const auto number = load<int64_t>(parts().values, parts().offset + row);
    const DayTime time = day_time(number, parts().type.unit());
    if (time.days < -kMaxTimedeltaDays || time.days > kMaxTimedeltaDays) {
      throw BadValue{ErrorCode::kDataError,
                     "a duration of more than 999999999 days does not fit into timedelta: read it "
                     "with to_pylist(temporal='int')",
                     fmt::format("value {}", number)};
    }
    return timedelta_(time.days, time.micros / kMicrosPerSecond, time.micros % kMicrosPerSecond);
  }

 private:
  nb::object timedelta_;
};

// (days, milliseconds)
class DayTimeReader final : public ValueReader {
 public:
  explicit DayTimeReader(const ColumnPtr& column) : ValueReader(column) {}
  nb::object value(int64_t row) override {
    const int64_t first = 2 * (parts().offset + row);
    return nb::make_tuple(load<int32_t>(parts().values, first),
                          load<int32_t>(parts().values, first + 1));
  }
};

// (months, days, nanoseconds)
class MonthDayNanoReader final : public ValueReader {
 public:
  explicit MonthDayNanoReader(const ColumnPtr& column) : ValueReader(column) {}
  nb::object value(int64_t row) override {
    const int64_t index = parts().offset + row;
    return nb::make_tuple(load<int32_t>(parts().values, 4 * index),
                          load<int32_t>(parts().values, 4 * index + 1),
                          load<int64_t>(parts().values, 2 * index + 1));
  }
};

}  // namespace

ValueReaderPtr make_temporal_reader(const ColumnPtr& column) {
  const TypeId id = column->type().id();
  if (id == TypeId::kDate32 || id == TypeId::kDate64) return std::make_unique<DateReader>(column);
  if (id == TypeId::kTime) return std::make_unique<TimeReader>(column);
  if (id == TypeId::kTimestamp) return std::make_unique<TimestampReader>(column);
  if (id == TypeId::kDuration) return std::make_unique<DurationReader>(column);
  if (id == TypeId::kIntervalDayTime) return std::make_unique<DayTimeReader>(column);
  return std::make_unique<MonthDayNanoReader>(column);
}

}  // namespace colonnade::python
