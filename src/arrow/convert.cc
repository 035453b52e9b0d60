#include "arrow/convert.h"

#include <colonnade/arrow.h>

#include <utility>

#include "arrow/column_path.h"
#include "arrow/decimal_width.h"
#include "arrow/format.h"
#include "arrow/gather_strings.h"
#include "arrow/rebuild_nested.h"
#include "arrow/row_selection.h"
#include "arrow/string_storage.h"
#include "arrow/take.h"
#include "arrow/unify.h"
#include "base/fail.h"

namespace colonnade::arrow {
namespace {

ColumnPtr convert_values(const Context& context, const Field& field, const ColumnPtr& column);
ColumnPtr convert_any(const Context& context, const Field& field, const ColumnPtr& column);

// Whether the values of a flat column lie as the field says, dictionary or not.
bool values_have_form(const Field& field, const Column& column) {
  if (column.encoding() != Encoding::kFlat) return false;
  const Layout layout = layout_of(field);
  if (column.storage() != layout.storage || column.byte_width() != layout.byte_width) return false;
  const std::vector<Field>& fields = field.type.fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!has_form(fields[i], *column.parts().children[i])) return false;
  }
  return true;
}

bool has_offset_storage(const Layout& layout) noexcept {
  return layout.storage == Storage::kOffsets32 || layout.storage == Storage::kOffsets64;
}

bool is_string_storage(Storage storage) noexcept {
  return storage == Storage::kOffsets32 || storage == Storage::kOffsets64 ||
         storage == Storage::kViews;
}

// A nested column whose children lie otherwise than their fields say: only the rows in use are
// converted.
ColumnPtr convert_nested(const Context& context, const Field& field, const Column& column) {
  const auto convert_child = [&](size_t index, int64_t begin, int64_t length) {
    return convert_any(context, field.type.fields()[index],
                       column.parts().children[index]->slice(begin, length));
  };
  return rebuild_nested(context, column, field.type, layout_of(field).storage, convert_child);
}

// Dictionary and constant to flat values in the field's form.
ColumnPtr decode(const Context& context, const Field& field, const Column& column) {
  const ColumnPtr& values = column.parts().dictionary->values;
  const RowSelection rows = RowSelection::of_encoded(column);
  const Layout layout = layout_of(field);
  if (is_string_storage(values->storage()) && has_offset_storage(layout)) {
    return gather_strings(context, *values, rows, layout.storage);
  }
  // Whichever is shorter is converted.
  if (values->length() <= column.length()) {
    return convert_values(context, field,
                          take(context, *convert_values(context, field, values), rows));
  }
  return convert_values(context, field, take(context, *values, rows));
}

// To flat values in the field's form.
ColumnPtr convert_values(const Context& context, const Field& field, const ColumnPtr& column) {
  if (column->encoding() != Encoding::kFlat) return decode(context, field, *column);
  if (values_have_form(field, *column)) return column;
  const Layout layout = layout_of(field);
  if (field.type.id() == TypeId::kDecimal)
    return resize_decimals(context, *column, layout.byte_width);
  if (field.type.is_bytes()) return change_string_storage(context, *column, layout.storage);
  return convert_nested(context, field, *column);
}

// To ids into values in the field's form.
ColumnPtr encode(const Context& context, const Field& field, const ColumnPtr& column) {
  if (field.type.id() == TypeId::kNull) {
    fail(ErrorCode::kNotSupported, "dictionary of the null type", "field '{}'", field.name);
  }
  ColumnPtr encoded = column;
  if (column->encoding() == Encoding::kFlat) encoded = unify(context, *column);
  const bool all_null =
      encoded->encoding() == Encoding::kConstant && encoded->length() > 0 && !encoded->is_valid(0);
  ColumnParts parts = encoded->parts();
  if (parts.encoding == Encoding::kConstant) {
    parts.encoding = Encoding::kDictionary;
    parts.values = context.memory->allocate_zeroed(parts.length * 4).freeze();
    if (all_null) parts.validity = context.memory->allocate_zeroed((parts.length + 7) / 8).freeze();
    parts.null_count = all_null ? parts.length : 0;
    ColumnPtr values = parts.dictionary->values;
    if (!values->is_valid(0)) values = take(context, *values, {EveryRow{}, 0});
    parts.dictionary = Dictionary::make(std::move(values), true, true);
  }
  const ColumnPtr values = convert_values(context, field, parts.dictionary->values);
  if (values != parts.dictionary->values) {
    parts.storage = values->storage();
    parts.byte_width = values->byte_width();
    parts.dictionary = Dictionary::make(values, parts.dictionary->unique, parts.dictionary->sorted);
  } else if (encoded == column && column->encoding() == Encoding::kDictionary) {
    return column;
  }
  return Column::make(std::move(parts));
}

ColumnPtr convert_any(const Context& context, const Field& field, const ColumnPtr& column) {
  return field.dictionary ? encode(context, field, column) : convert_values(context, field, column);
}

}  // namespace

bool has_form(const Field& field, const Column& column) {
  if (!field.dictionary) return values_have_form(field, column);
  return column.encoding() == Encoding::kDictionary &&
         values_have_form(field, *column.parts().dictionary->values);
}

ColumnPtr convert_to_form(const Context& context, const Field& field, const ColumnPtr& column) {
  if (!column || !(column->type() == field.type)) {
    fail(ErrorCode::kInvalidArgument, "column of another type than its field", "{}: {}",
         field.to_string(), column ? column->type().to_string() : "missing");
  }
  return at_column(field.name, [&] { return convert_any(context, field, column); });
}

}  // namespace colonnade::arrow
