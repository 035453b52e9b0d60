// What stands behind the Python classes Column, ChunkedColumn and Table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <colonnade/batch_stream.h>
#include <colonnade/column.h>
#include <colonnade/type.h>

namespace colonnade::python {

// A column with its name and declared form.
struct NamedColumn {
  Field field;
  ColumnPtr column;
};

// A column of a table, in as many pieces as the table has batches.
class ChunkedColumn {
 public:
  ChunkedColumn(Field field, std::vector<ColumnPtr> chunks);

  const Field& field() const noexcept { return field_; }
  const std::vector<ColumnPtr>& chunks() const noexcept { return chunks_; }
  int64_t length() const noexcept { return length_; }
  int64_t null_count() const noexcept;
  int64_t slice_bytes() const noexcept;
  // The rows must lie inside.
  ChunkedColumn slice(int64_t offset, int64_t length) const;

 private:
  Field field_;
  std::vector<ColumnPtr> chunks_;
  int64_t length_ = 0;
};

// Batches of one schema. A value; copying shares the columns.
class Table {
 public:
  // kInvalidArgument when a batch's types differ from the schema's.
  Table(SchemaPtr schema, std::vector<Batch> batches);
  // What `source` gives, to its end; `poll` is called between batches.
  static Table collect(BatchSource& source, const CancelToken& cancel);

  const SchemaPtr& schema() const noexcept { return schema_; }
  const std::vector<Batch>& batches() const noexcept { return batches_; }
  int64_t num_rows() const noexcept { return num_rows_; }
  int64_t slice_bytes() const noexcept;
  ChunkedColumn column(int32_t index) const;
  // The rows must lie inside.
  Table slice(int64_t offset, int64_t length) const;

 private:
  SchemaPtr schema_;
  std::vector<Batch> batches_;
  int64_t num_rows_ = 0;
};

// The batches of a table, in the forms of `schema`.
class TableSource final : public BatchSource {
 public:
  TableSource(SchemaPtr schema, std::vector<Batch> batches)
      : schema_(std::move(schema)), batches_(std::move(batches)) {}

  const SchemaPtr& schema() const noexcept override { return schema_; }
  void cancel() noexcept override { token_.cancel(); }
  Metrics::Snapshot metrics() const override { return {}; }

 private:
  std::optional<Batch> produce() override;

  SchemaPtr schema_;
  std::vector<Batch> batches_;
  size_t next_ = 0;
  CancelToken token_;
};

}  // namespace colonnade::python
