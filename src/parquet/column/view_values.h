// Columns of strings as views on the pages they were read from: nothing longer than a view is
// copied.
#pragma once

#include <vector>

#include "column/binary_view.h"
#include "parquet/column/byte_array_source.h"
#include "parquet/column/value_reader.h"

namespace colonnade::parquet {

// Data pages must be shared (PageReadOptions::share_data_pages).
class ViewValues final : public ValueReader {
 public:
  ViewValues(const Context& context, DataType type);

  void set_dictionary(DictionaryPage page) override;
  void start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid) override;
  void begin(int64_t max_rows, int64_t max_bytes) override;
  int64_t append(const RowBlock& block, int64_t max_bits) override;
  void skip(int64_t num_valid) override { source_.skip(num_valid); }
  ColumnParts finish() override;

 private:
  int64_t append_from_dictionary(const RowBlock& block, int64_t max_bits);
  int64_t append_from_page(const RowBlock& block, int64_t max_bits);
  BinaryView* room_for(const RowBlock& block);
  // Views of the dictionary's entries as they are in the column that is being made.
  const BinaryView* dictionary_views();

  Context context_;
  DataType type_;
  ByteArraySource source_;

  MutableBuffer views_;
  std::vector<Buffer> view_buffers_;
  int32_t page_buffer_ = -1;  // its index in view_buffers_; -1: not there
  int64_t rows_ = 0;

  MutableBuffer dictionary_views_;
  bool dictionary_is_referred_to_ = false;  // by any of its views
  int32_t dictionary_views_index_ = -1;     // of the buffer they refer to
  int32_t dictionary_buffer_ = -1;          // its index in view_buffers_; -1: not there
};

}  // namespace colonnade::parquet
