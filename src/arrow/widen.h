// Values as those of a type that takes them in.
#pragma once

#include <colonnade/column.h>
#include <colonnade/context.h>

namespace colonnade::arrow {

// `column` with every value exactly as before, as a column of `type`: a type that common_type()
// gives for the column's own and another (kInvalidArgument otherwise). A struct's fields that the
// column lacks are null. The same column where the types are equal. kOutOfBudget, kCancelled.
ColumnPtr widen(const Context& context, const ColumnPtr& column, const DataType& type);

}  // namespace colonnade::arrow
