#include "tabular.h"

#include <algorithm>

#include "base/fail.h"

namespace colonnade::python {

ChunkedColumn::ChunkedColumn(Field field, std::vector<ColumnPtr> chunks)
    : field_(std::move(field)), chunks_(std::move(chunks)) {
  for (const ColumnPtr& chunk : chunks_) length_ += chunk->length();
}

int64_t ChunkedColumn::null_count() const noexcept {
  int64_t nulls = 0;
  for (const ColumnPtr& chunk : chunks_) nulls += chunk->null_count();
  return nulls;
}

int64_t ChunkedColumn::slice_bytes() const noexcept {
  int64_t bytes = 0;
  for (const ColumnPtr& chunk : chunks_) bytes += chunk->slice_bytes();
  return bytes;
}

ChunkedColumn ChunkedColumn::slice(int64_t offset, int64_t length) const {
  std::vector<ColumnPtr> chunks;
  for (const ColumnPtr& chunk : chunks_) {
    if (length == 0) break;
    if (offset >= chunk->length()) {
      offset -= chunk->length();
      continue;
    }
    const int64_t taken = std::min(length, chunk->length() - offset);
    chunks.push_back(chunk->slice(offset, taken));
    offset = 0;
    length -= taken;
  }
  return {field_, std::move(chunks)};
}

Table::Table(SchemaPtr schema, std::vector<Batch> batches)
    : schema_(std::move(schema)), batches_(std::move(batches)) {
  for (const Batch& batch : batches_) {
    if (!(*batch.schema() == *schema_)) {
      fail(ErrorCode::kInvalidArgument, "a batch of another schema than its table's");
    }
    num_rows_ += batch.num_rows();
  }
}

Table Table::collect(BatchSource& source, const CancelToken& cancel) {
  std::vector<Batch> batches;
  while (std::optional<Batch> batch = source.next()) {
    batches.push_back(*std::move(batch));
    cancel.poll();
  }
  return {source.schema(), std::move(batches)};
}

int64_t Table::slice_bytes() const noexcept {
  int64_t bytes = 0;
  for (const Batch& batch : batches_) {
    for (const ColumnPtr& column : batch.columns()) bytes += column->slice_bytes();
  }
  return bytes;
}

ChunkedColumn Table::column(int32_t index) const {
  std::vector<ColumnPtr> chunks;
  chunks.reserve(batches_.size());
  for (const Batch& batch : batches_) chunks.push_back(batch.column(index));
  return {schema_->field(index), std::move(chunks)};
}

Table Table::slice(int64_t offset, int64_t length) const {
  std::vector<Batch> batches;
  for (const Batch& batch : batches_) {
    if (length == 0) break;
    if (offset >= batch.num_rows()) {
      offset -= batch.num_rows();
      continue;
    }
    const int64_t taken = std::min(length, batch.num_rows() - offset);
    batches.push_back(batch.slice(offset, taken));
    offset = 0;
    length -= taken;
  }
  return {schema_, std::move(batches)};
}

std::optional<Batch> TableSource::produce() {
  token_.check();
  if (next_ == batches_.size()) return std::nullopt;
  return batches_[next_++];
}

}  // namespace colonnade::python
