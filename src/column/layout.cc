#include "column/layout.h"

#include <limits>

#include "base/bits.h"
#include "base/fail.h"
#include "column/binary_view.h"

namespace colonnade {
namespace {

int64_t scaled(int64_t rows, int64_t per_row, const char* what) {
  int64_t product;
  if (__builtin_mul_overflow(rows, per_row, &product))
    fail(ErrorCode::kInvalidArgument, "a column of too many rows", "{}: {} * {}", what, rows,
         per_row);
  return product;
}

// `alignment` in bytes: what Buffer::as<T>() asks of the values that lie in the buffer.
void check_buffer(const ColumnParts& parts, const Buffer& buffer, int64_t needed_bytes,
                  int64_t alignment, const char* what) {
  if (reinterpret_cast<uintptr_t>(buffer.data()) % static_cast<uintptr_t>(alignment) != 0) {
    fail(ErrorCode::kInvalidArgument, "buffer of a column is not aligned for its values",
         "{} of {}: multiples of {} bytes needed", what, parts.type.to_string(), alignment);
  }
  if (buffer.size() < needed_bytes) {
    fail(ErrorCode::kInvalidArgument, "buffer of a column is too small",
         "{} of {}: {} bytes, {} needed for offset {} and length {}", what, parts.type.to_string(),
         buffer.size(), needed_bytes, parts.offset, parts.length);
  }
}

void check_child(const ColumnParts& parts, size_t index, int64_t needed_rows) {
  const Field& field = parts.type.fields()[index];
  const ColumnPtr& child = parts.children[index];
  if (!child) {
    fail(ErrorCode::kInvalidArgument, "child of a column is missing", "{} of {}", field.name,
         parts.type.to_string());
  }
  if (!(child->type() == field.type)) {
    fail(ErrorCode::kInvalidArgument, "child of a column has another type than its field",
         "{}: {}, field: {}", field.name, child->type().to_string(), field.type.to_string());
  }
  if (child->length() < needed_rows) {
    fail(ErrorCode::kInvalidArgument, "child of a column is too short", "{}: {} rows, {} needed",
         field.name, child->length(), needed_rows);
  }
}

void check_flat(const ColumnParts& parts, int64_t rows) {
  const size_t num_children = parts.type.fields().size();
  if (parts.children.size() != num_children) {
    fail(ErrorCode::kInvalidArgument, "number of children differs from the type's",
         "{}: {} children", parts.type.to_string(), parts.children.size());
  }
  if (parts.dictionary) {
    fail(ErrorCode::kInvalidArgument, "flat column with a dictionary", "{}",
         parts.type.to_string());
  }
  switch (parts.storage) {
    case Storage::kNone:
      break;
    case Storage::kBits:
      check_buffer(parts, parts.values, bits::bytes_for(rows), 1, "values");
      break;
    case Storage::kFixed:
      check_buffer(parts, parts.values, scaled(rows, parts.byte_width, "values"),
                   value_alignment(parts.type, parts.byte_width), "values");
      break;
    case Storage::kViews:
      check_buffer(parts, parts.values, scaled(rows, sizeof(BinaryView), "views"), 4, "views");
      break;
    case Storage::kOffsets32:
    case Storage::kOffsets64:
    case Storage::kList32:
    case Storage::kList64:
      check_buffer(parts, parts.offsets, scaled(rows + 1, offset_width(parts.storage), "offsets"),
                   offset_width(parts.storage), "offsets");
      if (num_children == 1) check_child(parts, 0, 0);
      break;
    case Storage::kFixedSizeList:
      check_child(parts, 0, scaled(rows, parts.type.list_size(), "list elements"));
      break;
    case Storage::kStruct:
      for (size_t i = 0; i < num_children; ++i) check_child(parts, i, rows);
      break;
  }
}

void check_encoded(const ColumnParts& parts, int64_t rows) {
  if (!parts.dictionary) {
    fail(ErrorCode::kInvalidArgument, "encoded column without a dictionary", "{}",
         parts.type.to_string());
  }
  const Column& values = *parts.dictionary->values;
  if (!(values.type() == parts.type) || values.storage() != parts.storage ||
      values.byte_width() != parts.byte_width) {
    fail(ErrorCode::kInvalidArgument, "dictionary of another type or storage than the column",
         "dictionary: {}, column: {}", values.type().to_string(), parts.type.to_string());
  }
  if (parts.encoding == Encoding::kConstant) {
    if (values.length() != 1 || parts.offset != 0 || !parts.validity.empty()) {
      fail(ErrorCode::kInvalidArgument,
           "constant column with an offset, a validity or more than one value",
           "{} values, offset {}", values.length(), parts.offset);
    }
    return;
  }
  if (values.null_count() != 0) {
    fail(ErrorCode::kInvalidArgument, "nulls among the values of a dictionary", "{} of {}",
         values.null_count(), values.length());
  }
  check_buffer(parts, parts.values, scaled(rows, sizeof(int32_t), "ids"), 4, "ids");
}

}  // namespace

Storage default_storage(const DataType& type) noexcept {
  switch (type.id()) {
    case TypeId::kNull:
      return Storage::kNone;
    case TypeId::kBool:
      return Storage::kBits;
    case TypeId::kString:
    case TypeId::kBinary:
      return Storage::kOffsets32;
    case TypeId::kList:
    case TypeId::kMap:
      return Storage::kList32;
    case TypeId::kFixedSizeList:
      return Storage::kFixedSizeList;
    case TypeId::kStruct:
      return Storage::kStruct;
    case TypeId::kInt8:
    case TypeId::kInt16:
    case TypeId::kInt32:
    case TypeId::kInt64:
    case TypeId::kUInt8:
    case TypeId::kUInt16:
    case TypeId::kUInt32:
    case TypeId::kUInt64:
    case TypeId::kFloat16:
    case TypeId::kFloat32:
    case TypeId::kFloat64:
    case TypeId::kDecimal:
    case TypeId::kDate32:
    case TypeId::kDate64:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
    case TypeId::kIntervalMonths:
    case TypeId::kIntervalDayTime:
    case TypeId::kIntervalMonthDayNano:
    case TypeId::kFixedBinary:
      return Storage::kFixed;
  }
  return Storage::kNone;
}

int64_t value_alignment(const DataType& type, int32_t byte_width) noexcept {
  if (type.id() == TypeId::kFixedBinary) return 1;
  return byte_width < 8 ? byte_width : 8;
}

bool storage_fits(const DataType& type, Storage storage, int32_t byte_width) noexcept {
  const Storage usual = default_storage(type);
  if (usual == Storage::kFixed) {
    if (storage != Storage::kFixed) return false;
    if (type.id() != TypeId::kDecimal) return byte_width == type.storage_width();
    return byte_width >= type.storage_width() &&
           (byte_width == 4 || byte_width == 8 || byte_width == 16 || byte_width == 32);
  }
  if (storage == usual) return true;
  if (usual == Storage::kOffsets32) {
    return storage == Storage::kOffsets64 || storage == Storage::kViews;
  }
  return usual == Storage::kList32 && storage == Storage::kList64;
}

void check_layout(const ColumnParts& parts) {
  if (parts.length < 0 || parts.offset < 0) {
    fail(ErrorCode::kInvalidArgument, "negative length or offset of a column",
         "length {}, offset {}", parts.length, parts.offset);
  }
  if (parts.length >= std::numeric_limits<int64_t>::max() - parts.offset) {
    fail(ErrorCode::kInvalidArgument, "a column of too many rows", "offset {}, length {}",
         parts.offset, parts.length);
  }
  const int64_t rows = parts.offset + parts.length;
  if (!storage_fits(parts.type, parts.storage, parts.byte_width)) {
    fail(ErrorCode::kInvalidArgument, "storage does not fit the type",
         "{}: storage {}, {} bytes per value", parts.type.to_string(),
         static_cast<int>(parts.storage), parts.byte_width);
  }
  if (parts.null_count < -1 || parts.null_count > parts.length) {
    fail(ErrorCode::kInvalidArgument, "null count outside the rows of a column", "{} of {}",
         parts.null_count, parts.length);
  }
  if (!parts.validity.empty()) {
    if (parts.storage == Storage::kNone) {
      fail(ErrorCode::kInvalidArgument, "null column with a validity buffer");
    }
    check_buffer(parts, parts.validity, bits::bytes_for(rows), 1, "validity");
  } else if (parts.encoding != Encoding::kConstant && parts.storage != Storage::kNone &&
             parts.null_count > 0) {
    fail(ErrorCode::kInvalidArgument, "null count without a validity buffer", "{} nulls",
         parts.null_count);
  }
  if (parts.encoding == Encoding::kFlat) {
    check_flat(parts, rows);
  } else {
    check_encoded(parts, rows);
  }
}

}  // namespace colonnade
