#include "parquet/column/column_reader.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/bits.h"
#include "base/fail.h"
#include "parquet/column/validity.h"
#include "parquet/encoding/rle_bits.h"

namespace colonnade::parquet {
namespace {

// Bit-packed definition levels of an optional column as one bit-packed run of the hybrid, whose
// bits begin with the least significant.
MutableBuffer as_run(const Context& context, std::span<const uint8_t> bytes) {
  constexpr int64_t kMaxVarintBytes = 10;
  const auto num_bytes = static_cast<int64_t>(bytes.size());
  MutableBuffer run = context.memory->allocate(kMaxVarintBytes + num_bytes);
  uint8_t* out = run.data();
  uint64_t header = static_cast<uint64_t>(num_bytes) << 1 | 1;
  for (; header >= 0x80; header >>= 7) *out++ = static_cast<uint8_t>(header | 0x80);
  *out++ = static_cast<uint8_t>(header);
  for (const uint8_t byte : bytes) {
    uint8_t reversed = 0;
    for (int bit = 0; bit < 8; ++bit) {
      reversed = static_cast<uint8_t>(reversed << 1 | (byte >> bit & 1));
    }
    *out++ = reversed;
  }
  run.resize(out - run.data());
  return run;
}

}  // namespace

struct ColumnReader::Impl {
  Impl(const Context& context_in, const ColumnReadOptions& options, const Leaf& leaf,
       const Field& field, const ChunkMetadata& chunk, RowCursor selected,
       io::SequentialReader bytes)
      : context(context_in),
        optional(leaf.max_definition_level > 0),
        values_left(chunk.num_values),
        rows(std::move(selected)),
        pages(context_in, options, leaf, field.type, chunk, std::move(bytes)) {}

  void next_page();
  void skip(int64_t n);
  ColumnPtr read(int64_t max_rows, int64_t max_bytes);
  // Decodes up to n rows of the page behind `row` rows of the column; returns the bits they take,
  // or -1 when that is more than max_bits: then nothing happened.
  int64_t append(Validity& validity, int64_t row, int64_t n, int64_t max_bits);

  Context context;
  bool optional;
  int64_t values_left;  // with nulls, behind the current page
  RowCursor rows;
  LeafPages pages;
  // The current page.
  int64_t page_rows_left = 0;
  RleBitsDecoder levels;  // optional columns
  MutableBuffer level_run;
};

void ColumnReader::Impl::next_page() {
  const DataPage page = pages.next(values_left);
  values_left -= page.num_values;
  int64_t num_valid = page.num_values;
  if (optional) {
    std::span<const uint8_t> runs = page.definition.bytes;
    if (page.definition.encoding == EncodingId::kBitPacked) {
      level_run = as_run(context, runs);
      runs = {level_run.data(), static_cast<size_t>(level_run.size())};
    }
    levels.start(runs, page.num_values);
    num_valid = levels.ones_left();
  }
  if (page.num_nulls && *page.num_nulls != page.num_values - num_valid) {
    fail(ErrorCode::kCorruptData, "page header and definition levels disagree about nulls",
         "{} nulls in the header, {} in the levels", *page.num_nulls, page.num_values - num_valid);
  }
  pages.start_values(page, num_valid);
  page_rows_left = page.num_values;
}

int64_t ColumnReader::Impl::append(Validity& validity, int64_t row, int64_t n, int64_t max_bits) {
  RowBlock block{.num_rows = n, .num_valid = n, .row = row};
  const bool has_nulls = optional && levels.ones_left() < levels.values_left();
  const RleBitsDecoder before = levels;
  if (has_nulls) {
    uint8_t* const bits = validity.room_for(row, n);
    block.num_valid = levels.decode(n, bits, row);
    if (block.num_valid < n) block.validity = bits;
  }
  const int64_t bits = pages.values().append(block, max_bits);
  if (bits < 0) {
    levels = before;
    return -1;
  }
  if (!has_nulls) validity.append_valid(row, n);
  validity.count_nulls(n - block.num_valid);
  page_rows_left -= n;
  rows.pass(n);
  return bits;
}

void ColumnReader::Impl::skip(int64_t n) {
  rows.pass(n);
  while (n > 0) {
    if (page_rows_left == 0) {
      const int64_t passed = pages.skip_pages(n);
      values_left -= passed;
      n -= passed;
      if (n == 0) break;
      next_page();
    }
    const int64_t in_page = std::min(n, page_rows_left);
    pages.values().skip(optional ? levels.skip(in_page) : in_page);
    page_rows_left -= in_page;
    n -= in_page;
  }
}

ColumnPtr ColumnReader::Impl::read(int64_t max_rows, int64_t max_bytes) {
  constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
  const int64_t wanted = std::min(max_rows, rows.left());
  int64_t bits_left = max_bytes > 0 && max_bytes < kNoLimit / 8 ? max_bytes * 8 : kNoLimit;
  Validity validity(context, wanted);
  pages.values().begin(wanted, max_bytes);
  int64_t done = 0;
  int64_t block_rows = RowBlock::kMaxRows;
  while (done < wanted) {
    context.cancel.check();
    if (rows.to_skip() > 0) skip(rows.to_skip());
    if (page_rows_left == 0) next_page();
    const int64_t n = std::min({block_rows, page_rows_left, wanted - done, rows.run()});
    // The first row is read whatever it takes.
    const bool must = done == 0 && n == 1;
    const int64_t bits = append(validity, done, n, must ? kNoLimit : bits_left);
    if (bits >= 0) {
      done += n;
      bits_left = std::max<int64_t>(bits_left - bits, 0);
    } else if (n == 1) {
      break;
    } else {
      // The longest run of rows that fits is found by halving.
      block_rows = n / 2;
    }
  }
  if (rows.at_end()) pages.check_end();
  ColumnParts parts = pages.values().finish();
  parts.null_count = validity.num_nulls();
  if (parts.storage != Storage::kNone) parts.validity = validity.finish(done);
  return Column::make(std::move(parts));
}

ColumnReader::ColumnReader(const Context& context, const ColumnReadOptions& options,
                           const Leaf& leaf, const Field& field, const ChunkMetadata& chunk,
                           RowCursor rows, io::SequentialReader bytes) {
  try {
    if (leaf.max_repetition_level > 0 || leaf.max_definition_level > 1) {
      fail(ErrorCode::kInternal, "a nested column is read as a flat one");
    }
    if (chunk.num_values != rows.num_rows()) {
      fail(ErrorCode::kCorruptData, "column chunk with another number of values than rows",
           "{} values, {} rows", chunk.num_values, rows.num_rows());
    }
    impl_ = std::make_unique<Impl>(context, options, leaf, field, chunk, std::move(rows),
                                   std::move(bytes));
  } catch (Error& error) {
    error.locate({.file = {}, .column = leaf.dotted_path});
    throw;
  }
}

ColumnReader::~ColumnReader() = default;
ColumnReader::ColumnReader(ColumnReader&&) noexcept = default;
ColumnReader& ColumnReader::operator=(ColumnReader&&) noexcept = default;

int64_t ColumnReader::rows_left() const noexcept { return impl_->rows.left(); }

ColumnPtr ColumnReader::read(int64_t max_rows, int64_t max_bytes) {
  try {
    return impl_->read(max_rows, max_bytes);
  } catch (Error& error) {
    impl_->pages.locate(error);
    throw;
  }
}

}  // namespace colonnade::parquet
