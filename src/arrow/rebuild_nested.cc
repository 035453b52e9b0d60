#include "arrow/rebuild_nested.h"

#include <utility>

#include "arrow/column_path.h"
#include "arrow/row_selection.h"
#include "arrow/string_storage.h"
#include "column/layout.h"

namespace colonnade::arrow {

ColumnPtr rebuild_nested(
    const Context& context, const Column& column, const DataType& type, Storage storage,
    const std::function<ColumnPtr(size_t index, int64_t begin, int64_t length)>& child) {
  const ColumnParts& in = column.parts();
  ColumnParts out;
  out.type = type;
  out.storage = storage;
  out.length = in.length;
  out.null_count = column.null_count();
  if (out.null_count > 0) out.validity = rebased_bits(context, in.validity, in.offset, in.length);
  int64_t child_begin = in.offset;
  int64_t child_length = in.length;
  if (has_offsets(in.storage)) {
    const auto [begin, end] = spanned_range(in);
    child_begin = begin;
    child_length = end - begin;
    out.offsets = rebased_offsets(context, in, out.storage, "large_list");
  } else if (in.storage == Storage::kFixedSizeList) {
    child_begin = in.offset * in.type.list_size();
    child_length = in.length * in.type.list_size();
  }
  const std::vector<Field>& fields = type.fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    out.children.push_back(
        at_column(fields[i].name, [&] { return child(i, child_begin, child_length); }));
  }
  return Column::make(std::move(out));
}

}  // namespace colonnade::arrow
