// What every file asks of the ranges that it is given.
#pragma once

#include <span>

#include <colonnade/error.h>
#include <colonnade/file.h>

namespace colonnade::io {

// kInvalidArgument when a range is negative, passes `file_bytes`, or has bytes but nowhere to put
// them.
void check_ranges(std::span<const ReadRange> ranges, int64_t file_bytes, const std::string& name);

}  // namespace colonnade::io
