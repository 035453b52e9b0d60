#include "parquet/column/fixed_values.h"

#include <algorithm>
#include <utility>

#include "base/bits.h"
#include "base/checked.h"
#include "base/fail.h"
#include "parquet/column/big_endian.h"
#include "parquet/column/fixed_width.h"
#include "parquet/column/int96.h"

namespace colonnade::parquet {

FixedValues::FixedValues(const Context& context, const FixedLayout& layout, DataType type,
                         bool int96_wraps)
    : context_(context), layout_(layout), type_(std::move(type)), int96_wraps_(int96_wraps) {}

void FixedValues::set_dictionary(DictionaryPage page) {
  const std::span<const uint8_t> bytes = page.bytes.as<uint8_t>();
  dictionary_size_ = page.num_entries;
  has_dictionary_ = true;
  const auto allocate = [&] {
    return context_.memory->allocate(
        checked_mul(page.num_entries, layout_.storage_bytes, "dictionary"));
  };
  if (layout_.byte_arrays) {
    byte_arrays_.start(bytes, page.num_entries);
    MutableBuffer converted = allocate();
    for (int64_t i = 0; i < page.num_entries; i += RowBlock::kMaxRows) {
      decode_byte_arrays(bytes.data(), std::min(RowBlock::kMaxRows, page.num_entries - i),
                         converted.data() + i * layout_.storage_bytes);
    }
    dictionary_ = std::move(converted).freeze();
    return;
  }
  PlainFixedDecoder decoder;
  decoder.start(bytes, page.num_entries, layout_.physical_bytes);
  if (layout_.conversion == Conversion::kCopy) {
    dictionary_ = std::move(page.bytes);
    return;
  }
  MutableBuffer converted = allocate();
  if (layout_.conversion == Conversion::kInt96) {
    const int64_t fit =
        convert_int96(bytes.data(), page.num_entries, type_.unit(), converted.data());
    if (fit < page.num_entries && !int96_wraps_) int96_dictionary_ = page.bytes;
  } else {
    convert_values(layout_, bytes.data(), page.num_entries, converted.data());
  }
  dictionary_ = std::move(converted).freeze();
}

void FixedValues::start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid) {
  encoding_ = encoding;
  page_bytes_ = page.values.data();
  switch (encoding) {
    case ValueEncoding::kDictionary:
      if (!has_dictionary_ && num_valid > 0) {
        fail(ErrorCode::kCorruptData, "dictionary-encoded page without a dictionary page");
      }
      ids_.start(page.values, num_valid, dictionary_size_);
      return;
    case ValueEncoding::kDeltaLengthByteArray:
      delta_lengths_.start(page.values, num_valid, page.readable_behind);
      return;
    case ValueEncoding::kDeltaByteArray:
      delta_byte_arrays_.start(page.values, num_valid, page.readable_behind);
      last_ = {};
      return;
    case ValueEncoding::kByteStreamSplit:
      split_.start(page.values, num_valid, layout_.physical_bytes);
      break;
    case ValueEncoding::kDeltaBinaryPacked:
      deltas_.start(page.values, num_valid, page.readable_behind);
      break;
    case ValueEncoding::kAlp:
      alp_.start(page.values, num_valid, layout_.physical_bytes, page.readable_behind);
      break;
    case ValueEncoding::kPlain:
    case ValueEncoding::kRleBoolean:
      if (layout_.byte_arrays) {
        byte_arrays_.start(page.values, num_valid);
      } else {
        plain_.start(page.values, num_valid, layout_.physical_bytes);
      }
      return;
  }
  if (layout_.conversion != Conversion::kCopy) {
    joined_ =
        context_.memory->allocate(std::min(RowBlock::kMaxRows, num_valid) * layout_.physical_bytes);
  }
}

void FixedValues::begin(int64_t max_rows, int64_t max_bytes) {
  rows_ = 0;
  values_ = context_.memory->allocate(
      bytes_to_reserve(max_rows, int64_t{8} * layout_.storage_bytes, max_bytes));
}

