// Columns of the null type: rows without values.
#pragma once

#include "base/fail.h"
#include "parquet/column/value_reader.h"

namespace colonnade::parquet {

class NullValues final : public ValueReader {
 public:
  void set_dictionary(DictionaryPage) override {}
  void start_page(const DataPage&, ValueEncoding, int64_t num_valid) override {
    if (num_valid > 0) {
      fail(ErrorCode::kCorruptData, "values in a column of nulls", "{} values", num_valid);
    }
  }
  void begin(int64_t, int64_t) override { rows_ = 0; }
  int64_t append(const RowBlock& block, int64_t) override {
    rows_ += block.num_rows;
    return 0;
  }
  void skip(int64_t) override {}
  ColumnParts finish() override {
    ColumnParts parts;
    parts.length = rows_;
    return parts;
  }

 private:
  int64_t rows_ = 0;
};

}  // namespace colonnade::parquet
