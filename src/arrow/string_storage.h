// Strings from one storage to another.
#pragma once

#include <colonnade/column.h>
#include <colonnade/context.h>

namespace colonnade::arrow {

// A flat string or binary column as kOffsets32, kOffsets64 or kViews; the bytes are shared where
// the new storage can refer to them (all but views to offsets). kOutOfBudget when 32-bit offsets,
// or the 2 GiB of one value in a view, do not suffice.
ColumnPtr change_string_storage(const Context& context, const Column& column, Storage storage);

// Offsets of rows [offset, offset + length] of a column with offsets, less the first of them, in
// the width of `storage`. kOutOfBudget naming `large_form` when they do not fit.
Buffer rebased_offsets(const Context& context, const ColumnParts& parts, Storage storage,
                       const char* large_form);
// The first and the last offset of a column's rows: begin and end of what they span.
std::pair<int64_t, int64_t> spanned_range(const ColumnParts& parts) noexcept;

}  // namespace colonnade::arrow
