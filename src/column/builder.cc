#include "column/builder.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/bits.h"
#include "base/fail.h"
#include "column/binary_view.h"
#include "column/layout.h"

namespace colonnade {
namespace {

constexpr int64_t kFirstViewBufferBytes = int64_t{32} << 10;
constexpr int64_t kMaxViewBufferBytes = int64_t{2} << 20;

uint8_t* grow(const Context& context, MutableBuffer& buffer, int64_t added_bytes) {
  const int64_t size = buffer.size();
  if (buffer.data() == nullptr) {
    buffer = context.memory->allocate(added_bytes);
  } else {
    buffer.resize(size + added_bytes);
  }
  return buffer.data() + size;
}

// Appends bit `index`; buffers grow by whole bytes whose later bits are zero.
void append_bit(const Context& context, MutableBuffer& buffer, int64_t index, bool value) {
  if (index % 8 == 0) *grow(context, buffer, 1) = 0;
  if (value) bits::set(buffer.data(), index);
}

Buffer frozen(const Context& context, MutableBuffer& buffer) {
  if (buffer.data() == nullptr) buffer = context.memory->allocate(0);
  return std::move(buffer).freeze();
}

}  // namespace

ColumnBuilder::ColumnBuilder(const Context& context, const DataType& type)
    : ColumnBuilder(context, type, default_storage(type)) {}

ColumnBuilder::ColumnBuilder(const Context& context, DataType type, Storage storage)
    : context_(context),
      type_(std::move(type)),
      storage_(storage),
      byte_width_(type_.storage_width()) {
  expect(storage_fits(type_, storage_, byte_width_), "this storage");
  if (has_offsets(storage_)) append_offset(0);
  for (const Field& field : type_.fields()) children_.emplace_back(context_, field.type);
}

ColumnBuilder ColumnBuilder::decimals(const Context& context, const DataType& type,
                                      int32_t byte_width) {
  ColumnBuilder builder(context, type);
  builder.expect(type.id() == TypeId::kDecimal && storage_fits(type, Storage::kFixed, byte_width),
                 "decimals of this width");
  builder.byte_width_ = byte_width;
  return builder;
}

void ColumnBuilder::expect(bool fits, const char* what) const {
  if (!fits) {
    fail(ErrorCode::kInvalidArgument, "a column builder's type does not take what it was given",
         "{}: {}", type_.to_string(), what);
  }
}

void ColumnBuilder::append_validity(bool valid) {
  if (!valid && null_count_ == 0) {
    validity_ = context_.memory->allocate_zeroed(bits::bytes_for(length_));
    bits::fill(validity_.data(), 0, length_, true);
  }
  if (!valid || null_count_ > 0) append_bit(context_, validity_, length_, valid);
  if (!valid) ++null_count_;
  ++length_;
}

void ColumnBuilder::append_offset(int64_t end) {
  if (offset_width(storage_) == 8) {
    std::memcpy(grow(context_, offsets_, 8), &end, 8);
    return;
  }
  if (end > std::numeric_limits<int32_t>::max()) {
    fail(ErrorCode::kOutOfBudget, "a column outgrows its 32-bit offsets",
         "{}: {} bytes or elements", type_.to_string(), end);
  }
  const auto end32 = static_cast<int32_t>(end);
  std::memcpy(grow(context_, offsets_, 4), &end32, 4);
}

// A row that is null or zero.
void ColumnBuilder::append_slot(bool valid) {
  switch (storage_) {
    case Storage::kNone:
      expect(!valid, "a value");
      ++null_count_;
      ++length_;
      return;
    case Storage::kBits:
      append_bit(context_, values_, length_, false);
      break;
    case Storage::kFixed:
      if (byte_width_ > 0) {
        std::memset(grow(context_, values_, byte_width_), 0, static_cast<size_t>(byte_width_));
      }
      break;
    case Storage::kViews:
      std::memset(grow(context_, values_, sizeof(BinaryView)), 0, sizeof(BinaryView));
      break;
    case Storage::kOffsets32:
    case Storage::kOffsets64:
      append_offset(bytes_.size());
      break;
    case Storage::kList32:
    case Storage::kList64:
      append_offset(children_[0].length());
      break;
    case Storage::kFixedSizeList:
    case Storage::kStruct: {
      const int64_t rows = storage_ == Storage::kStruct ? 1 : type_.list_size();
      for (size_t i = 0; i < children_.size(); ++i) {
        const bool zero = valid || !type_.fields()[i].nullable;
        for (int64_t row = 0; row < rows; ++row)
          children_[i].append_slot(zero && children_[i].storage_ != Storage::kNone);
      }
      break;
    }
  }
  append_validity(valid);
}

void ColumnBuilder::append_null() { append_slot(false); }

void ColumnBuilder::append_nulls(int64_t rows) {
  for (int64_t i = 0; i < rows; ++i) append_slot(false);
}

void ColumnBuilder::append_zero() { append_slot(true); }

void ColumnBuilder::append_bool(bool value) {
  expect(storage_ == Storage::kBits, "a boolean");
  append_bit(context_, values_, length_, value);
  append_validity(true);
}

void ColumnBuilder::append_fixed(const void* value, size_t size_bytes) {
  expect(storage_ == Storage::kFixed && size_bytes == static_cast<size_t>(byte_width_),
         "a value of another width");
  if (size_bytes > 0) std::memcpy(grow(context_, values_, byte_width_), value, size_bytes);
  append_validity(true);
}

void ColumnBuilder::append_decimal(const Decimal256& value) {
  expect(type_.id() == TypeId::kDecimal, "a decimal");
  expect(value.fits_precision(type_.precision()), "a decimal of more digits");
  value.store(grow(context_, values_, byte_width_), byte_width_);
  append_validity(true);
}

void ColumnBuilder::append_view(std::string_view value) {
  if (value.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    fail(ErrorCode::kOutOfBudget, "a value is longer than a view can tell", "{} bytes",
         value.size());
  }
  const auto length = static_cast<int32_t>(value.size());
  BinaryView view;
  if (length <= BinaryView::kInlineBytes) {
    view = BinaryView::of_inline(value.data(), length);
  } else {
    if (bytes_.data() == nullptr || length > bytes_.capacity() - bytes_.size()) {
      const int64_t next_bytes =
          std::clamp(2 * bytes_.size(), kFirstViewBufferBytes, kMaxViewBufferBytes);
      if (bytes_.data() != nullptr) view_buffers_.push_back(frozen(context_, bytes_));
      bytes_ = context_.memory->allocate(std::max<int64_t>(next_bytes, length));
      bytes_.resize(0);
    }
    const auto offset = static_cast<int32_t>(bytes_.size());
    std::memcpy(grow(context_, bytes_, length), value.data(), value.size());
    view = BinaryView::of_reference(value.data(), length,
                                    static_cast<int32_t>(view_buffers_.size()), offset);
  }
  std::memcpy(grow(context_, values_, sizeof(view)), &view, sizeof(view));
}

void ColumnBuilder::append_bytes(std::string_view value) {
  if (storage_ == Storage::kFixed) {
    expect(type_.id() == TypeId::kFixedBinary, "bytes");
    append_fixed(value.data(), value.size());
    return;
  }
  expect(type_.is_bytes(), "bytes");
  if (storage_ == Storage::kViews) {
    append_view(value);
  } else {
    const auto length = static_cast<int64_t>(value.size());
    append_offset(bytes_.size() + length);
    if (length > 0) std::memcpy(grow(context_, bytes_, length), value.data(), value.size());
  }
  append_validity(true);
}

void ColumnBuilder::append_list() {
  if (storage_ == Storage::kFixedSizeList) {
    expect(children_[0].length() == (length_ + 1) * type_.list_size(), "a list of another size");
  } else {
    expect(storage_ == Storage::kList32 || storage_ == Storage::kList64, "a list");
    append_offset(children_[0].length());
  }
  append_validity(true);
}

void ColumnBuilder::append_struct() {
  expect(storage_ == Storage::kStruct, "a struct");
  for (const ColumnBuilder& child : children_) {
    expect(child.length() == length_ + 1, "children of another number of rows");
  }
  append_validity(true);
}

ColumnPtr ColumnBuilder::finish() {
  ColumnParts parts;
  parts.type = type_;
  parts.storage = storage_;
  parts.byte_width = storage_ == Storage::kFixed ? byte_width_ : 0;
  parts.length = length_;
  parts.null_count = null_count_;
  if (null_count_ > 0 && storage_ != Storage::kNone) parts.validity = frozen(context_, validity_);
  if (storage_ == Storage::kBits || storage_ == Storage::kFixed || storage_ == Storage::kViews) {
    parts.values = frozen(context_, values_);
  }
  if (has_offsets(storage_)) parts.offsets = frozen(context_, offsets_);
  if (storage_ == Storage::kOffsets32 || storage_ == Storage::kOffsets64) {
    parts.bytes = frozen(context_, bytes_);
  }
  if (storage_ == Storage::kViews) {
    if (bytes_.data() != nullptr) view_buffers_.push_back(frozen(context_, bytes_));
    parts.view_buffers = std::move(view_buffers_);
  }
  for (ColumnBuilder& child : children_) parts.children.push_back(child.finish());

  length_ = 0;
  null_count_ = 0;
  validity_ = {};
  values_ = {};
  offsets_ = {};
  bytes_ = {};
  view_buffers_.clear();
  if (has_offsets(storage_)) append_offset(0);
  return Column::make(std::move(parts));
}

}  // namespace colonnade
