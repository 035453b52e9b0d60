#include <colonnade/column.h>

#include "base/fail.h"
#include "column/no_such_column.h"

namespace colonnade {

Batch::Batch(SchemaPtr schema, int64_t num_rows, std::vector<ColumnPtr> columns)
    : schema_(std::move(schema)), num_rows_(num_rows), columns_(std::move(columns)) {
  if (!schema_) fail(ErrorCode::kInvalidArgument, "batch without a schema");
  if (num_rows_ < 0)
    fail(ErrorCode::kInvalidArgument, "negative number of rows in a batch", "{}", num_rows_);
  if (num_columns() != schema_->num_fields()) {
    fail(ErrorCode::kInvalidArgument, "batch has another number of columns than its schema",
         "{} columns, {} fields", num_columns(), schema_->num_fields());
  }
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Field& field = schema_->fields()[i];
    if (!columns_[i])
      fail(ErrorCode::kInvalidArgument, "column of a batch is missing", "{}", field.name);
    if (columns_[i]->length() != num_rows_) {
      fail(ErrorCode::kInvalidArgument, "column of another length than its batch",
           "{}: {} rows, batch: {}", field.name, columns_[i]->length(), num_rows_);
    }
    if (!(columns_[i]->type() == field.type)) {
      fail(ErrorCode::kInvalidArgument, "column of another type than its field",
           "{}: {}, field: {}", field.name, columns_[i]->type().to_string(),
           field.type.to_string());
    }
  }
}

const ColumnPtr& Batch::column(int32_t index) const {
  if (index < 0 || index >= num_columns())
    fail(ErrorCode::kInvalidArgument, "no such column", "column {} of {}", index, num_columns());
  return columns_[static_cast<size_t>(index)];
}

const ColumnPtr& Batch::column(std::string_view name) const {
  const std::optional<int32_t> index = schema_->index_of(name);
  if (!index) throw no_such_column(*schema_, name);
  return columns_[static_cast<size_t>(*index)];
}

Batch Batch::slice(int64_t offset, int64_t length) const {
  if (offset < 0 || length < 0 || offset > num_rows_ || length > num_rows_ - offset) {
    fail(ErrorCode::kInvalidArgument, "slice outside the batch", "offset {}, length {}, {} rows",
         offset, length, num_rows_);
  }
  std::vector<ColumnPtr> columns;
  columns.reserve(columns_.size());
  for (const ColumnPtr& column : columns_) columns.push_back(column->slice(offset, length));
  return Batch(schema_, length, std::move(columns));
}

}  // namespace colonnade
