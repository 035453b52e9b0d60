#include "arrow/import_array.h"

#include <cstring>
#include <limits>

#include "arrow/column_path.h"
#include "arrow/format.h"
#include "base/bits.h"
#include "base/fail.h"
#include "column/binary_view.h"
#include "column/layout.h"

namespace colonnade::arrow {
namespace {

// Rows that the buffers must hold; check_counts made sure that it does not overflow. Without rows
// the offset says nothing, and producers leave out what it would skip.
int64_t rows_of(const ArrowArray& array) noexcept {
  return array.length == 0 ? 0 : array.offset + array.length;
}

int64_t bytes_for_rows(int64_t rows, int64_t width, const char* what) {
  int64_t bytes;
  if (__builtin_mul_overflow(rows, width, &bytes)) {
    fail(ErrorCode::kCorruptData, "Arrow array is too long", "{}: {} rows of {} bytes", what, rows,
         width);
  }
  return bytes;
}

template <typename Offset>
void import_offsets(const ImportScope& scope, const ArrowArray& array, ColumnParts& parts) {
  // Producers may leave out the one offset of an array without rows.
  if (array.length == 0) return;
  const int64_t num_bytes = bytes_for_rows(rows_of(array) + 1, sizeof(Offset), "offsets");
  parts.offsets = import_buffer(scope, array, 1, num_bytes, alignof(Offset), "offsets");
}

// First and last offset of the rows in use, checked against each other.
std::pair<int64_t, int64_t> checked_range(const ColumnParts& parts) {
  int64_t first = 0;
  int64_t last = 0;
  if (parts.length > 0) {
    const auto begin = static_cast<size_t>(parts.offset);
    const auto end = static_cast<size_t>(parts.offset + parts.length);
    const bool wide = offset_width(parts.storage) == 8;
    first = wide ? parts.offsets.as<int64_t>()[begin] : parts.offsets.as<int32_t>()[begin];
    last = wide ? parts.offsets.as<int64_t>()[end] : parts.offsets.as<int32_t>()[end];
  }
  if (first < 0 || last < first) {
    fail(ErrorCode::kCorruptData, "offsets of an Arrow array are negative or decrease",
         "first {}, last {}", first, last);
  }
  return {first, last};
}

void import_strings(const ImportScope& scope, const ArrowArray& array, ColumnParts& parts) {
  check_counts(array, 3, 0);
  if (parts.storage == Storage::kOffsets64) {
    import_offsets<int64_t>(scope, array, parts);
  } else {
    import_offsets<int32_t>(scope, array, parts);
  }
  parts.bytes = import_buffer(scope, array, 2, checked_range(parts).second, 1, "bytes");
}

void import_views(const ImportScope& scope, const ArrowArray& array, ColumnParts& parts) {
  check_counts(array, -1, 0);
  // validity, views, data buffers, sizes of the data buffers
  const int64_t num_data_buffers = array.n_buffers - 3;
  if (num_data_buffers < 0) {
    // Without data buffers some producers leave out their sizes too.
    if (array.n_buffers != 2) {
      fail(ErrorCode::kCorruptData, "wrong number of buffers of an Arrow array", "{}",
           array.n_buffers);
    }
  }
  parts.values = import_buffer(
      scope, array, 1, bytes_for_rows(rows_of(array), sizeof(BinaryView), "views"), 4, "views");
  if (num_data_buffers <= 0) return;
  const Buffer sizes = import_buffer(scope, array, array.n_buffers - 1, num_data_buffers * 8, 8,
                                     "sizes of view buffers");
  for (int64_t i = 0; i < num_data_buffers; ++i) {
    const int64_t size = sizes.as<int64_t>()[static_cast<size_t>(i)];
    if (size < 0)
      fail(ErrorCode::kCorruptData, "negative size of a view buffer", "buffer {}: {} bytes", i,
           size);
    parts.view_buffers.push_back(import_buffer(scope, array, 2 + i, size, 1, "view buffer"));
  }
}

// Children `rows` long at least.
void import_children(const ImportScope& scope, const Field& field, const ArrowArray& array,
                     int64_t rows, ColumnParts& parts) {
  const std::vector<Field>& fields = field.type.fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    ColumnPtr child = at_column(fields[i].name,
                                [&] { return import_array(scope, fields[i], *array.children[i]); });
    if (child->length() < rows) {
      fail(ErrorCode::kCorruptData, "child of an Arrow array is too short",
           "'{}': {} rows, {} needed", fields[i].name, child->length(), rows);
    }
    parts.children.push_back(std::move(child));
  }
}

void import_lists(const ImportScope& scope, const Field& field, const ArrowArray& array,
                  ColumnParts& parts) {
  check_counts(array, 2, 1);
  if (parts.storage == Storage::kList64) {
    import_offsets<int64_t>(scope, array, parts);
  } else {
    import_offsets<int32_t>(scope, array, parts);
  }
  import_children(scope, field, array, checked_range(parts).second, parts);
}

// The buffers and children of a flat array, which lies as the field's form says.
void import_flat(const ImportScope& scope, const Field& field, const ArrowArray& array,
                 ColumnParts& parts) {
  switch (parts.storage) {
    case Storage::kNone:
      // None in the format; Polars gives the validity that other types have.
      check_counts(array, array.n_buffers == 1 ? 1 : 0, 0);
      return;
    case Storage::kBits:
      check_counts(array, 2, 0);
      parts.values = import_buffer(scope, array, 1, bits::bytes_for(rows_of(array)), 1, "values");
      break;
    case Storage::kFixed: {
      check_counts(array, 2, 0);
      const int64_t num_bytes = bytes_for_rows(rows_of(array), parts.byte_width, "values");
      parts.values = import_buffer(scope, array, 1, num_bytes,
                                   value_alignment(parts.type, parts.byte_width), "values");
      break;
    }
    case Storage::kOffsets32:
    case Storage::kOffsets64:
      import_strings(scope, array, parts);
      break;
    case Storage::kViews:
      import_views(scope, array, parts);
      break;
    case Storage::kList32:
    case Storage::kList64:
      import_lists(scope, field, array, parts);
      break;
    case Storage::kFixedSizeList:
      check_counts(array, 1, 1);
      import_children(scope, field, array,
                      bytes_for_rows(rows_of(array), parts.type.list_size(), "list elements"),
                      parts);
      break;
    case Storage::kStruct:
      check_counts(array, 1, static_cast<int64_t>(parts.type.fields().size()));
      import_children(scope, field, array, rows_of(array), parts);
      break;
  }
  parts.validity = import_validity(scope, array);
}

}  // namespace

