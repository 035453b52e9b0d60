// Gathering strings into offsets and bytes: sized first, then copied once.
#pragma once

#include <colonnade/column.h>
#include <colonnade/context.h>

#include "arrow/row_selection.h"

namespace colonnade::arrow {

// `source` is a flat string or binary column of any storage; `storage` is kOffsets32 or kOffsets64.
// Null rows are empty. kOutOfBudget naming the large form when 32-bit offsets overflow.
ColumnPtr gather_strings(const Context& context, const Column& source, const RowSelection& rows,
                         Storage storage);

}  // namespace colonnade::arrow
