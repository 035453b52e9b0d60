#include "arrow/gather_strings.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "base/bits.h"
#include "base/checked.h"
#include "base/fail.h"
#include "column/binary_view.h"

namespace colonnade::arrow {
namespace {

// Where the bytes of a row of the source lie.
template <typename Offset>
struct OffsetSource {
  const Offset* offsets;  // of row 0
  const uint8_t* bytes;
  const uint8_t* bytes_end;

  int64_t length(int64_t row) const noexcept { return offsets[row + 1] - offsets[row]; }
  const uint8_t* data(int64_t row) const noexcept { return bytes + offsets[row]; }
  // Whether 16 bytes may be read at `data`.
  bool may_read_16(const uint8_t* data) const noexcept { return bytes_end - data >= 16; }
};

struct ViewSource {
  const BinaryView* views;  // of row 0
  const Buffer* buffers;

  int64_t length(int64_t row) const noexcept { return views[row].length; }
  const uint8_t* data(int64_t row) const noexcept {
    const BinaryView& view = views[row];
    return view.is_inline() ? reinterpret_cast<const uint8_t*>(&view) + 4
                            : buffers[view.buffer_index].data() + view.buffer_offset;
  }
  bool may_read_16(const uint8_t*) const noexcept { return false; }
};

// Offsets into `out`, whose first is 0; gives the bytes of all rows, also when they are too many
// for Offset.
template <typename Offset, typename Source, typename Ids>
int64_t size_rows(const Source& source, Ids ids, int64_t length, const uint8_t* validity,
                  Offset* out) {
  int64_t end = 0;
  out[0] = 0;
  if (validity == nullptr) {
    for (int64_t i = 0; i < length; ++i) {
      end += source.length(ids[i]);
      out[i + 1] = static_cast<Offset>(end);
    }
  } else {
    for (int64_t i = 0; i < length; ++i) {
      if (bits::get(validity, i)) end += source.length(ids[i]);
      out[i + 1] = static_cast<Offset>(end);
    }
  }
  return end;
}

// A short row is copied as 16 bytes whatever its length: the bytes behind it are written again by
// the next row, and the last row's go to the padding of a MutableBuffer (64 bytes).
template <typename Offset, typename Source, typename Ids>
void copy_rows(const Source& source, Ids ids, int64_t length, const uint8_t* validity,
               const Offset* offsets, uint8_t* out) {
  static_assert(MutableBuffer::kPaddingBytes >= 16);
  for (int64_t i = 0; i < length; ++i) {
    const auto num_bytes = static_cast<size_t>(offsets[i + 1] - offsets[i]);
    if (validity != nullptr && !bits::get(validity, i)) continue;
    const uint8_t* data = source.data(ids[i]);
    if (num_bytes <= 16 && source.may_read_16(data)) {
      std::memcpy(out + offsets[i], data, 16);
    } else if (num_bytes > 0) {
      std::memcpy(out + offsets[i], data, num_bytes);
    }
  }
}

template <typename Offset, typename Source>
void gather(const Context& context, const Source& source, const RowSelection& rows,
            ColumnParts& out) {
  const uint8_t* validity = out.validity.empty() ? nullptr : out.validity.data();
  MutableBuffer offsets = context.memory->allocate(
      checked_mul(checked_add(rows.length, 1, "offsets"), int64_t{sizeof(Offset)}, "offsets"));
  std::visit(
      [&](const auto& ids) {
        const int64_t num_bytes =
            size_rows(source, ids, rows.length, validity, offsets.as<Offset>());
        if (num_bytes > std::numeric_limits<Offset>::max()) {
          fail(ErrorCode::kOutOfBudget,
               "strings outgrow 32-bit offsets: ask for large_string or large_binary, or smaller "
               "batches",
               "{} bytes in {} rows", num_bytes, rows.length);
        }
        MutableBuffer bytes = context.memory->allocate(num_bytes);
        copy_rows(source, ids, rows.length, validity, offsets.as<Offset>(), bytes.data());
        out.bytes = std::move(bytes).freeze();
      },
      rows.ids);
  out.offsets = std::move(offsets).freeze();
}

template <typename Offset>
void gather_to(const Context& context, const ColumnParts& in, const RowSelection& rows,
               ColumnParts& out) {
  const uint8_t* bytes_end = in.bytes.data() + in.bytes.size();
  if (in.storage == Storage::kOffsets32) {
    gather<Offset>(context,
                   OffsetSource<int32_t>{in.offsets.as<int32_t>().data() + in.offset,
                                         in.bytes.data(), bytes_end},
                   rows, out);
  } else if (in.storage == Storage::kOffsets64) {
    gather<Offset>(context,
                   OffsetSource<int64_t>{in.offsets.as<int64_t>().data() + in.offset,
                                         in.bytes.data(), bytes_end},
                   rows, out);
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
