// Full validation of what lies in the buffers of flat columns; kCorruptData with row and value.
#pragma once

#include <cstdint>

#include <colonnade/column.h>

namespace colonnade::arrow {

// Decimals of no more digits than their type, dates in milliseconds on whole days, times within a
// day. Null slots may hold anything.
void validate_fixed(const Column& column);

// Offsets that never decrease and stay within [0, limit], in null rows too.
void validate_offsets(const ColumnParts& parts, int64_t limit);

// UTF-8 in valid rows of kString; validate_offsets comes first.
void validate_strings(const Column& column);

// Views of valid rows: their length, the buffer and place they name, their prefix, zeroes behind
// inline values, UTF-8.
void validate_views(const Column& column);

}  // namespace colonnade::arrow