int64_t FixedValues::append(const RowBlock& block, int64_t max_bits) {
  const int64_t width = layout_.storage_bytes;
  const int64_t bits = block.num_rows * width * 8;
  if (bits > max_bits) return -1;
  values_.resize((rows_ + block.num_rows) * width);
  uint8_t* out = values_.data() + rows_ * width;
  if (encoding_ == ValueEncoding::kDictionary) {
    decode_ids(block, out);
  } else if (encoding_ == ValueEncoding::kByteStreamSplit ||
             encoding_ == ValueEncoding::kDeltaBinaryPacked || encoding_ == ValueEncoding::kAlp) {
    decode_joined(block.num_valid, out);
  } else if (encoding_ == ValueEncoding::kDeltaByteArray) {
    decode_delta_byte_arrays(block.num_valid, out);
  } else if (layout_.byte_arrays) {
    decode_byte_arrays(page_bytes_, block.num_valid, out);
  } else {
    decode_plain(block, out);
  }
  if (block.validity != nullptr) {
    spread_values(block.validity, block.row, block.num_rows, block.num_valid, layout_.storage_bytes,
                  out);
  }
  rows_ += block.num_rows;
  return bits;
}

void FixedValues::decode_plain(const RowBlock& block, uint8_t* out) {
  const uint8_t* const values = plain_.take(block.num_valid);
  if (layout_.conversion != Conversion::kInt96)
    return convert_values(layout_, values, block.num_valid, out);
  const int64_t fit = convert_int96(values, block.num_valid, type_.unit(), out);
  if (fit < block.num_valid && !int96_wraps_)
    fail_int96(block, fit, values + fit * layout_.physical_bytes);
}

void FixedValues::decode_ids(const RowBlock& block, uint8_t* out) {
  const int64_t width = layout_.storage_bytes;
  int64_t n = block.num_valid;
  uint32_t ids[RowBlock::kMaxRows];
  if (!int96_dictionary_.empty()) {
    ids_.decode(n, ids);
    for (int64_t i = 0; i < n; ++i) {
      const uint8_t* const value = int96_dictionary_.data() + ids[i] * int64_t{kInt96Bytes};
      uint8_t converted[sizeof(int64_t)];
      if (convert_int96(value, 1, type_.unit(), converted) == 0) fail_int96(block, i, value);
    }
    gather_values(dictionary_.data(), ids, n, layout_.storage_bytes, out);
    return;
  }
  while (n > 0) {
    uint32_t id;
    if (const int64_t repeated = ids_.take_repeated(n, &id); repeated > 0) {
      repeat_value(dictionary_.data() + id * width, repeated, layout_.storage_bytes, out);
      out += repeated * width;
      n -= repeated;
      continue;
    }
    ids_.decode(n, ids);
    gather_values(dictionary_.data(), ids, n, layout_.storage_bytes, out);
    return;
  }
}

void FixedValues::fail_int96(const RowBlock& block, int64_t index, const uint8_t* value) const {
  int64_t row = index;
  if (block.validity != nullptr) {
    row = 0;
    while (!bits::get(block.validity, block.row + row) || index-- > 0) ++row;
  }
  throw Error(ErrorCode::kDataError,
              "a timestamp is outside of the range of its unit; a wider unit holds it (int96_unit)",
              fmt::format("row {}, {}, unit of {}", rows_before_ + rows_ + row, int96_text(value),
                          type_.to_string()));
}

void FixedValues::decode_joined(int64_t n, uint8_t* out) {
  if (layout_.conversion == Conversion::kCopy) return decode_physical(n, out);
  decode_physical(n, joined_.data());
  convert_values(layout_, joined_.data(), n, out);
}

