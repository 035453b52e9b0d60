// What the exporter needs of the conversion to a field's form.
#pragma once

#include <colonnade/column.h>
#include <colonnade/type.h>

namespace colonnade::arrow {

// Whether a column lies as its field declares, at every level, so that its buffers can be exported
// as they are.
bool has_form(const Field& field, const Column& column);

}  // namespace colonnade::arrow
