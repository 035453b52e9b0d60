// A column that numbers the rows that are read.
#pragma once

#include <algorithm>
#include <utility>

#include <colonnade/column.h>
#include <colonnade/context.h>

#include "parquet/column/row_cursor.h"
#include "parquet/column/row_reader.h"

namespace colonnade::parquet {

class RowNumberReader final : public RowReader {
 public:
  // `first` is the number of the row group's first row.
  RowNumberReader(const Context& context, int64_t first, RowCursor rows)
      : context_(context), first_(first), rows_(std::move(rows)) {}

  ColumnPtr read(int64_t max_rows, int64_t max_bytes) override {
    constexpr int64_t kBytes = sizeof(int64_t);
    int64_t wanted = std::min(max_rows, rows_.left());
    if (max_bytes > 0) wanted = std::clamp<int64_t>(max_bytes / kBytes, 1, wanted);
    MutableBuffer numbers = context_.memory->allocate(wanted * kBytes);
    int64_t* out = numbers.as<int64_t>();
    for (int64_t done = 0; done < wanted;) {
      rows_.pass(rows_.to_skip());
      const int64_t n = std::min(wanted - done, rows_.run());
      for (int64_t i = 0; i < n; ++i) *out++ = first_ + rows_.position() + i;
      rows_.pass(n);
      done += n;
    }
    ColumnParts parts;
    parts.type = DataType(TypeId::kInt64);
    parts.storage = Storage::kFixed;
    parts.byte_width = kBytes;
    parts.length = wanted;
    parts.null_count = 0;
    parts.values = std::move(numbers).freeze();
    return Column::make(std::move(parts));
  }

 private:
  Context context_;
  int64_t first_;
  RowCursor rows_;
};

}  // namespace colonnade::parquet
