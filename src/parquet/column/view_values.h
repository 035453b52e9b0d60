// Columns of strings as views on the pages they were read from: nothing longer than a view is
// copied.
#pragma once

#include <vector>

#include "parquet/column/byte_array_source.h"
#include "parquet/column/value_reader.h"

namespace colonnade::parquet {

// Data pages must be shared (PageReadOptions::share_data_pages).
class ViewValues final : public ValueReader {
 public:
  ViewValues(const Context& context, DataType type);

  void set_dictionary(DictionaryPage page) override { source_.set_dictionary(std::move(page)); }
  void start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid) override;
  void begin(int64_t max_rows, int64_t max_bytes) override;
  int64_t append(const RowBlock& block, int64_t max_bits) override;
  ColumnParts finish() override;

 private:
  // The index in view_buffers_ of the bytes that the current page's values lie in.
  int32_t& current_buffer() noexcept {
    return source_.dictionary_encoded() ? dictionary_buffer_ : page_buffer_;
  }

  Context context_;
  DataType type_;
  ByteArraySource source_;

  MutableBuffer views_;
  std::vector<Buffer> view_buffers_;
  int32_t dictionary_buffer_ = -1;  // -1: not among view_buffers_
  int32_t page_buffer_ = -1;
  int64_t rows_ = 0;
};

}  // namespace colonnade::parquet
