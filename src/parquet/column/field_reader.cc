#include "parquet/column/field_reader.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "parquet/column/merge_columns.h"

namespace colonnade::parquet {

FieldReader::FieldReader(const Context& context, const ColumnReadOptions& options,
                         const Field& field, const Shape& shape, std::vector<LeafChunk> chunks,
                         const RowCursor& rows)
    : context_(context), field_(field), shape_(shape) {
  if (shape.kind == Shape::Kind::kLeaf) {
    LeafChunk& chunk = chunks.front();
    flat_.emplace(context, options, chunk.leaf, field, chunk.metadata, rows,
                  std::move(chunk.bytes));
    return;
  }
  for (size_t i = 0; i < chunks.size(); ++i) {
    LeafChunk& chunk = chunks[i];
    try {
      leaves_.push_back(
          {std::make_unique<NestedLeafReader>(context, options, chunk.leaf,
                                              leaf_path(field, shape, static_cast<int32_t>(i)),
                                              chunk.metadata, rows, std::move(chunk.bytes)),
           nullptr});
    } catch (Error& error) {
      error.locate({.file = {}, .column = chunk.leaf.dotted_path});
      throw;
    }
  }
}

ColumnPtr FieldReader::read(int64_t max_rows, int64_t max_bytes) {
  if (flat_) return flat_->read(max_rows, max_bytes);
  int64_t rows = max_rows;
  for (NestedLeaf& leaf : leaves_) {
    if (!leaf.waiting) leaf.waiting = leaf.reader->read(rows, max_bytes);
    rows = std::min(rows, leaf.waiting->length());
  }
  std::vector<ColumnPtr> columns;
  for (NestedLeaf& leaf : leaves_) {
    const int64_t left = leaf.waiting->length() - rows;
    columns.push_back(left == 0 ? leaf.waiting : leaf.waiting->slice(0, rows));
    leaf.waiting = left == 0 ? nullptr : leaf.waiting->slice(rows, left);
  }
  try {
    return merge_columns(context_, field_, shape_, columns);
  } catch (Error& error) {
    error.locate({.file = {}, .column = field_.name});
    throw;
  }
}

}  // namespace colonnade::parquet
