#include "parquet/column/merge_columns.h"

#include <algorithm>
#include <vector>

#include "base/bits.h"
#include "base/fail.h"

namespace colonnade::parquet {
namespace {

// The bits of a column's rows, from bit 0; empty: all valid.
Buffer validity_of(const Context& context, const Column& column) {
  const ColumnParts& parts = column.parts();
  if (column.null_count() == 0) return {};
  if (parts.offset == 0) return parts.validity;
  MutableBuffer bits = context.memory->allocate(bits::bytes_for(parts.length));
  bits.fill_zero();
  bits::copy(parts.validity.data(), parts.offset, parts.length, bits.data(), 0);
  return std::move(bits).freeze();
}

bool same_validity(const Column& a, const Column& b) {
  if (a.null_count() != b.null_count()) return false;
  if (a.null_count() == 0) return true;
  const ColumnParts& in_a = a.parts();
  const ColumnParts& in_b = b.parts();
  for (int64_t row = 0; row < in_a.length; row += 64) {
    const int64_t n = std::min<int64_t>(64, in_a.length - row);
    if (bits::load(in_a.validity.data(), in_a.offset + row, n) !=
        bits::load(in_b.validity.data(), in_b.offset + row, n))
      return false;
  }
  return true;
}

std::span<const int32_t> offsets_of(const Column& list) {
  const ColumnParts& parts = list.parts();
  return parts.offsets.as<int32_t>().subspan(static_cast<size_t>(parts.offset),
                                             static_cast<size_t>(parts.length) + 1);
}

bool same_lengths(const Column& a, const Column& b) {
  const std::span<const int32_t> in_a = offsets_of(a);
  const std::span<const int32_t> in_b = offsets_of(b);
  return std::equal(in_a.begin(), in_a.end(), in_b.begin(),
                    [&](int32_t x, int32_t y) { return x - in_a[0] == y - in_b[0]; });
}

// Offsets that begin with 0.
Buffer offsets_from_zero(const Context& context, const Column& list) {
  const std::span<const int32_t> offsets = offsets_of(list);
  if (offsets[0] == 0) {
    return list.parts().offsets.slice(list.offset() * int64_t{sizeof(int32_t)},
                                      static_cast<int64_t>(offsets.size_bytes()));
  }
  MutableBuffer moved = context.memory->allocate(static_cast<int64_t>(offsets.size_bytes()));
  std::transform(offsets.begin(), offsets.end(), moved.as<int32_t>(),
                 [&](int32_t offset) { return offset - offsets[0]; });
  return std::move(moved).freeze();
}

// The rows below those of a list or struct.
ColumnPtr rows_below(const Column& column) {
  const Column& child = *column.parts().children[0];
  if (column.storage() == Storage::kStruct) return child.slice(column.offset(), column.length());
  const std::span<const int32_t> offsets = offsets_of(column);
  return child.slice(offsets.front(), offsets.back() - offsets.front());
}

ColumnPtr merge(const Context& context, const Field& field, const Shape& shape,
                std::span<const ColumnPtr> leaves) {
  if (shape.num_leaves == 1) return leaves[0];
  const Column& first = *leaves[0];
  const bool is_list = shape.kind == Shape::Kind::kList;
  std::vector<ColumnPtr> below;
  for (const ColumnPtr& leaf : leaves) {
    if (!same_validity(first, *leaf) || (is_list && !same_lengths(first, *leaf))) {
      fail(ErrorCode::kCorruptData, "leaves of one column disagree about its nulls or lengths",
           "'{}'", field.name);
    }
    below.push_back(rows_below(*leaf));
  }
  ColumnParts parts;
  parts.type = field.type;
  parts.length = first.length();
  parts.null_count = first.null_count();
  parts.validity = validity_of(context, first);
  parts.storage = first.storage();
  if (is_list) parts.offsets = offsets_from_zero(context, first);
  size_t next = 0;
  for (size_t i = 0; i < shape.children.size(); ++i) {
    const auto num_leaves = static_cast<size_t>(shape.children[i].num_leaves);
    parts.children.push_back(merge(context, field.type.fields()[i], shape.children[i],
                                   std::span(below).subspan(next, num_leaves)));
    next += num_leaves;
  }
  if (field.type.id() == TypeId::kMap && parts.children[0]->parts().children[0]->null_count() > 0) {
    fail(ErrorCode::kCorruptData, "a map has a null key", "'{}'", field.name);
  }
  return Column::make(std::move(parts));
}

}  // namespace

ColumnPtr merge_columns(const Context& context, const Field& field, const Shape& shape,
                        std::span<const ColumnPtr> leaves) {
  return merge(context, field, shape, leaves);
}

}  // namespace colonnade::parquet
