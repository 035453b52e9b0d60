#include "cli/quantity.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/fail.h"

namespace colonnade::cli {

namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array<Unit, 14> kUnits{{{"", 1},
                                       {"B", 1},
                                       {"K", 1e3},
                                       {"KB", 1e3},
                                       {"KIB", 1024.0},
                                       {"M", 1e6},
                                       {"MB", 1e6},
                                       {"MIB", 1024.0 * 1024},
                                       {"G", 1e9},
                                       {"GB", 1e9},
                                       {"GIB", 1024.0 * 1024 * 1024},
                                       {"T", 1e12},
                                       {"TB", 1e12},
                                       {"TIB", 1024.0 * 1024 * 1024 * 1024}}};

}  // namespace

int64_t parse_bytes(std::string_view text, std::string_view option) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  std::string unit;
  for (const char* c = end; c < text.data() + text.size(); ++c) {
    if (*c == ' ') continue;
    unit.push_back(*c >= 'a' && *c <= 'z' ? static_cast<char>(*c - 'a' + 'A') : *c);
  }
  for (const Unit& known : kUnits) {
    const double bytes = number * known.bytes;
    if (error != std::errc() || unit != known.name || bytes < 1) continue;
    if (bytes < 9e18) return std::llround(bytes);
    fail(ErrorCode::kInvalidArgument, "size is beyond 64 bits", "{} '{}'", option, text);
  }
  fail(ErrorCode::kInvalidArgument, "not a size", "{} '{}'; sizes look like 256MB, 1GiB or 4096",
       option, text);
}

std::string format_bytes(int64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double number = static_cast<double>(bytes);
  const char* unit = "";
  for (const char* next : {"kB", "MB", "GB", "TB"}) {
    if (number < 999.95) break;
    number /= 1000;
    unit = next;
  }
  return fmt::format("{:.1f} {}", number, unit);
}

std::string format_count(int64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<int64_t>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3) {
    digits.insert(static_cast<size_t>(at), ",");
  }
  return digits;
}

}  // namespace colonnade::cli
