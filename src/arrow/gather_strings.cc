#include "arrow/gather_strings.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "arrow/row_blocks.h"
#include "base/bits.h"
#include "base/checked.h"
#include "base/fail.h"
#include "column/binary_view.h"

namespace colonnade::arrow {
namespace {

// Bytes that copies of whole blocks move at once.
constexpr int64_t kBlockBytes = 16;
static_assert(MutableBuffer::kPaddingBytes >= kBlockBytes);

// Where the bytes of a row of the source lie.
template <typename Offset>
struct OffsetSource {
  static constexpr bool kReadsBlocks = true;
  const Offset* offsets;  // of row 0
  const uint8_t* bytes;
  const uint8_t* readable_end;  // at or behind the end of the bytes

  int64_t length(int64_t row) const noexcept { return offsets[row + 1] - offsets[row]; }
  const uint8_t* data(int64_t row) const noexcept { return bytes + offsets[row]; }
  bool may_read(const uint8_t* data, int64_t num_bytes) const noexcept {
    return readable_end - data >= num_bytes;
  }
};

struct ViewSource {
  static constexpr bool kReadsBlocks = false;
  const BinaryView* views;  // of row 0
  const Buffer* buffers;

  int64_t length(int64_t row) const noexcept { return views[row].length; }
  // Not for a null row, whose view may name a buffer that is not there.
  const uint8_t* data(int64_t row) const noexcept {
    const BinaryView& view = views[row];
    return view.is_inline() ? reinterpret_cast<const uint8_t*>(&view) + 4
                            : buffers[view.buffer_index].data() + view.buffer_offset;
  }
};

// The row that row `i` takes its bytes from; row 0 for a null, whose id may be anything.
template <bool kHasNulls, typename Ids>
int64_t source_row(const Ids& ids, const uint8_t* validity, int64_t i) noexcept {
  if constexpr (kHasNulls) return ids[i] & -int64_t{bits::get(validity, i)};
  return ids[i];
}

// Offsets of the rows [begin, end) behind `num_bytes` of the rows before; gives the bytes of all
// rows so far, also when they are too many for Offset. The source has a row.
template <bool kHasNulls, typename Offset, typename Source, typename Ids>
int64_t size_rows(const Source& source, const Ids& ids, int64_t begin, int64_t end,
                  const uint8_t* validity, int64_t num_bytes, Offset* out) {
  for (int64_t i = begin; i < end; ++i) {
    int64_t row_bytes = source.length(source_row<kHasNulls>(ids, validity, i));
    if constexpr (kHasNulls) row_bytes &= -int64_t{bits::get(validity, i)};
    num_bytes += row_bytes;
    out[i + 1] = static_cast<Offset>(num_bytes);
  }
  return num_bytes;
}

// Values are copied in whole blocks where the source can be read so far: what is written behind a
// value is written again by the next row, and what is written behind the last one goes to the
// padding of a MutableBuffer.
template <bool kHasNulls, typename Offset, typename Source, typename Ids>
void copy_rows(const Source& source, const Ids& ids, int64_t begin, int64_t end,
               const uint8_t* validity, const Offset* offsets, uint8_t* out) {
  for (int64_t i = begin; i < end; ++i) {
    const int64_t num_bytes = offsets[i + 1] - offsets[i];
    if constexpr (!Source::kReadsBlocks) {
      if (num_bytes == 0) continue;
    }
    const uint8_t* data = source.data(source_row<kHasNulls>(ids, validity, i));
    uint8_t* to = out + offsets[i];
    if constexpr (Source::kReadsBlocks) {
      const int64_t whole_blocks = std::max(bits::round_up(num_bytes, kBlockBytes), kBlockBytes);
      if (whole_blocks <= 4 * kBlockBytes && source.may_read(data, whole_blocks)) {
        std::memcpy(to, data, kBlockBytes);
        for (int64_t done = kBlockBytes; done < num_bytes; done += kBlockBytes) {
          std::memcpy(to + done, data + done, kBlockBytes);
        }
        continue;
      }
    }
    if (num_bytes > 0) std::memcpy(to, data, static_cast<size_t>(num_bytes));
  }
}

template <bool kHasNulls, typename Offset, typename Source, typename Ids>
Buffer size_and_copy(const Context& context, const Source& source, const Ids& ids, int64_t length,
                     const uint8_t* validity, Offset* offsets) {
  int64_t num_bytes = 0;
  offsets[0] = 0;
  for_each_block(context.cancel, length, [&](int64_t begin, int64_t end) {
    num_bytes = size_rows<kHasNulls>(source, ids, begin, end, validity, num_bytes, offsets);
  });
  if (num_bytes > std::numeric_limits<Offset>::max()) {
    fail(ErrorCode::kOutOfBudget,
         "strings outgrow 32-bit offsets: ask for large_string or large_binary, or smaller batches",
         "{} bytes in {} rows", num_bytes, length);
  }
  MutableBuffer bytes = context.memory->allocate(num_bytes);
  for_each_block(context.cancel, length, [&](int64_t begin, int64_t end) {
    copy_rows<kHasNulls>(source, ids, begin, end, validity, offsets, bytes.data());
  });
  return std::move(bytes).freeze();
}

// `out` has its validity.
template <typename Offset, typename Source>
void gather(const Context& context, const Source& source, const RowSelection& rows,
            ColumnParts& out) {
  MutableBuffer offsets = context.memory->allocate(
      checked_mul(checked_add(rows.length, 1, "offsets"), int64_t{sizeof(Offset)}, "offsets"));
  std::visit(
      [&](const auto& ids) {
        const uint8_t* validity = out.validity.data();
        out.bytes = validity != nullptr ? size_and_copy<true>(context, source, ids, rows.length,
                                                              validity, offsets.as<Offset>())
                                        : size_and_copy<false>(context, source, ids, rows.length,
                                                               validity, offsets.as<Offset>());
      },
      rows.ids);
  out.offsets = std::move(offsets).freeze();
}

template <typename Offset, typename SourceOffset>
void gather_from_offsets(const Context& context, const ColumnParts& in, const RowSelection& rows,
                         ColumnParts& out) {
  const uint8_t* bytes = in.bytes.data();
  const uint8_t* readable_end = bytes + in.bytes.size();
  // The values of a small dictionary often lie so near its end that whole blocks cannot be read:
  // copied once, they have padding behind them.
  MutableBuffer padded;
  if (in.bytes.size() <= rows.length) {
    padded = context.memory->allocate(in.bytes.size());
    if (in.bytes.size() > 0)
      std::memcpy(padded.data(), bytes, static_cast<size_t>(in.bytes.size()));
    std::memset(padded.data() + padded.size(), 0, MutableBuffer::kPaddingBytes);
    bytes = padded.data();
    readable_end = bytes + padded.size() + MutableBuffer::kPaddingBytes;
  }
  const SourceOffset* offsets = in.offsets.as<SourceOffset>().data() + in.offset;
  gather<Offset>(context, OffsetSource<SourceOffset>{offsets, bytes, readable_end}, rows, out);
}

template <typename Offset>
void gather_to(const Context& context, const ColumnParts& in, const RowSelection& rows,
               ColumnParts& out) {
  if (out.null_count == out.length) {
    // The source need not have a row.
    out.offsets =
        context.memory->allocate_zeroed((rows.length + 1) * int64_t{sizeof(Offset)}).freeze();
  } else if (in.storage == Storage::kOffsets32) {
    gather_from_offsets<Offset, int32_t>(context, in, rows, out);
  } else if (in.storage == Storage::kOffsets64) {
    gather_from_offsets<Offset, int64_t>(context, in, rows, out);
  } else {
    gather<Offset>(
        context, ViewSource{in.values.as<BinaryView>().data() + in.offset, in.view_buffers.data()},
        rows, out);
  }
}

}  // namespace

ColumnPtr gather_strings(const Context& context, const Column& source, const RowSelection& rows,
                         Storage storage) {
  GatheredValidity validity = gather_validity(context, source, rows);
  ColumnParts out;
  out.type = source.type();
  out.storage = storage;
  out.length = rows.length;
  out.null_count = validity.null_count;
  out.validity = std::move(validity.bits);
  if (storage == Storage::kOffsets32) {
    gather_to<int32_t>(context, source.parts(), rows, out);
  } else {
    gather_to<int64_t>(context, source.parts(), rows, out);
  }
  return Column::make(std::move(out));
}

}  // namespace colonnade::arrow
