// Columns that share their lists and structs become one.
#pragma once

#include <span>

#include <colonnade/column.h>
#include <colonnade/context.h>

#include "parquet/column/shape.h"

namespace colonnade::parquet {

// The column of `field` from one column for each of its leaves, in order: the leaf with the lists
// and structs around it (LeafPath), all of one length. What is shared is taken from the first of
// them. kCorruptData naming the field where another says otherwise, and for a map with a null key.
ColumnPtr merge_columns(const Context& context, const Field& field, const Shape& shape,
                        std::span<const ColumnPtr> leaves);

}  // namespace colonnade::parquet
