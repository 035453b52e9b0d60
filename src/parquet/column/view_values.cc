#include "parquet/column/view_values.h"

#include <cstring>
#include <utility>

#include "column/binary_view.h"
#include "parquet/column/fixed_width.h"
#include "parquet/column/offset_values.h"

namespace colonnade::parquet {
namespace {

// Keeps the first `length` (0 to 12) of 12 bytes in two words, the first of 8 bytes.
void keep_bytes(int64_t length, uint64_t* first, uint32_t* second) {
  *first &= length >= 8 ? ~uint64_t{0} : ~(~uint64_t{0} << (8 * length));
  *second &= length <= 8 ? 0 : static_cast<uint32_t>((uint64_t{1} << (8 * (length - 8))) - 1);
}

// Writes a view of each slice; returns whether any of them refers to the buffer.
bool make_views(SliceBase base, const ByteSlice* slices, int64_t n, int32_t buffer_index,
                BinaryView* out) {
  bool any_reference = false;
  for (int64_t i = 0; i < n; ++i) {
    const int32_t length = static_cast<int32_t>(slices[i].length);
    const uint8_t* from = base.bytes + slices[i].offset;
    if (length > BinaryView::kInlineBytes) {
      out[i] = BinaryView::of_reference(from, length, buffer_index,
                                        static_cast<int32_t>(slices[i].offset));
      any_reference = true;
    } else if (base.readable_end - from >= BinaryView::kInlineBytes) [[likely]] {
      uint64_t first;
      uint32_t second;
      std::memcpy(&first, from, sizeof(first));
      std::memcpy(&second, from + sizeof(first), sizeof(second));
      keep_bytes(length, &first, &second);
      uint8_t* view = reinterpret_cast<uint8_t*>(&out[i]);
      std::memcpy(view, &length, sizeof(length));
      std::memcpy(view + 4, &first, sizeof(first));
      std::memcpy(view + 12, &second, sizeof(second));
    } else {
      out[i] = BinaryView::of_inline(from, length);
    }
  }
  return any_reference;
}

}  // namespace

ViewValues::ViewValues(const Context& context, DataType type)
    : context_(context), type_(std::move(type)), source_(context) {}

void ViewValues::start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid) {
  source_.start_page(page, encoding, num_valid);
  page_buffer_ = -1;
}

void ViewValues::begin(int64_t max_rows, int64_t max_bytes) {
  rows_ = 0;
  view_buffers_.clear();
  dictionary_buffer_ = -1;
  page_buffer_ = -1;
  views_ = context_.memory->allocate(bytes_to_reserve(max_rows, 8 * sizeof(BinaryView), max_bytes));
}

int64_t ViewValues::append(const RowBlock& block, int64_t max_bits) {
  ByteSlice slices[RowBlock::kMaxRows];
  const ByteArraySource::Position before = source_.position();
  const int64_t bits = string_bits(block.num_rows, source_.locate(block.num_valid, slices));
  if (bits > max_bits) {
    source_.restore(before);
    return -1;
  }
  if (block.validity != nullptr) {
    // Null rows become slices without bytes, and so views of zeros.
    spread_values(block.validity, block.row, block.num_rows, block.num_valid, sizeof(ByteSlice),
                  reinterpret_cast<uint8_t*>(slices));
  }
  views_.resize((rows_ + block.num_rows) * static_cast<int64_t>(sizeof(BinaryView)));
  int32_t& buffer = current_buffer();
  const int32_t index = buffer >= 0 ? buffer : static_cast<int32_t>(view_buffers_.size());
  const bool any_reference =
      make_views(source_.base(), slices, block.num_rows, index, views_.as<BinaryView>() + rows_);
  if (any_reference && buffer < 0) {
    view_buffers_.push_back(source_.base_buffer());
    buffer = index;
  }
  rows_ += block.num_rows;
  return bits;
}

ColumnParts ViewValues::finish() {
  ColumnParts parts;
  parts.type = type_;
  parts.storage = Storage::kViews;
  parts.length = rows_;
  views_.resize(rows_ * static_cast<int64_t>(sizeof(BinaryView)));
  parts.values = std::move(views_).freeze();
  parts.view_buffers = std::move(view_buffers_);
  view_buffers_.clear();
  return parts;
}

}  // namespace colonnade::parquet
