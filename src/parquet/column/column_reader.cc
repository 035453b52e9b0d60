#include "parquet/column/column_reader.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/bits.h"
#include "base/fail.h"
#include "parquet/column/value_reader.h"
#include "parquet/encoding/rle_bits.h"
#include "parquet/encoding/value_encoding.h"
#include "parquet/page/page_reader.h"

namespace colonnade::parquet {
namespace {

PageReadOptions page_options(const ColumnReadOptions& options, const Leaf& leaf,
                             const DataType& type, const ChunkMetadata& chunk) {
  PageReadOptions page;
  page.codec = chunk.codec;
  page.max_definition_level = leaf.max_definition_level;
  page.page_limit_bytes = options.page_limit_bytes;
  page.share_data_pages = options.strings == StringForm::kViews && type.is_bytes();
  return page;
}

// The validity of a column's rows: nothing until the first null.
class Validity {
 public:
  explicit Validity(const Context& context, int64_t max_rows)
      : context_(context), max_rows_(max_rows) {}

  int64_t num_nulls() const noexcept { return num_nulls_; }
  const uint8_t* bits() const noexcept { return bits_.data(); }

  // Takes the validity of rows [row, row + n) from the page's levels; returns how many are valid.
  // Can be called again for the same rows or for others that begin there.
  int64_t decode(RleBitsDecoder& levels, int64_t row, int64_t n) {
    if (!started_) {
      bits_ = context_.memory->allocate(bytes_to_reserve(max_rows_, 1, 0));
      started_ = true;
      make_room(row);
      bits::fill(bits_.data(), 0, row, true);
    }
    make_room(row + n);
    return levels.decode(n, bits_.data(), row);
  }
  void append_valid(int64_t row, int64_t n) {
    if (!started_) return;
    make_room(row + n);
    bits::fill(bits_.data(), row, n, true);
  }
  void count_nulls(int64_t n) noexcept { num_nulls_ += n; }

  // Empty where no row is null.
  Buffer finish(int64_t num_rows) {
    if (num_nulls_ == 0) return {};
    make_room(num_rows);
    bits::fill(bits_.data(), num_rows, bits_.size() * 8 - num_rows, false);
    return std::move(bits_).freeze();
  }

 private:
  void make_room(int64_t num_rows) { bits_.resize(bits::bytes_for(num_rows)); }

  const Context& context_;
  int64_t max_rows_;
  MutableBuffer bits_;
  bool started_ = false;
  int64_t num_nulls_ = 0;
};

}  // namespace

struct ColumnReader::Impl {
  Impl(const Context& context_in, const ColumnReadOptions& options, const Leaf& leaf_in,
       const Field& field, const ChunkMetadata& chunk, int64_t num_rows, io::SequentialReader bytes)
      : context(context_in),
        leaf(leaf_in),
        rows_left(num_rows),
        chunk_end(bytes.position() + chunk.compressed_bytes),
        pages(context_in, page_options(options, leaf_in, field.type, chunk), std::move(bytes)),
        values(make_value_reader(context_in, leaf_in, field.type, options.strings)) {}

  void next_page();
  ColumnPtr read(int64_t max_rows, int64_t max_bytes);
  // Decodes up to n rows of the page behind `row` rows of the column; returns the bits they take,
  // or -1 when that is more than max_bits: then nothing happened.
  int64_t append(Validity& validity, int64_t row, int64_t n, int64_t max_bits);

