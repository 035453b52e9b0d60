// Decimals in more or fewer bytes.
#pragma once

#include <colonnade/column.h>
#include <colonnade/context.h>

namespace colonnade::arrow {

// A flat decimal column in values of 4, 8, 16 or 32 bytes. Null slots come out as zeroes.
// kCorruptData when a value does not fit a smaller width.
ColumnPtr resize_decimals(const Context& context, const Column& column, int32_t byte_width);

}  // namespace colonnade::arrow
