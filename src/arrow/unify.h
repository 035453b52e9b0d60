// Flat columns as dictionaries.
#pragma once

#include <colonnade/column.h>
#include <colonnade/context.h>

namespace colonnade::arrow {

// A flat column as ids into its distinct values, in the order of their first rows; values are
// distinct by their bytes (so 0.0 and -0.0 are two). Nulls are in the ids only. Nested values are
// not compared: each row has its own.
ColumnPtr unify(const Context& context, const Column& column);

}  // namespace colonnade::arrow
