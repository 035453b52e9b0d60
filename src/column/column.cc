#include <colonnade/column.h>

#include <algorithm>
#include <cstring>

#include "base/bits.h"
#include "base/fail.h"
#include "column/binary_view.h"
#include "column/layout.h"

namespace colonnade {
namespace {

// Zeroes that live as long as the process: the buffers of null and empty values.
alignas(64) constexpr uint8_t kZeroes[256] = {};

Buffer zeroes(int64_t size_bytes) {
  if (size_bytes <= static_cast<int64_t>(sizeof(kZeroes))) {
    return Buffer::wrap(kZeroes, size_bytes, nullptr);
  }
  auto bytes = std::make_shared<const std::vector<uint8_t>>(static_cast<size_t>(size_bytes));
  return Buffer::wrap(bytes->data(), size_bytes, bytes);
}

// A flat column of one null of `type`.
ColumnPtr one_null(const DataType& type) {
  ColumnParts parts;
  parts.type = type;
  parts.storage = default_storage(type);
  parts.length = 1;
  if (parts.storage == Storage::kNone) return Column::make(std::move(parts));
  parts.validity = zeroes(1);
  parts.null_count = 1;
  switch (parts.storage) {
    case Storage::kBits:
      parts.values = zeroes(1);
      break;
    case Storage::kFixed:
      parts.byte_width = type.storage_width();
      parts.values = zeroes(parts.byte_width);
      break;
    case Storage::kOffsets32:
    case Storage::kList32:
      parts.offsets = zeroes(2 * sizeof(int32_t));
      break;
    case Storage::kOffsets64:
    case Storage::kList64:
      parts.offsets = zeroes(2 * sizeof(int64_t));
      break;
    case Storage::kViews:
      parts.values = zeroes(sizeof(BinaryView));
      break;
    case Storage::kNone:
    case Storage::kFixedSizeList:
    case Storage::kStruct:
      break;
  }
  const int64_t child_length = parts.storage == Storage::kStruct          ? 1
                               : parts.storage == Storage::kFixedSizeList ? type.list_size()
                                                                          : 0;
  for (const Field& field : type.fields()) {
    parts.children.push_back(Column::nulls(field.type, child_length));
  }
  return Column::make(std::move(parts));
}

// Bytes of rows [begin, begin + rows) of a column, children included; `begin` counts from the start
// of the column's buffers. Broken offsets of unvalidated columns count as nothing.
int64_t bytes_of_rows(const Column& column, int64_t begin, int64_t rows) noexcept;

// The same, `begin` counted from the column's first row.
int64_t bytes_of_child_rows(const Column& child, int64_t begin, int64_t rows) noexcept {
  if (begin < 0 || rows <= 0 || begin > child.length() || rows > child.length() - begin) return 0;
  return bytes_of_rows(child, child.offset() + begin, rows);
}

template <typename Offset>
std::pair<int64_t, int64_t> offset_range(const ColumnParts& parts, int64_t begin,
                                         int64_t rows) noexcept {
  const Offset* offsets = parts.offsets.as<Offset>().data() + begin;
  const int64_t first = offsets[0];
  const int64_t last = offsets[rows];
  return {first, last < first ? 0 : last - first};
}

int64_t bytes_of_rows(const Column& column, int64_t begin, int64_t rows) noexcept {
  const ColumnParts& parts = column.parts();
  if (rows <= 0) return 0;
  if (parts.encoding == Encoding::kConstant) {
    return bytes_of_child_rows(*parts.dictionary->values, 0, 1);
  }
  int64_t bytes = parts.validity.empty() ? 0 : bits::bytes_for(rows);
  if (parts.encoding == Encoding::kDictionary) return bytes + rows * int64_t{sizeof(int32_t)};
  switch (parts.storage) {
    case Storage::kNone:
      return 0;
    case Storage::kBits:
      return bytes + bits::bytes_for(rows);
    case Storage::kFixed:
      return bytes + rows * parts.byte_width;
    case Storage::kOffsets32:
      return bytes + rows * 4 + offset_range<int32_t>(parts, begin, rows).second;
    case Storage::kOffsets64:
      return bytes + rows * 8 + offset_range<int64_t>(parts, begin, rows).second;
    case Storage::kViews: {
      const BinaryView* views = parts.values.as<BinaryView>().data() + begin;
      bytes += rows * int64_t{sizeof(BinaryView)};
      for (int64_t i = 0; i < rows; ++i) {
        if (!views[i].is_inline()) bytes += views[i].length;
      }
      return bytes;
    }
    case Storage::kList32: {
      const auto [first, length] = offset_range<int32_t>(parts, begin, rows);
      return bytes + rows * 4 + bytes_of_child_rows(*parts.children[0], first, length);
    }
    case Storage::kList64: {
      const auto [first, length] = offset_range<int64_t>(parts, begin, rows);
      return bytes + rows * 8 + bytes_of_child_rows(*parts.children[0], first, length);
    }
    case Storage::kFixedSizeList: {
      const int64_t size = parts.type.list_size();
      return bytes + bytes_of_child_rows(*parts.children[0], begin * size, rows * size);
    }
    case Storage::kStruct:
      for (const ColumnPtr& child : parts.children)
        bytes += bytes_of_child_rows(*child, begin, rows);
      return bytes;
  }
  return bytes;
}

}  // namespace

std::shared_ptr<const Dictionary> Dictionary::make(ColumnPtr values, bool unique, bool sorted) {
  static std::atomic<uint64_t> next_generation{1};
  if (!values || values->encoding() != Encoding::kFlat) {
    fail(ErrorCode::kInvalidArgument, "the values of a dictionary are not a flat column");
  }
  auto dictionary = std::make_shared<Dictionary>();
  dictionary->values = std::move(values);
  dictionary->unique = unique;
  dictionary->sorted = sorted;
  dictionary->generation = next_generation.fetch_add(1, std::memory_order_relaxed);
  return dictionary;
}

Column::Column(ColumnParts parts) : parts_(std::move(parts)), null_count_(parts_.null_count) {}

ColumnPtr Column::make(ColumnParts parts) {
  if (parts.length == 0 && parts.offset == 0 && parts.offsets.empty() &&
      parts.encoding == Encoding::kFlat && has_offsets(parts.storage)) {
    // Arrow wants one offset also in a column without rows.
    parts.offsets = zeroes(offset_width(parts.storage));
  }
  check_layout(parts);
  return std::shared_ptr<const Column>(new Column(std::move(parts)));
}

ColumnPtr Column::constant(ColumnPtr value, int64_t length) {
  if (!value || value->encoding() != Encoding::kFlat || value->length() != 1) {
    fail(ErrorCode::kInvalidArgument,
         "the value of a constant column is not a flat column of one row");
  }
  if (value->storage() == Storage::kNone) return nulls(value->type(), length);
  ColumnParts parts;
  parts.type = value->type();
  parts.storage = value->storage();
  parts.encoding = Encoding::kConstant;
  parts.byte_width = value->byte_width();
  parts.length = length;
  parts.dictionary = Dictionary::make(std::move(value), true, true);
  return make(std::move(parts));
}

ColumnPtr Column::nulls(const DataType& type, int64_t length) {
  if (type.id() != TypeId::kNull) return constant(one_null(type), length);
  ColumnParts parts;
  parts.type = type;
  parts.length = length;
  return make(std::move(parts));
}

bool Column::is_valid(int64_t row) const noexcept {
  if (parts_.encoding == Encoding::kConstant) return parts_.dictionary->values->is_valid(0);
  if (parts_.storage == Storage::kNone) return false;
  return parts_.validity.empty() || bits::get(parts_.validity.data(), parts_.offset + row);
}

int64_t Column::null_count() const noexcept {
  // Threads that count at the same time store the same number.
  int64_t count = null_count_.load(std::memory_order_relaxed);
  if (count >= 0) return count;
  if (parts_.encoding == Encoding::kConstant) {
    count = parts_.dictionary->values->is_valid(0) ? 0 : parts_.length;
  } else if (parts_.storage == Storage::kNone) {
    count = parts_.length;
  } else if (parts_.validity.empty()) {
    count = 0;
  } else {
    count = parts_.length - bits::count(parts_.validity.data(), parts_.offset, parts_.length);
  }
  null_count_.store(count, std::memory_order_relaxed);
  return count;
}

ColumnPtr Column::slice(int64_t offset, int64_t length) const {
  if (offset < 0 || length < 0 || offset > parts_.length || length > parts_.length - offset) {
    fail(ErrorCode::kInvalidArgument, "slice outside the column", "offset {}, length {}, {} rows",
         offset, length, parts_.length);
  }
  ColumnParts parts = parts_;
  parts.length = length;
  const int64_t nulls = null_count_.load(std::memory_order_relaxed);
  if (length == parts_.length) {
    parts.null_count = nulls;
  } else if (nulls != 0) {
    parts.null_count = nulls == parts_.length ? length : -1;
  } else {
    parts.null_count = 0;
  }
  const bool has_rows_in_buffers =
      parts_.encoding != Encoding::kConstant && parts_.storage != Storage::kNone;
  if (has_rows_in_buffers) parts.offset += offset;
  // The layout was checked when this column was made, and a part of it fits too.
  return std::shared_ptr<const Column>(new Column(std::move(parts)));
}

int64_t Column::slice_bytes() const noexcept {
  return bytes_of_rows(*this, parts_.offset, parts_.length);
}

}  // namespace colonnade
