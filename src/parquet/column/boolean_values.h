// Columns of booleans, a bit each.
#pragma once

#include "parquet/column/value_reader.h"
#include "parquet/encoding/plain_boolean.h"
#include "parquet/encoding/rle_bits.h"

namespace colonnade::parquet {

class BooleanValues final : public ValueReader {
 public:
  explicit BooleanValues(const Context& context) : context_(context) {}

  void set_dictionary(DictionaryPage page) override;
  void start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid) override;
  void begin(int64_t max_rows, int64_t max_bytes) override;
  int64_t append(const RowBlock& block, int64_t max_bits) override;
  void skip(int64_t num_valid) override;
  ColumnParts finish() override;

 private:
  void decode(int64_t n, uint8_t* bits, int64_t bit_offset);

  Context context_;
  // The current page: the decoder that `encoding_` names.
  ValueEncoding encoding_ = ValueEncoding::kPlain;
  PlainBooleanDecoder plain_;
  RleBitsDecoder runs_;

  MutableBuffer values_;
  int64_t rows_ = 0;
};

}  // namespace colonnade::parquet
