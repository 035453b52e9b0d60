#include "cli/row_sinks.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "column/scalar_text.h"

namespace colonnade::cli {

namespace {

// What the three have in common: the contract of a sink, and the output.
class RowSink : public BatchSink {
 public:
  RowSink(SchemaPtr schema, std::unique_ptr<Output> output)
      : schema_(std::move(schema)), output_(std::move(output)) {}

  void write(const Batch& batch) override {
    if (!output_) fail(ErrorCode::kInvalidArgument, "the sink was finished or aborted");
    if (!(*batch.schema() == *schema_))
      fail(ErrorCode::kInvalidArgument, "a batch of another schema");
    write_rows(batch);
    num_rows_ += batch.num_rows();
    output_->write(text_);
    text_.clear();
  }
  void finish() override {
    if (!output_) fail(ErrorCode::kInvalidArgument, "the sink was finished or aborted");
    write_end();
    output_->write(text_);
    output_->finish();
    output_.reset();
  }
  void abort() noexcept override { output_.reset(); }

 protected:
  // Both append to text_.
  virtual void write_rows(const Batch& batch) = 0;
  virtual void write_end() {}

  const SchemaPtr schema_;
  std::string text_;
  int64_t num_rows_ = 0;  // written before this batch

 private:
  std::unique_ptr<Output> output_;
};

class CsvSink final : public RowSink {
 public:
  CsvSink(SchemaPtr schema, const RowFormatOptions& options, std::unique_ptr<Output> output)
      : RowSink(std::move(schema), std::move(output)), options_(options) {
    if (!options_.header) return;
    for (const Field& field : schema_->fields()) append_field(field.name);
    end_line();
  }

 protected:
  void write_rows(const Batch& batch) override {
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      for (const ColumnPtr& column : batch.columns()) {
        const ScalarRef value(*column, row);
        if (!value.is_valid()) {
          text_ += options_.null_text;
          text_.push_back(options_.delimiter);
          continue;
        }
        if (value.type().is_bytes() && value.type().id() == TypeId::kString) {
          append_field(value.as_bytes());
          continue;
        }
        value_.clear();
        append_text(value_, value);
        append_field(value_);
      }
      end_line();
    }
  }

 private:
  void append_field(std::string_view field) {
    const bool quoted = field.empty() || field == options_.null_text ||
                        std::any_of(field.begin(), field.end(), [&](char c) {
                          return c == options_.delimiter || c == '"' || c == '\n' || c == '\r';
                        });
    if (quoted) {
      text_.push_back('"');
      for (const char c : field) {
        if (c == '"') text_.push_back('"');
        text_.push_back(c);
      }
      text_.push_back('"');
    } else {
      text_ += field;
    }
    text_.push_back(options_.delimiter);
  }

  // The line's last delimiter becomes its end; a row without columns is an empty line.
  void end_line() {
    if (schema_->num_fields() > 0) text_.pop_back();
    text_.push_back('\n');
  }

  RowFormatOptions options_;
  std::string value_;
};

class JsonlSink final : public RowSink {
 public:
  JsonlSink(SchemaPtr schema, std::unique_ptr<Output> output)
      : RowSink(std::move(schema), std::move(output)) {
    for (int32_t i = 0; i < schema_->num_fields(); ++i) {
      const Field& field = schema_->field(i);
      if (schema_->index_of(field.name) != i) {
        throw Error(ErrorCode::kInvalidArgument,
                    "several columns have this name, which a JSON object cannot hold")
            .locate({.column = field.name});
      }
      json::append_string(keys_.emplace_back(), field.name);
      keys_.back().push_back(':');
    }
  }

 protected:
  void write_rows(const Batch& batch) override {
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      text_.push_back('{');
      for (size_t i = 0; i < keys_.size(); ++i) {
        if (i > 0) text_.push_back(',');
        text_ += keys_[i];
        const ScalarRef value(*batch.columns()[i], row);
        if (value.is_valid() && value.type().id() == TypeId::kString)
          check_utf8(value.as_bytes(), row, i);
        append_json(text_, value);
      }
      text_ += "}\n";
    }
  }

 private:
  void check_utf8(std::string_view bytes, int64_t row, size_t column) const {
    const size_t bad =
        utf8::first_invalid({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
    if (bad == bytes.size()) return;
    throw Error(ErrorCode::kCorruptData, "a string is not UTF-8, which JSON cannot hold",
                fmt::format("row {}, byte {}", num_rows_ + row, bad))
        .locate({.column = schema_->fields()[column].name});
  }

  std::vector<std::string> keys_;  // quoted, with their colon
};

class TableSink final : public RowSink {
 public:
  TableSink(SchemaPtr schema, const RowFormatOptions& options, std::unique_ptr<Output> output)
      : RowSink(std::move(schema), std::move(output)), max_width_(options.max_width) {}

 protected:
  void write_rows(const Batch& batch) override {
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      std::vector<std::string> cells;
      for (const ColumnPtr& column : batch.columns())
        cells.push_back(cell(ScalarRef(*column, row)));
      if (table_) {
        table_->append_row(text_, cells);
        continue;
      }
      first_rows_.push_back(std::move(cells));
      if (first_rows_.size() == kRowsToMeasure) begin_table();
    }
  }
  void write_end() override {
    if (!table_) begin_table();
  }

 private:
  static constexpr size_t kRowsToMeasure = 1000;

  static std::string cell(const ScalarRef& value) {
    if (!value.is_valid()) return "null";
    std::string text;
    append_text(text, value);
    return printable(text);
  }

  static bool is_number(const DataType& type) {
    return (type.id() >= TypeId::kInt8 && type.id() <= TypeId::kDecimal);
  }

  void begin_table() {
    std::vector<TextColumn> columns;
    for (const Field& field : schema_->fields())
      columns.push_back({printable(field.name), is_number(field.type)});
    table_.emplace(std::move(columns), first_rows_, max_width_);
    table_->append_titles(text_);
    for (const auto& cells : first_rows_) table_->append_row(text_, cells);
    first_rows_.clear();
  }

  int32_t max_width_;
  std::vector<std::vector<std::string>> first_rows_;
  std::optional<TextTable> table_;
};

}  // namespace

std::unique_ptr<BatchSink> make_row_sink(RowFormat format, const RowFormatOptions& options,
                                         SchemaPtr schema, std::unique_ptr<Output> output) {
  switch (format) {
    case RowFormat::kCsv:
      return std::make_unique<CsvSink>(std::move(schema), options, std::move(output));
    case RowFormat::kJsonl:
      return std::make_unique<JsonlSink>(std::move(schema), std::move(output));
    case RowFormat::kTable:
      return std::make_unique<TableSink>(std::move(schema), options, std::move(output));
  }
  fail(ErrorCode::kInternal, "unknown row format", "{}", static_cast<int>(format));
}

}  // namespace colonnade::cli
