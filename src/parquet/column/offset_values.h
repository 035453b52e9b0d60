// Columns of strings with 32- or 64-bit offsets: sized, then copied once.
#pragma once

#include "parquet/column/byte_array_source.h"
#include "parquet/column/value_reader.h"

namespace colonnade::parquet {

// Of every form of strings, a row counts 4 bytes and its bytes towards the limit of a column.
inline constexpr int64_t kBitsPerStringRow = 32;
constexpr int64_t string_bits(int64_t num_rows, int64_t num_bytes) noexcept {
  return num_rows * kBitsPerStringRow + num_bytes * 8;
}

template <typename Offset>
class OffsetValues final : public ValueReader {
 public:
  OffsetValues(const Context& context, DataType type);

  void set_dictionary(DictionaryPage page) override { source_.set_dictionary(std::move(page)); }
  void start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid) override {
    source_.start_page(page, encoding, num_valid);
  }
  void begin(int64_t max_rows, int64_t max_bytes) override;
  int64_t append(const RowBlock& block, int64_t max_bits) override;
  void skip(int64_t num_valid) override { source_.skip(num_valid); }
  ColumnParts finish() override;

 private:
  // Makes room for `num_bytes` more after `num_rows` more rows.
  void reserve_bytes(int64_t num_rows, int64_t num_bytes);

  Context context_;
  DataType type_;
  ByteArraySource source_;

  MutableBuffer offsets_;
  MutableBuffer bytes_;    // its size is what may be written to
  int64_t num_bytes_ = 0;  // written
  int64_t rows_ = 0;
  int64_t max_rows_ = 0;
  int64_t max_bytes_ = 0;
};

}  // namespace colonnade::parquet
