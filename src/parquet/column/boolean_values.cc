#include "parquet/column/boolean_values.h"

#include <utility>

#include "base/bits.h"
#include "base/cursor.h"
#include "parquet/column/fixed_width.h"

namespace colonnade::parquet {

void BooleanValues::set_dictionary(DictionaryPage) {
  fail(ErrorCode::kNotSupported, "dictionaries of booleans are not read");
}

void BooleanValues::start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid) {
  encoding_ = encoding;
  if (encoding == ValueEncoding::kPlain) return plain_.start(page.values, num_valid);
  if (num_valid == 0) return runs_.start({}, 0);
  CheckedCursor cursor(page.values);
  const int32_t run_bytes = cursor.read<int32_t>("length of the boolean runs");
  runs_.start(cursor.take(run_bytes, "boolean runs"), num_valid);
}

void BooleanValues::begin(int64_t max_rows, int64_t max_bytes) {
  rows_ = 0;
  values_ = context_.memory->allocate(bytes_to_reserve(max_rows, 1, max_bytes));
}

int64_t BooleanValues::append(const RowBlock& block, int64_t max_bits) {
  if (block.num_rows > max_bits) return -1;
  values_.resize(bits::bytes_for(rows_ + block.num_rows));
  if (block.validity == nullptr) {
    decode(block.num_rows, values_.data(), rows_);
  } else {
    uint8_t packed[RowBlock::kMaxRows / 8];
    decode(block.num_valid, packed, 0);
    spread_bits(block.validity, block.row, block.num_rows, packed, values_.data());
  }
  rows_ += block.num_rows;
  return block.num_rows;
}

void BooleanValues::decode(int64_t n, uint8_t* bits, int64_t bit_offset) {
  if (encoding_ == ValueEncoding::kPlain) {
    plain_.decode(n, bits, bit_offset);
  } else {
    runs_.decode(n, bits, bit_offset);
  }
}

void BooleanValues::skip(int64_t num_valid) {
  if (encoding_ == ValueEncoding::kPlain) {
    plain_.skip(num_valid);
  } else {
    runs_.skip(num_valid);
  }
}

ColumnParts BooleanValues::finish() {
  ColumnParts parts;
  parts.type = DataType(TypeId::kBool);
  parts.storage = Storage::kBits;
  parts.length = rows_;
  values_.resize(bits::bytes_for(rows_));
  // Bits behind the last row are zero.
  bits::fill(values_.data(), rows_, values_.size() * 8 - rows_, false);
  parts.values = std::move(values_).freeze();
  return parts;
}

}  // namespace colonnade::parquet
