// Columns of fixed-width values.
#pragma once

#include "parquet/column/byte_array_source.h"
#include "parquet/column/fixed_layout.h"
#include "parquet/column/value_reader.h"
#include "parquet/encoding/alp.h"
#include "parquet/encoding/byte_stream_split.h"
#include "parquet/encoding/delta_binary_packed.h"
#include "parquet/encoding/delta_byte_array.h"
#include "parquet/encoding/delta_length_byte_array.h"
#include "parquet/encoding/dictionary_ids.h"
#include "parquet/encoding/plain_fixed.h"

namespace colonnade::parquet {

class FixedValues final : public ValueReader {
 public:
  // `int96_wraps`: see OpenOptions.
  FixedValues(const Context& context, const FixedLayout& layout, DataType type, bool int96_wraps);

  void set_dictionary(DictionaryPage page) override;
  void start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid) override;
  void begin(int64_t max_rows, int64_t max_bytes) override;
  int64_t append(const RowBlock& block, int64_t max_bits) override;
  void skip(int64_t num_valid) override;
  ColumnParts finish() override;

 private:
  void decode_ids(const RowBlock& block, uint8_t* out);
  void decode_plain(const RowBlock& block, uint8_t* out);
  // The INT96 value at `value`, the block's index-th that is not null, is outside of its unit.
  [[noreturn]] void fail_int96(const RowBlock& block, int64_t index, const uint8_t* value) const;
  // n <= RowBlock::kMaxRows
  void decode_byte_arrays(const uint8_t* bytes, int64_t n, uint8_t* out);
  // Values that are put together before they can be converted; n <= RowBlock::kMaxRows.
  void decode_joined(int64_t n, uint8_t* out);
  void decode_physical(int64_t n, uint8_t* out);
  // n <= RowBlock::kMaxRows
  void decode_delta_byte_arrays(int64_t n, uint8_t* out);

  Context context_;
  FixedLayout layout_;
  DataType type_;

  Buffer dictionary_;  // in the column's storage
  int64_t dictionary_size_ = 0;
  bool has_dictionary_ = false;
  Buffer int96_dictionary_;  // as in the file, where an entry is outside of its unit
  bool int96_wraps_ = false;

  // The current page: the decoder that `encoding_` names.
  ValueEncoding encoding_ = ValueEncoding::kPlain;
  PlainFixedDecoder plain_;
  ByteStreamSplitDecoder split_;
  DeltaBinaryPackedDecoder deltas_;
  AlpDecoder alp_;
  MutableBuffer joined_;  // values of a block, where they are not yet the column's
  PlainByteArrayDecoder byte_arrays_;
  DeltaLengthByteArrayDecoder delta_lengths_;
  DeltaByteArrayDecoder delta_byte_arrays_;
  Buffer last_;  // the value before, of delta_byte_arrays_
  const uint8_t* page_bytes_ = nullptr;
  DictionaryIdDecoder ids_;

  MutableBuffer values_;
  int64_t rows_ = 0;
  int64_t rows_before_ = 0;  // of the columns that are finished
};

}  // namespace colonnade::parquet