void check_counts(const ArrowArray& array, int64_t num_buffers, int64_t num_children) {
  int64_t rows;
  if (array.length < 0 || array.offset < 0 ||
      __builtin_add_overflow(array.length, array.offset, &rows) ||
      rows == std::numeric_limits<int64_t>::max()) {
    fail(ErrorCode::kCorruptData, "length or offset of an Arrow array is negative or too large",
         "length {}, offset {}", array.length, array.offset);
  }
  if (array.null_count < -1 || array.null_count > array.length) {
    fail(ErrorCode::kCorruptData, "null count of an Arrow array is not among its rows", "{} of {}",
         array.null_count, array.length);
  }
  const bool right_number =
      num_buffers >= 0 ? array.n_buffers == num_buffers : array.n_buffers >= 2;
  if (!right_number || (array.n_buffers > 0 && array.buffers == nullptr)) {
    fail(ErrorCode::kCorruptData, "wrong number of buffers of an Arrow array",
         "{} buffers, expected {}", array.buffers == nullptr ? 0 : array.n_buffers, num_buffers);
  }
  if (array.n_children != num_children || (num_children > 0 && array.children == nullptr)) {
    fail(ErrorCode::kCorruptData, "wrong number of children of an Arrow array",
         "{} children, expected {}", array.children == nullptr ? 0 : array.n_children,
         num_children);
  }
  for (int64_t i = 0; i < num_children; ++i) {
    if (array.children[i] == nullptr || array.children[i]->release == nullptr) {
      fail(ErrorCode::kCorruptData, "child of an Arrow array is missing or released", "child {}",
           i);
    }
  }
}

Buffer import_buffer(const ImportScope& scope, const ArrowArray& array, int64_t index,
                     int64_t size_bytes, int64_t alignment, const char* what) {
  const void* data = array.buffers[index];
  if (data == nullptr) {
    if (size_bytes > 0) {
      fail(ErrorCode::kCorruptData, "buffer of an Arrow array is missing", "{}: {} bytes", what,
           size_bytes);
    }
    return {};
  }
  if (reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(alignment) != 0) {
    MutableBuffer copy = scope.context.memory->allocate(size_bytes);
    if (size_bytes > 0) std::memcpy(copy.data(), data, static_cast<size_t>(size_bytes));
    return std::move(copy).freeze();
  }
  return Buffer::wrap(data, size_bytes, scope.owner);
}

Buffer import_validity(const ImportScope& scope, const ArrowArray& array) {
  if (array.buffers[0] == nullptr) {
    if (array.null_count > 0) {
      fail(ErrorCode::kCorruptData, "Arrow array has nulls but no validity buffer", "{} nulls",
           array.null_count);
    }
    return {};
  }
  const auto* bits = static_cast<const uint8_t*>(array.buffers[0]);
  if (scope.validation == Validation::kFull && array.null_count >= 0) {
    const int64_t nulls = array.length - bits::count(bits, array.offset, array.length);
    if (nulls != array.null_count) {
      fail(ErrorCode::kCorruptData, "null count of an Arrow array differs from its validity",
           "{}, counted {}", array.null_count, nulls);
    }
  }
  if (array.null_count == 0 || array.length == 0) return {};
  return import_buffer(scope, array, 0, bits::bytes_for(rows_of(array)), 1, "validity");
}

ColumnPtr import_array(const ImportScope& scope, const Field& field, const ArrowArray& array) {
  if (field.import_encoding.run_ends) return import_run_ends(scope, field, array);
  if (field.dictionary) return import_dictionary(scope, field, array);
  if (array.dictionary != nullptr) {
    fail(ErrorCode::kCorruptData, "Arrow array has a dictionary but its field has none", "'{}'",
         field.name);
  }
  const Layout layout = layout_of(field);
  ColumnParts parts;
  parts.type = field.type;
  parts.storage = layout.storage;
  parts.byte_width = layout.byte_width;
  parts.length = array.length;
  parts.offset = array.length == 0 || layout.storage == Storage::kNone ? 0 : array.offset;
  import_flat(scope, field, array, parts);
  // A null count that is wrong would size buffers later: it is counted anew where it matters.
  if (parts.validity.empty() && parts.storage != Storage::kNone) parts.null_count = 0;
  return Column::make(std::move(parts));
}

}  // namespace colonnade::arrow
