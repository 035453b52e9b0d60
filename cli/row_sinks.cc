#include "cli/row_sinks.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
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

// What is gathered before it goes to the output, and the part of a value that is converted at once.
constexpr size_t kPieceBytes = size_t{64} << 10;

// use(part) for each part of a value, cut between the characters of UTF-8.
template <typename Use>
void for_each_piece(std::string_view value, Use&& use) {
  while (value.size() > kPieceBytes) {
    size_t end = kPieceBytes;
    for (size_t back = 0; back < 3 && (static_cast<uint8_t>(value[end]) & 0xC0) == 0x80; ++back)
      --end;
    use(value.substr(0, end));
    value.remove_prefix(end);
  }
  use(value);
}

// Text that is charged to a pool for as long as this lives.
class TextCharge {
 public:
  explicit TextCharge(std::shared_ptr<MemoryPool> pool) : pool_(std::move(pool)) {}
  ~TextCharge() { clear(); }
  TextCharge(const TextCharge&) = delete;
  TextCharge& operator=(const TextCharge&) = delete;

  // kOutOfBudget.
  void add(int64_t bytes) {
    pool_->reserve(bytes, "rows of a table");
    bytes_ += bytes;
  }
  void clear() noexcept { pool_->release(std::exchange(bytes_, 0)); }

 private:
  const std::shared_ptr<MemoryPool> pool_;
  int64_t bytes_ = 0;
};

