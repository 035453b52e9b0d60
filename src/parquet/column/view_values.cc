#include "parquet/column/view_values.h"

#include <cstring>
#include <utility>

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

// Values of few bytes have views of random shape: made for each row they would cost a mispredicted
// branch, made for each entry only a copy.
void ViewValues::set_dictionary(DictionaryPage page) {
  source_.set_dictionary(std::move(page));
  const std::span<const ByteSlice> entries = source_.dictionary();
  const auto num_entries = static_cast<int64_t>(entries.size());
  dictionary_views_ =
      context_.memory->allocate(num_entries * static_cast<int64_t>(sizeof(BinaryView)));
  dictionary_views_index_ = 0;
  dictionary_is_referred_to_ =
      make_views(source_.dictionary_base(), entries.data(), num_entries, dictionary_views_index_,
                 dictionary_views_.as<BinaryView>());
  dictionary_buffer_ = -1;
}

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
  const int64_t bits = source_.dictionary_encoded() ? append_from_dictionary(block, max_bits)
                                                    : append_from_page(block, max_bits);
  if (bits >= 0) rows_ += block.num_rows;
  return bits;
}

int64_t ViewValues::append_from_dictionary(const RowBlock& block, int64_t max_bits) {
  const ByteArraySource::Position before = source_.position();
  BinaryView* const views = room_for(block);
  const int64_t num_bytes = source_.gather(block.num_valid, dictionary_views(), views);
  const int64_t bits = string_bits(block.num_rows, num_bytes);
  if (bits > max_bits) {
    source_.restore(before);
    return -1;
  }
  if (block.validity != nullptr) {
    spread_values(block.validity, block.row, block.num_rows, block.num_valid, sizeof(BinaryView),
                  reinterpret_cast<uint8_t*>(views));
  }
  return bits;
}

int64_t ViewValues::append_from_page(const RowBlock& block, int64_t max_bits) {
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
  if (source_.base_changes()) page_buffer_ = -1;
  const int32_t index =
      page_buffer_ >= 0 ? page_buffer_ : static_cast<int32_t>(view_buffers_.size());
  const bool any_reference =
      make_views(source_.base(), slices, block.num_rows, index, room_for(block));
  if (any_reference && page_buffer_ < 0) {
    view_buffers_.push_back(source_.base_buffer());
    page_buffer_ = index;
  }
  return bits;
}

BinaryView* ViewValues::room_for(const RowBlock& block) {
  views_.resize((rows_ + block.num_rows) * static_cast<int64_t>(sizeof(BinaryView)));
  return views_.as<BinaryView>() + rows_;
}

const BinaryView* ViewValues::dictionary_views() {
  BinaryView* const views = dictionary_views_.as<BinaryView>();
  if (!dictionary_is_referred_to_ || dictionary_buffer_ >= 0) return views;
  dictionary_buffer_ = static_cast<int32_t>(view_buffers_.size());
  view_buffers_.push_back(source_.base_buffer());
  if (dictionary_views_index_ != dictionary_buffer_) {
    const std::span<const ByteSlice> entries = source_.dictionary();
    dictionary_views_index_ = dictionary_buffer_;
    make_views(source_.dictionary_base(), entries.data(), static_cast<int64_t>(entries.size()),
               dictionary_views_index_, views);
  }
  return views;
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
