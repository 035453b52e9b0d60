// Gathering rows: a column whose row i is row rows[i] of another.
#pragma once

#include <colonnade/column.h>
#include <colonnade/context.h>

#include "arrow/row_selection.h"

namespace colonnade::arrow {

// In the storage of `source` (lists become 64-bit where 32-bit offsets would overflow); null slots
// are zero. A dictionary stays a dictionary and a constant a constant, or a dictionary of one where
// some rows are null.
ColumnPtr take(const Context& context, const Column& source, const RowSelection& rows);

}  // namespace colonnade::arrow
