#include "io/range_check.h"

#include <fmt/format.h>

namespace colonnade::io {
namespace {

[[noreturn, gnu::cold]] void fail_range(const char* what_happened, std::string values,
                                        const std::string& name) {
  Error error(ErrorCode::kInvalidArgument, what_happened, std::move(values));
  throw error.locate({.file = name});
}

}  // namespace

void check_ranges(std::span<const ReadRange> ranges, int64_t file_bytes, const std::string& name) {
  for (const ReadRange& range : ranges) {
    if (range.offset < 0 || range.length < 0 || range.offset > file_bytes ||
        range.length > file_bytes - range.offset) {
      fail_range("range outside the file",
                 fmt::format("{} bytes at {}, file of {}", range.length, range.offset, file_bytes),
                 name);
    }
    if (range.length > 0 && range.out == nullptr) {
      fail_range("range without memory for its bytes",
                 fmt::format("{} bytes at {}", range.length, range.offset), name);
    }
  }
}

}  // namespace colonnade::io
