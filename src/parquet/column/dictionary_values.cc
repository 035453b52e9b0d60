#include "parquet/column/dictionary_values.h"

#include <cstring>
#include <limits>
#include <utility>

#include "parquet/column/fixed_width.h"
#include "parquet/column/offset_values.h"

namespace colonnade::parquet {

DictionaryValues::DictionaryValues(const Context& context, DataType type)
    : context_(context), type_(std::move(type)), source_(context) {}

void DictionaryValues::set_dictionary(DictionaryPage page) {
  source_.set_dictionary(std::move(page));
  const std::span<const ByteSlice> entries = source_.dictionary();
  const uint8_t* bytes = source_.dictionary_base().bytes;
  MutableBuffer unique_ids =
      context_.memory->allocate(static_cast<int64_t>(entries.size() * sizeof(int32_t)));
  StringDictionaryBuilder builder(context_);
  for (size_t i = 0; i < entries.size(); ++i) {
    unique_ids.as<int32_t>()[i] =
        builder.add({bytes + entries[i].offset, size_t{entries[i].length}});
  }
  if (builder.size() < static_cast<int64_t>(entries.size())) {
    unique_ids_ = std::move(unique_ids).freeze();
  }
  chunk_dictionary_ =
      Dictionary::make(std::move(builder).finish(type_), /*unique=*/true, /*sorted=*/false);
}

void DictionaryValues::start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid) {
  source_.start_page(page, encoding, num_valid);
}

void DictionaryValues::begin(int64_t max_rows, int64_t max_bytes) {
  rows_ = 0;
  own_dictionary_.reset();
  ids_ = context_.memory->allocate(bytes_to_reserve(max_rows, kBitsPerStringRow, max_bytes));
}

int64_t DictionaryValues::append(const RowBlock& block, int64_t max_bits) {
  uint32_t ids[RowBlock::kMaxRows];
  const bool keeps_ids = source_.dictionary_encoded() && !own_dictionary_ && chunk_dictionary_;
  const int64_t bits =
      keeps_ids ? append_page_ids(block, max_bits, ids) : append_values(block, max_bits, ids);
  if (bits < 0) return bits;
  if (block.validity != nullptr) {
    spread_values(block.validity, block.row, block.num_rows, block.num_valid, sizeof(uint32_t),
                  reinterpret_cast<uint8_t*>(ids));
  }
  const size_t num_bytes = static_cast<size_t>(block.num_rows) * sizeof(uint32_t);
  ids_.resize((rows_ + block.num_rows) * static_cast<int64_t>(sizeof(uint32_t)));
  std::memcpy(ids_.as<uint32_t>() + rows_, ids, num_bytes);
  rows_ += block.num_rows;
  return bits;
}

int64_t DictionaryValues::append_page_ids(const RowBlock& block, int64_t max_bits, uint32_t* out) {
  const int64_t bits = string_bits(block.num_rows, 0);
  if (bits > max_bits) return -1;
  source_.decode_ids(block.num_valid, out);
  if (!unique_ids_.empty()) {
    const uint32_t* unique_ids = unique_ids_.as<uint32_t>().data();
    for (int64_t i = 0; i < block.num_valid; ++i) out[i] = unique_ids[out[i]];
  }
  return bits;
}

int64_t DictionaryValues::append_values(const RowBlock& block, int64_t max_bits, uint32_t* out) {
  ByteSlice slices[RowBlock::kMaxRows];
  const ByteArraySource::Position before = source_.position();
  const int64_t num_bytes = source_.locate(block.num_valid, slices);
  const int64_t bits = string_bits(block.num_rows, num_bytes);
  if (bits <= max_bits) {
    start_own_dictionary();
    if (num_bytes <= std::numeric_limits<int32_t>::max() - own_dictionary_->num_bytes()) {
      const uint8_t* bytes = source_.base().bytes;
      for (int64_t i = 0; i < block.num_valid; ++i) {
        out[i] = static_cast<uint32_t>(
            own_dictionary_->add({bytes + slices[i].offset, size_t{slices[i].length}}));
      }
      return bits;
    }
  }
  source_.restore(before);
  return -1;
}

void DictionaryValues::start_own_dictionary() {
  if (own_dictionary_) return;
  own_dictionary_.emplace(context_);
  // The ids of the rows so far stay what they are.
  if (rows_ > 0 && chunk_dictionary_) {
    const Column& values = *chunk_dictionary_->values;
    const std::span<const int32_t> offsets = values.parts().offsets.as<int32_t>();
    const uint8_t* bytes = values.parts().bytes.data();
    for (size_t i = 0; i + 1 < offsets.size(); ++i) {
      own_dictionary_->add({bytes + offsets[i], static_cast<size_t>(offsets[i + 1] - offsets[i])});
    }
  }
}

ColumnParts DictionaryValues::finish() {
  if (!own_dictionary_ && !chunk_dictionary_) start_own_dictionary();
  // Rows that no value stands for have the id 0, also where no validity says so: those of a struct
  // that is null. It must lie within the dictionary.
  const bool is_empty =
      own_dictionary_ ? own_dictionary_->size() == 0 : chunk_dictionary_->values->length() == 0;
  if (rows_ > 0 && is_empty) {
    start_own_dictionary();
    own_dictionary_->add({});
  }
  ColumnParts parts;
  parts.type = type_;
  parts.storage = Storage::kOffsets32;
  parts.encoding = Encoding::kDictionary;
  parts.length = rows_;
  ids_.resize(rows_ * static_cast<int64_t>(sizeof(uint32_t)));
  parts.values = std::move(ids_).freeze();
  parts.dictionary = own_dictionary_ ? Dictionary::make(std::move(*own_dictionary_).finish(type_),
                                                        /*unique=*/true, /*sorted=*/false)
                                     : chunk_dictionary_;
  own_dictionary_.reset();
  return parts;
}

}  // namespace colonnade::parquet
