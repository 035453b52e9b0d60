// The parts of validate(). All give kCorruptData with row and value.
#pragma once

#include <cstdint>

#include <colonnade/arrow.h>
#include <colonnade/column.h>
#include <colonnade/context.h>

namespace colonnade::arrow {

// validate() without the field's name in the error's place.
void validate_unnamed(const Context& context, const Field& field, const Column& column,
                      Validation validation);

// Full validation of what lies in the buffers of flat columns:

// Decimals of no more digits than their type, dates in milliseconds on whole days, times within a
// day. Null slots may hold anything.
void validate_fixed(const CancelToken& cancel, const Column& column);

// Offsets that never decrease and stay within [0, limit], in null rows too.
void validate_offsets(const CancelToken& cancel, const ColumnParts& parts, int64_t limit);

// UTF-8 in valid rows of kString; validate_offsets comes first.
void validate_strings(const CancelToken& cancel, const Column& column);

// Views of valid rows: their length, the buffer and place they name, their prefix, zeroes behind
// inline values, UTF-8.
void validate_views(const CancelToken& cancel, const Column& column);

}  // namespace colonnade::arrow
