#include "arrow/string_storage.h"

#include <algorithm>
#include <limits>

#include "arrow/gather_strings.h"
#include "arrow/row_blocks.h"
#include "arrow/row_selection.h"
#include "base/bits.h"
#include "base/checked.h"
#include "base/fail.h"
#include "column/binary_view.h"
#include "column/layout.h"

namespace colonnade::arrow {
namespace {

constexpr int64_t kMaxInt32 = std::numeric_limits<int32_t>::max();

template <typename From, typename To>
void rebase(const CancelToken& cancel, const ColumnParts& parts, To* out) {
  const From* offsets = parts.offsets.as<From>().data() + parts.offset;
  for_each_block(cancel, parts.length + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) out[i] = static_cast<To>(offsets[i] - offsets[0]);
  });
}

// Cuts the bytes into view buffers of less than 2 GiB, at the borders of rows, and writes the
// views.
template <typename Offset>
std::vector<Buffer> make_views(const CancelToken& cancel, const Column& column, BinaryView* views) {
  const ColumnParts& parts = column.parts();
  const Offset* offsets = parts.offsets.as<Offset>().data() + parts.offset;
  std::vector<Buffer> buffers;
  int64_t buffer_begin = 0;  // of the last view buffer, in parts.bytes
  int64_t buffer_end = 0;
  const auto view_of = [&](int64_t row) {
    const int64_t begin = offsets[row];
    const int64_t length = offsets[row + 1] - begin;
    const uint8_t* data = parts.bytes.data() + begin;
    if (length <= BinaryView::kInlineBytes) {
      return BinaryView::of_inline(data, static_cast<int32_t>(length));
    }
    if (length > kMaxInt32) {
      fail(ErrorCode::kOutOfBudget,
           "a value is longer than a view can tell: ask for large_string or large_binary",
           "row {}: {} bytes", row, length);
    }
    if (begin < buffer_begin || begin + length > buffer_end) {
      buffer_begin = begin;
      buffer_end = std::min(begin + kMaxInt32, parts.bytes.size());
      buffers.push_back(parts.bytes.slice(buffer_begin, buffer_end - buffer_begin));
    }
    return BinaryView::of_reference(data, static_cast<int32_t>(length),
                                    static_cast<int32_t>(buffers.size() - 1),
                                    static_cast<int32_t>(begin - buffer_begin));
  };
  for_each_block(cancel, parts.length, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      views[row] = column.is_valid(row) ? view_of(row) : BinaryView{};
    }
  });
  return buffers;
}

}  // namespace

std::pair<int64_t, int64_t> spanned_range(const ColumnParts& parts) noexcept {
  const auto begin = static_cast<size_t>(parts.offset);
  const auto end = static_cast<size_t>(parts.offset + parts.length);
  if (offset_width(parts.storage) == 8) {
    return {parts.offsets.as<int64_t>()[begin], parts.offsets.as<int64_t>()[end]};
  }
  return {parts.offsets.as<int32_t>()[begin], parts.offsets.as<int32_t>()[end]};
}

Buffer rebased_offsets(const Context& context, const ColumnParts& parts, Storage storage,
                       const char* large_form) {
  const auto [begin, end] = spanned_range(parts);
  const int64_t to_width = offset_width(storage);
  if (to_width == 4 && end - begin > kMaxInt32) {
    fail(ErrorCode::kOutOfBudget, "a column outgrows 32-bit offsets",
         "{} bytes or elements: ask for {}, or smaller batches", end - begin, large_form);
  }
  MutableBuffer out = context.memory->allocate(
      checked_mul(checked_add(parts.length, 1, "offsets"), to_width, "offsets"));
  const bool from_64 = offset_width(parts.storage) == 8;
  if (from_64 && to_width == 8) {
    rebase<int64_t>(context.cancel, parts, out.as<int64_t>());
  } else if (from_64) {
    rebase<int64_t>(context.cancel, parts, out.as<int32_t>());
  } else if (to_width == 8) {
    rebase<int32_t>(context.cancel, parts, out.as<int64_t>());
  } else {
    rebase<int32_t>(context.cancel, parts, out.as<int32_t>());
  }
  return std::move(out).freeze();
}

ColumnPtr change_string_storage(const Context& context, const Column& column, Storage storage) {
  const ColumnParts& in = column.parts();
  if (in.storage == Storage::kViews) {
    return gather_strings(context, column, RowSelection{EveryRow{}, in.length}, storage);
  }
  ColumnParts out;
  out.type = in.type;
  out.storage = storage;
  out.length = in.length;
  out.null_count = column.null_count();
  if (out.null_count > 0) out.validity = rebased_bits(context, in.validity, in.offset, in.length);
  if (storage == Storage::kViews) {
    MutableBuffer views =
        context.memory->allocate(checked_mul(in.length, sizeof(BinaryView), "views"));
    out.view_buffers = in.storage == Storage::kOffsets32
                           ? make_views<int32_t>(context.cancel, column, views.as<BinaryView>())
                           : make_views<int64_t>(context.cancel, column, views.as<BinaryView>());
    out.values = std::move(views).freeze();
  } else {
    const auto [begin, end] = spanned_range(in);
    out.offsets = rebased_offsets(context, in, storage, "large_string or large_binary");
    out.bytes = in.bytes.slice(begin, end - begin);
  }
  return Column::make(std::move(out));
}

}  // namespace colonnade::arrow
