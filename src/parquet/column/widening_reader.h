// A column of a file whose values are given as those of a wider type.
#pragma once

#include <memory>
#include <utility>

#include <colonnade/column.h>
#include <colonnade/context.h>

#include "arrow/widen.h"
#include "parquet/column/row_reader.h"

namespace colonnade::parquet {

class WideningReader final : public RowReader {
 public:
  // `type`: one that arrow::widen() can give what `narrow` reads.
  WideningReader(const Context& context, DataType type, std::unique_ptr<RowReader> narrow)
      : context_(context), type_(std::move(type)), narrow_(std::move(narrow)) {}

  // max_bytes is the limit before widening.
  ColumnPtr read(int64_t max_rows, int64_t max_bytes) override {
    return arrow::widen(context_, narrow_->read(max_rows, max_bytes), type_);
  }

 private:
  Context context_;
  DataType type_;
  std::unique_ptr<RowReader> narrow_;
};

}  // namespace colonnade::parquet