void FixedValues::decode_physical(int64_t n, uint8_t* out) {
  const bool is_narrow = layout_.physical_bytes == sizeof(uint32_t);
  if (encoding_ == ValueEncoding::kByteStreamSplit) {
    split_.decode(n, out);
  } else if (encoding_ == ValueEncoding::kAlp) {
    if (is_narrow) return alp_.decode(n, reinterpret_cast<float*>(out));
    alp_.decode(n, reinterpret_cast<double*>(out));
  } else {
    if (is_narrow) return deltas_.decode(n, reinterpret_cast<uint32_t*>(out));
    deltas_.decode(n, reinterpret_cast<uint64_t*>(out));
  }
}

void FixedValues::decode_delta_byte_arrays(int64_t n, uint8_t* out) {
  // Values that share their beginnings may be far more bytes than the page.
  constexpr int64_t kMaxBytesAtOnce = int64_t{1} << 20;
  DeltaByteArrayPiece pieces[RowBlock::kMaxRows];
  delta_byte_arrays_.decode(n, pieces);
  for (int64_t done = 0; done < n;) {
    int64_t end = done;
    int64_t num_bytes = 0;
    do {
      num_bytes += pieces[end++].length();
    } while (end < n && num_bytes + pieces[end].length() <= kMaxBytesAtOnce);
    MutableBuffer bytes = context_.memory->allocate(num_bytes);
    delta_byte_arrays_.build(pieces + done, end - done, last_.data(), bytes.data());
    const uint8_t* value = bytes.data();
    for (int64_t i = done; i < end; ++i) {
      const int64_t length = pieces[i].length();
      if (layout_.byte_arrays) {
        convert_big_endian_value(value, static_cast<uint32_t>(length), layout_.storage_bytes,
                                 out + i * layout_.storage_bytes);
      } else if (length != layout_.physical_bytes) {
        fail(ErrorCode::kCorruptData, "value of another length than its type has",
             "{} bytes, the type has {}", length, layout_.physical_bytes);
      }
      value += length;
    }
    if (!layout_.byte_arrays) {
      convert_values(layout_, bytes.data(), end - done, out + done * layout_.storage_bytes);
    }
    done = end;
    const int64_t last_bytes = pieces[end - 1].length();
    last_ = std::move(bytes).freeze().slice(num_bytes - last_bytes, last_bytes);
  }
}

void FixedValues::decode_byte_arrays(const uint8_t* bytes, int64_t n, uint8_t* out) {
  ByteSlice slices[RowBlock::kMaxRows];
  if (encoding_ == ValueEncoding::kDeltaLengthByteArray) {
    delta_lengths_.decode(n, slices);
  } else {
    byte_arrays_.decode(n, slices);
  }
  for (int64_t i = 0; i < n; ++i) {
    convert_big_endian_value(bytes + slices[i].offset, slices[i].length, layout_.storage_bytes,
                             out + i * layout_.storage_bytes);
  }
}

void FixedValues::skip(int64_t num_valid) {
  switch (encoding_) {
    case ValueEncoding::kDictionary:
      return ids_.skip(num_valid);
    case ValueEncoding::kByteStreamSplit:
      return split_.skip(num_valid);
    case ValueEncoding::kDeltaBinaryPacked:
      return deltas_.skip(num_valid);
    case ValueEncoding::kAlp:
      return alp_.skip(num_valid);
    case ValueEncoding::kDeltaLengthByteArray:
      delta_lengths_.skip(num_valid);
      return;
    case ValueEncoding::kDeltaByteArray:
      last_ = delta_byte_arrays_.skip(context_, num_valid, last_);
      return;
    case ValueEncoding::kPlain:
    case ValueEncoding::kRleBoolean:
      break;
  }
  if (layout_.byte_arrays) {
    byte_arrays_.skip(num_valid);
  } else {
    plain_.skip(num_valid);
  }
}

ColumnParts FixedValues::finish() {
  ColumnParts parts;
  parts.type = type_;
  parts.storage = Storage::kFixed;
  parts.byte_width = layout_.storage_bytes;
  parts.length = rows_;
  values_.resize(rows_ * layout_.storage_bytes);
  parts.values = std::move(values_).freeze();
  rows_before_ += rows_;
  return parts;
}

}  // namespace colonnade::parquet
