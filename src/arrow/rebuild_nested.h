// A nested column with other children.
#pragma once

#include <functional>

#include <colonnade/column.h>
#include <colonnade/context.h>

namespace colonnade::arrow {

// The rows of a flat nested column as one of `type`, of the same kind, in `storage` (its own, or a
// list with offsets of another width). `child` makes the column's child at `index` of that type, of
// rows [begin, begin + length) of what the children of `column` are: those that its rows span.
ColumnPtr rebuild_nested(
    const Context& context, const Column& column, const DataType& type, Storage storage,
    const std::function<ColumnPtr(size_t index, int64_t begin, int64_t length)>& child);

}  // namespace colonnade::arrow