bool is_string(const DataType& type) { return type.id() == TypeId::kString; }
bool is_binary(const DataType& type) {
  return type.id() == TypeId::kBinary || type.id() == TypeId::kFixedBinary;
}

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
    flush();
  }
  void finish() override {
    if (!output_) fail(ErrorCode::kInvalidArgument, "the sink was finished or aborted");
    write_end();
    flush();
    output_->finish();
    output_.reset();
  }
  void abort() noexcept override { output_.reset(); }

 protected:
  // Both append to text_, and call flush_piece() at least once a row and once a value.
  virtual void write_rows(const Batch& batch) = 0;
  virtual void write_end() {}

  void flush_piece() {
    if (text_.size() >= kPieceBytes) flush();
  }

  // append(part) for each part of a value.
  template <typename Append>
  void in_pieces(std::string_view value, Append&& append) {
    for_each_piece(value, [&](std::string_view part) {
      flush_piece();
      append(part);
    });
  }

  const SchemaPtr schema_;
  std::string text_;
  int64_t num_rows_ = 0;  // written before this batch

 private:
  void flush() {
    output_->write(text_);
    text_.clear();
    // A table's row may have been larger; it is no longer charged.
    if (text_.capacity() > 8 * kPieceBytes) text_ = std::string();
  }

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
      flush_piece();
      for (const ColumnPtr& column : batch.columns()) {
        flush_piece();
        const ScalarRef value(*column, row);
        if (!value.is_valid()) {
          text_ += options_.null_text;
          text_.push_back(options_.delimiter);
          continue;
        }
        if (is_string(value.type())) {
          append_field(value.as_bytes());
          continue;
        }
        if (is_binary(value.type()) && value.as_bytes().size() > kPieceBytes) {
          append_long_binary(value.as_bytes());
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
      in_pieces(field, [&](std::string_view part) {
        for (const char c : part) {
          if (c == '"') text_.push_back('"');
          text_.push_back(c);
        }
      });
      text_.push_back('"');
    } else {
      in_pieces(field, [&](std::string_view part) { text_ += part; });
    }
    text_.push_back(options_.delimiter);
  }

  // Its digits are more than a command line can give as `null_text`.
  void append_long_binary(std::string_view bytes) {
    const size_t digit = std::string_view("0123456789abcdef").find(options_.delimiter);
    const bool quoted = std::any_of(bytes.begin(), bytes.end(), [&](char c) {
      const auto byte = static_cast<uint8_t>(c);
      return size_t{byte} >> 4 == digit || (size_t{byte} & 15) == digit;
    });
    if (quoted) text_.push_back('"');
    in_pieces(bytes, [&](std::string_view part) { append_hex(text_, part); });
    if (quoted) text_.push_back('"');
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
    std::unordered_set<std::string> known;
    for (const Field& field : schema_->fields()) {
      std::string key;
      json::append_string(key, field.name);
      // Names that are not UTF-8 may differ and have one key all the same.
      if (!known.insert(key).second) {
        throw Error(ErrorCode::kInvalidArgument,
                    "several columns have this name, which a JSON object cannot hold")
            .locate({.column = field.name});
      }
      keys_.push_back(std::move(key) + ":");
    }
  }

 protected:
  void write_rows(const Batch& batch) override {
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      flush_piece();
      text_.push_back('{');
      for (size_t i = 0; i < keys_.size(); ++i) {
        if (i > 0) text_.push_back(',');
        text_ += keys_[i];
        flush_piece();
        const ScalarRef value(*batch.columns()[i], row);
        if (value.is_valid() && (is_string(value.type()) || is_binary(value.type()))) {
          append_bytes(value, row, i);
        } else {
          append_json(text_, value);
        }
      }
      text_ += "}\n";
    }
  }

 private:
  // As append_json.
  void append_bytes(const ScalarRef& value, int64_t row, size_t column) {
    const bool escaped = is_string(value.type());
    if (escaped) check_utf8(value.as_bytes(), row, column);
    text_.push_back('"');
    in_pieces(value.as_bytes(), [&](std::string_view part) {
      escaped ? json::append_escaped(text_, part) : append_hex(text_, part);
    });
    text_.push_back('"');
  }

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
  TableSink(const Context& context, SchemaPtr schema, const RowFormatOptions& options,
            std::unique_ptr<Output> output)
      : RowSink(std::move(schema), std::move(output)),
        context_(context),
        max_width_(options.max_width),
        first_rows_charge_(context.memory) {}

 protected:
  void write_rows(const Batch& batch) override {
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      if (table_) {
        TextCharge charge(context_.memory);
        append_row(cells_of(batch, row, charge));
        continue;
      }
      first_rows_.push_back(cells_of(batch, row, first_rows_charge_));
      if (first_rows_.size() == kRowsToMeasure) begin_table();
    }
  }
  void write_end() override {
    if (!table_) begin_table();
  }

 private:
  static constexpr size_t kRowsToMeasure = 1000;
  // Holds more columns than the widest terminal (ioctl_tty(2): 16 bits) of characters of 4 bytes.
  static constexpr size_t kMostShownBytes = size_t{4} << 16;

  std::vector<std::string> cells_of(const Batch& batch, int64_t row, TextCharge& charge) const {
    std::vector<std::string> cells;
    charge.add(batch.num_columns() * static_cast<int64_t>(sizeof(std::string)));
    cells.reserve(static_cast<size_t>(batch.num_columns()));
    for (const ColumnPtr& column : batch.columns())
      cells.push_back(cell(ScalarRef(*column, row), charge));
    return cells;
  }

  // What may be long is charged before it is made.
  std::string cell(const ScalarRef& value, TextCharge& charge) const {
    if (!value.is_valid()) return "null";
    std::string text;
    if (is_string(value.type()) || is_binary(value.type())) {
      const bool as_hex = is_binary(value.type());
      std::string_view bytes = value.as_bytes();
      if (max_width_ > 0) bytes = bytes.substr(0, kMostShownBytes);
      size_t size = 0;
      for_each_piece(bytes, [&](std::string_view part) {
        context_.cancel.check();
        size += as_hex ? 2 * part.size() : static_cast<size_t>(printable_size(part));
      });
      charge.add(static_cast<int64_t>(size));
      text.reserve(size);
      for_each_piece(bytes, [&](std::string_view part) {
        context_.cancel.check();
        as_hex ? append_hex(text, part) : append_printable(text, part);
      });
      return text;
    }
    append_text(text, value);
    text = printable(text);
    charge.add(static_cast<int64_t>(text.capacity()));
    return text;
  }

  // Room for a row of these cells in text_.
  void make_room(const std::vector<std::string>& cells, TextCharge& charge) {
    const int64_t bytes = table_->row_bytes(cells);
    charge.add(2 * bytes);  // a cell is copied to be cut
    text_.reserve(text_.size() + static_cast<size_t>(bytes));
  }

  void append_row(const std::vector<std::string>& cells) {
    TextCharge charge(context_.memory);
    make_room(cells, charge);
    table_->append_row(text_, cells);
    flush_piece();
  }

  static bool is_number(const DataType& type) {
    return (type.id() >= TypeId::kInt8 && type.id() <= TypeId::kDecimal);
  }

  void begin_table() {
    std::vector<TextColumn> columns;
    std::vector<std::string> titles;
    for (const Field& field : schema_->fields()) {
      titles.push_back(printable(field.name));
      columns.push_back({titles.back(), is_number(field.type), !field.type.is_bytes()});
    }
    table_.emplace(std::move(columns), first_rows_, max_width_);
    {
      TextCharge charge(context_.memory);
      make_room(titles, charge);
      table_->append_titles(text_);
    }
    for (const auto& cells : first_rows_) append_row(cells);
    first_rows_.clear();
    first_rows_charge_.clear();
  }

  const Context context_;
  const int32_t max_width_;
  TextCharge first_rows_charge_;
  std::vector<std::vector<std::string>> first_rows_;
  std::optional<TextTable> table_;
};

}  // namespace

std::unique_ptr<BatchSink> make_row_sink(const Context& context, RowFormat format,
                                         const RowFormatOptions& options, SchemaPtr schema,
                                         std::unique_ptr<Output> output) {
  switch (format) {
    case RowFormat::kCsv:
      return std::make_unique<CsvSink>(std::move(schema), options, std::move(output));
    case RowFormat::kJsonl:
      return std::make_unique<JsonlSink>(std::move(schema), std::move(output));
    case RowFormat::kTable:
      return std::make_unique<TableSink>(context, std::move(schema), options, std::move(output));
  }
  fail(ErrorCode::kInternal, "unknown row format", "{}", static_cast<int>(format));
}

}  // namespace colonnade::cli
