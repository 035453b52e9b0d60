#include "arrow/row_selection.h"

#include "arrow/row_blocks.h"
#include "base/bits.h"

namespace colonnade::arrow {

RowSelection RowSelection::of_encoded(const Column& column) noexcept {
  const ColumnParts& parts = column.parts();
  RowSelection rows{FirstRow{}, parts.length};
  if (parts.encoding == Encoding::kDictionary) {
    rows.ids = Ids32{parts.values.as<int32_t>().data() + parts.offset};
    if (column.null_count() > 0) {
      rows.validity = parts.validity.data();
      rows.validity_offset = parts.offset;
    }
  }
  return rows;
}

Buffer rebased_bits(const Context& context, const Buffer& bits, int64_t offset, int64_t length) {
  if (bits.empty()) return {};
  if (offset % 8 == 0) return bits.slice(offset / 8, bits::bytes_for(length));
  MutableBuffer rebased = context.memory->allocate_zeroed(bits::bytes_for(length));
  bits::copy(bits.data(), offset, length, rebased.data(), 0);
  return std::move(rebased).freeze();
}

GatheredValidity gather_validity(const Context& context, const Column& source,
                                 const RowSelection& rows) {
  GatheredValidity result;
  const bool source_has_nulls = source.null_count() > 0;
  if (rows.validity == nullptr && !source_has_nulls) return result;
  MutableBuffer bits = context.memory->allocate_zeroed(bits::bytes_for(rows.length));
  if (!source_has_nulls) {
    bits::copy(rows.validity, rows.validity_offset, rows.length, bits.data(), 0);
  } else {
    std::visit(
        [&](const auto& ids) {
          for_each_block(context.cancel, rows.length, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
              const bool selected =
                  rows.validity == nullptr || bits::get(rows.validity, rows.validity_offset + i);
              if (selected && source.is_valid(ids[i])) bits::set(bits.data(), i);
            }
          });
        },
        rows.ids);
  }
  result.null_count = rows.length - bits::count(bits.data(), 0, rows.length);
  if (result.null_count > 0) result.bits = std::move(bits).freeze();
  return result;
}

}  // namespace colonnade::arrow
