#include "arrow/validate_values.h"

#include <cstring>
#include <span>

#include "arrow/row_blocks.h"
#include "base/fail.h"
#include "base/utf8.h"
#include "column/binary_view.h"
#include "column/decimal.h"
#include "column/layout.h"

namespace colonnade::arrow {
namespace {

constexpr int64_t kSecondsPerDay = 86'400;

int64_t units_per_day(TimeUnit unit) noexcept {
  constexpr int64_t kUnitsPerSecond[] = {1, 1'000, 1'000'000, 1'000'000'000};
  return kSecondsPerDay * kUnitsPerSecond[static_cast<size_t>(unit)];
}

void check_utf8(const uint8_t* data, int64_t length, int64_t row) {
  const auto num_bytes = static_cast<size_t>(length);
  const size_t invalid = utf8::first_invalid({data, num_bytes});
  if (invalid != num_bytes) {
    fail(ErrorCode::kCorruptData, "string is not UTF-8", "byte {} of row {}", invalid, row);
  }
}

// Calls check(row) for the valid rows.
template <typename Check>
void for_each_valid_row(const CancelToken& cancel, const Column& column, const Check& check) {
  for_each_block(cancel, column.length(), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      if (column.is_valid(row)) check(row);
    }
  });
}

template <typename T, typename Check>
void check_values(const CancelToken& cancel, const Column& column, const Check& check) {
  const ColumnParts& parts = column.parts();
  const T* values = parts.values.as<T>().data() + parts.offset;
  for_each_valid_row(cancel, column,
                     [&](int64_t row) { check(static_cast<int64_t>(values[row]), row); });
}

void check_decimals(const CancelToken& cancel, const Column& column) {
  const ColumnParts& parts = column.parts();
  const uint8_t* values = parts.values.data() + parts.offset * parts.byte_width;
  for_each_valid_row(cancel, column, [&](int64_t row) {
    const Decimal256 value = Decimal256::load(values + row * parts.byte_width, parts.byte_width);
    if (!value.fits_precision(parts.type.precision())) {
      fail(ErrorCode::kCorruptData, "decimal has more digits than its type",
           "row {}: unscaled {}, {}", row, value.to_string(0), parts.type.to_string());
    }
  });
}

template <typename Offset>
void check_offsets(const CancelToken& cancel, const ColumnParts& parts, int64_t limit) {
  const Offset* offsets = parts.offsets.as<Offset>().data() + parts.offset;
  int64_t previous = 0;
  for_each_block(cancel, parts.length + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t offset = offsets[i];
      if (offset < previous || offset > limit) {
        fail(ErrorCode::kCorruptData,
             "offset of a column decreases or is outside what it points into",
             "offset {} is {} after {}, {} bytes or elements", i, offset, previous, limit);
      }
      previous = offset;
    }
  });
}

template <typename Offset>
void check_strings(const CancelToken& cancel, const Column& column) {
  const ColumnParts& parts = column.parts();
  const Offset* offsets = parts.offsets.as<Offset>().data() + parts.offset;
  for_each_valid_row(cancel, column, [&](int64_t row) {
    check_utf8(parts.bytes.data() + offsets[row], offsets[row + 1] - offsets[row], row);
  });
}

void check_inline(const BinaryView& view, int64_t row) {
  const uint8_t* data = reinterpret_cast<const uint8_t*>(&view) + 4;
  for (int32_t i = view.length; i < BinaryView::kInlineBytes; ++i) {
    if (data[i] != 0) {
      fail(ErrorCode::kCorruptData, "view holds bytes behind its inline value",
           "row {}: byte {} of a value of {}", row, i, view.length);
    }
  }
}

void check_reference(const BinaryView& view, const std::vector<Buffer>& buffers, int64_t row) {
  if (view.buffer_index < 0 || static_cast<size_t>(view.buffer_index) >= buffers.size()) {
    fail(ErrorCode::kCorruptData, "view names a buffer that the column has not",
         "row {}: buffer {} of {}", row, view.buffer_index, buffers.size());
  }
  const Buffer& buffer = buffers[static_cast<size_t>(view.buffer_index)];
  if (view.buffer_offset < 0 || int64_t{view.buffer_offset} + view.length > buffer.size()) {
    fail(ErrorCode::kCorruptData, "view reaches beyond its buffer", "row {}: {} bytes at {} of {}",
         row, view.length, view.buffer_offset, buffer.size());
  }
  if (std::memcmp(buffer.data() + view.buffer_offset, view.prefix, sizeof(view.prefix)) != 0) {
    fail(ErrorCode::kCorruptData, "prefix of a view differs from its value", "row {}", row);
  }
}

}  // namespace

void validate_fixed(const CancelToken& cancel, const Column& column) {
  const DataType& type = column.type();
  if (type.id() == TypeId::kDecimal) {
    check_decimals(cancel, column);
  } else if (type.id() == TypeId::kDate64) {
    check_values<int64_t>(cancel, column, [](int64_t milliseconds, int64_t row) {
      if (milliseconds % (kSecondsPerDay * 1'000) != 0) {
        fail(ErrorCode::kCorruptData, "date in milliseconds is not a whole number of days",
             "row {}: {}", row, milliseconds);
      }
    });
  } else if (type.id() == TypeId::kTime) {
    const auto check = [limit = units_per_day(type.unit())](int64_t time, int64_t row) {
      if (time < 0 || time >= limit) {
        fail(ErrorCode::kCorruptData, "time is not within a day", "row {}: {}", row, time);
      }
    };
    if (column.byte_width() == 4) {
      check_values<int32_t>(cancel, column, check);
    } else {
      check_values<int64_t>(cancel, column, check);
    }
  }
}

void validate_offsets(const CancelToken& cancel, const ColumnParts& parts, int64_t limit) {
  if (offset_width(parts.storage) == 8) {
    check_offsets<int64_t>(cancel, parts, limit);
  } else {
    check_offsets<int32_t>(cancel, parts, limit);
  }
}

void validate_strings(const CancelToken& cancel, const Column& column) {
  if (column.type().id() != TypeId::kString) return;
  if (column.storage() == Storage::kOffsets64) {
    check_strings<int64_t>(cancel, column);
  } else {
    check_strings<int32_t>(cancel, column);
  }
}

void validate_views(const CancelToken& cancel, const Column& column) {
  const ColumnParts& parts = column.parts();
  const BinaryView* views = parts.values.as<BinaryView>().data() + parts.offset;
  for_each_valid_row(cancel, column, [&](int64_t row) {
    const BinaryView& view = views[row];
    if (view.length < 0) {
      fail(ErrorCode::kCorruptData, "negative length of a view", "row {}: {}", row, view.length);
    }
    if (view.is_inline()) {
      check_inline(view, row);
    } else {
      check_reference(view, parts.view_buffers, row);
    }
    if (parts.type.id() == TypeId::kString) {
      const std::string_view bytes = view.bytes(parts.view_buffers);
      check_utf8(reinterpret_cast<const uint8_t*>(bytes.data()), view.length, row);
    }
  });
}

}  // namespace colonnade::arrow