  Context context;
  Leaf leaf;
  int64_t rows_left;  // not read yet
  int64_t chunk_end;  // offset in the file, as the metadata says
  PageReader pages;
  std::unique_ptr<ValueReader> values;
  // The current page.
  int64_t page_rows_left = 0;
  RleBitsDecoder levels;  // optional columns
};

void ColumnReader::Impl::next_page() {
  for (;;) {
    std::optional<Page> page = pages.next();
    if (!page) {
      fail(ErrorCode::kCorruptData, "column chunk ends before its rows", "{} rows missing",
           rows_left);
    }
    if (DictionaryPage* dictionary = std::get_if<DictionaryPage>(&*page)) {
      values->set_dictionary(std::move(*dictionary));
      continue;
    }
    const DataPage& data = std::get<DataPage>(*page);
    if (data.num_values > rows_left) {
      fail(ErrorCode::kCorruptData, "column chunk holds more values than its row group rows",
           "{} values in the page, {} rows left", data.num_values, rows_left);
    }
    int64_t num_valid = data.num_values;
    if (leaf.max_definition_level > 0) {
      levels.start(data.definition_runs, data.num_values);
      num_valid = levels.ones_left();
    }
    if (data.num_nulls && *data.num_nulls != data.num_values - num_valid) {
      fail(ErrorCode::kCorruptData, "page header and definition levels disagree about nulls",
           "{} nulls in the header, {} in the levels", *data.num_nulls,
           data.num_values - num_valid);
    }
    values->start_page(data, value_encoding(data.encoding, leaf.physical_type), num_valid);
    page_rows_left = data.num_values;
    return;
  }
}

int64_t ColumnReader::Impl::append(Validity& validity, int64_t row, int64_t n, int64_t max_bits) {
  RowBlock block{.num_rows = n, .num_valid = n, .row = row};
  const bool has_nulls = leaf.max_definition_level > 0 && levels.ones_left() < levels.values_left();
  const RleBitsDecoder before = levels;
  if (has_nulls) {
    block.num_valid = validity.decode(levels, row, n);
    if (block.num_valid < n) block.validity = validity.bits();
  }
  const int64_t bits = values->append(block, max_bits);
  if (bits < 0) {
    levels = before;
    return -1;
  }
  if (!has_nulls) validity.append_valid(row, n);
  validity.count_nulls(n - block.num_valid);
  page_rows_left -= n;
  rows_left -= n;
  return bits;
}

ColumnPtr ColumnReader::Impl::read(int64_t max_rows, int64_t max_bytes) {
  constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
  const int64_t wanted = std::min(max_rows, rows_left);
  int64_t bits_left = max_bytes > 0 && max_bytes < kNoLimit / 8 ? max_bytes * 8 : kNoLimit;
  Validity validity(context, wanted);
  values->begin(wanted, max_bytes);
  int64_t rows = 0;
  int64_t block_rows = RowBlock::kMaxRows;
  while (rows < wanted) {
    context.cancel.check();
    if (page_rows_left == 0) next_page();
    const int64_t n = std::min({block_rows, page_rows_left, wanted - rows});
    // The first row is read whatever it takes.
    const bool must = rows == 0 && n == 1;
    const int64_t bits = append(validity, rows, n, must ? kNoLimit : bits_left);
    if (bits >= 0) {
      rows += n;
      bits_left = std::max<int64_t>(bits_left - bits, 0);
    } else if (n == 1) {
      break;
    } else {
      // The longest run of rows that fits is found by halving.
      block_rows = n / 2;
    }
  }
  if (rows_left == 0) {
    if (const int64_t more = pages.count_remaining_values(chunk_end); more > 0) {
      fail(ErrorCode::kCorruptData, "column chunk holds more values than its row group rows",
           "{} values behind the last row", more);
    }
  }
  ColumnParts parts = values->finish();
  parts.null_count = validity.num_nulls();
  if (parts.storage != Storage::kNone) parts.validity = validity.finish(rows);
  return Column::make(std::move(parts));
}

ColumnReader::ColumnReader(const Context& context, const ColumnReadOptions& options,
                           const Leaf& leaf, const Field& field, const ChunkMetadata& chunk,
                           int64_t num_rows, io::SequentialReader bytes) {
  try {
    if (leaf.max_repetition_level > 0 || leaf.max_definition_level > 1) {
      fail(ErrorCode::kNotSupported, "nested columns are not read yet");
    }
    if (chunk.encrypted) fail(ErrorCode::kNotSupported, "encrypted columns are not read yet");
    if (!chunk.file_path.empty()) {
      fail(ErrorCode::kNotSupported, "column chunks in other files are not read", "file '{}'",
           chunk.file_path);
    }
    if (chunk.type != leaf.physical_type) {
      fail(ErrorCode::kCorruptData, "column chunk of another type than its column",
           "{} in the chunk, {} in the schema", name(chunk.type), name(leaf.physical_type));
    }
    if (chunk.num_values != num_rows) {
      fail(ErrorCode::kCorruptData, "column chunk with another number of values than rows",
           "{} values, {} rows", chunk.num_values, num_rows);
    }
    impl_ =
        std::make_unique<Impl>(context, options, leaf, field, chunk, num_rows, std::move(bytes));
  } catch (Error& error) {
    error.locate({.file = {}, .column = leaf.dotted_path});
    throw;
  }
}

ColumnReader::~ColumnReader() = default;
ColumnReader::ColumnReader(ColumnReader&&) noexcept = default;
ColumnReader& ColumnReader::operator=(ColumnReader&&) noexcept = default;

int64_t ColumnReader::rows_left() const noexcept { return impl_->rows_left; }

ColumnPtr ColumnReader::read(int64_t max_rows, int64_t max_bytes) {
  try {
    return impl_->read(max_rows, max_bytes);
  } catch (Error& error) {
    error.locate(
        {.file = {}, .column = impl_->leaf.dotted_path, .page_offset = impl_->pages.page_offset()});
    throw;
  }
}

}  // namespace colonnade::parquet
