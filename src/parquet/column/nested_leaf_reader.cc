#include "parquet/column/nested_leaf_reader.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"

namespace colonnade::parquet {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
constexpr int64_t kOffsetBits = 32;

}  // namespace

NestedLeafReader::NestedLeafReader(const Context& context, const ColumnReadOptions& options,
                                   const Leaf& leaf, LeafPath leaf_path, const ChunkMetadata& chunk,
                                   RowCursor rows, io::SequentialReader bytes)
    : context_(context),
      path_(std::move(leaf_path)),
      pages_(context, options, leaf, path_.leaf_type, chunk, std::move(bytes)),
      nesting_(context, path_),
      max_definition_(static_cast<uint8_t>(leaf.max_definition_level)),
      max_repetition_(static_cast<uint8_t>(leaf.max_repetition_level)),
      values_per_row_(static_cast<double>(chunk.num_values) /
                      static_cast<double>(std::max<int64_t>(rows.num_rows(), 1))),
      rows_(std::move(rows)),
      values_left_(chunk.num_values) {
  const int64_t num_rows = rows_.num_rows();
  if (chunk.num_values < num_rows || (max_repetition_ == 0 && chunk.num_values > num_rows)) {
    fail(ErrorCode::kCorruptData, "column chunk whose number of values does not fit its rows",
         "{} values, {} rows", chunk.num_values, num_rows);
  }
}

ColumnPtr NestedLeafReader::read(int64_t max_rows, int64_t max_bytes) {
  try {
    return read_rows(max_rows, max_bytes);
  } catch (Error& error) {
    pages_.locate(error);
    throw;
  }
}

void NestedLeafReader::next_page() {
  const DataPage page = pages_.next(values_left_);
  values_left_ -= page.num_values;
  definition_.start(page.definition.bytes, page.definition.encoding, max_definition_,
                    page.num_values);
  repetition_.start(page.repetition.bytes, page.repetition.encoding, max_repetition_,
                    page.num_values);
  LevelDecoder ahead = definition_;
  pages_.start_values(page, ahead.count(page.num_values, max_definition_));
  page_values_left_ = page.num_values;
}

void NestedLeafReader::decode_levels() {
  const int64_t n = std::min(page_values_left_, NestingBuilder::kMaxEntries);
  definition_.decode(n, definitions_);
  repetition_.decode(n, repetitions_);
  page_values_left_ -= n;
  begin_ = 0;
  end_ = n;
}

bool NestedLeafReader::has_entry() {
  if (begin_ < end_) return true;
  if (page_values_left_ == 0) {
    if (values_left_ == 0) return false;
    next_page();
  }
  decode_levels();
  return true;
}

NestedLeafReader::Entries NestedLeafReader::staged(int64_t max_rows) const noexcept {
  const int64_t available = end_ - begin_;
  if (max_repetition_ == 0) {
    const int64_t rows = std::min(available, max_rows);
    return {rows, rows, false};
  }
  const uint8_t* const repetition = repetitions_ + begin_;
  Entries entries{available, std::count(repetition, repetition + available, uint8_t{0}),
                  repetition[0] != 0};
  if (entries.rows <= max_rows) return entries;
  entries.length = 0;
  entries.rows = 0;
  for (; entries.length < available; ++entries.length) {
    if (repetition[entries.length] != 0) continue;
    if (entries.rows == max_rows) break;
    ++entries.rows;
  }
  return entries;
}

int64_t NestedLeafReader::append(const Entries& entries, Validity& validity, int64_t& slots,
                                 int64_t max_bits) {
  const uint8_t* const definition = definitions_ + begin_;
  uint8_t valid[NestingBuilder::kMaxEntries + 1];
  RowBlock block{.row = slots};
  for (int64_t i = 0; i < entries.length; ++i) {
    // Overwritten by the next entry where this one is no row of the leaf.
    valid[block.num_rows] = definition[i] == max_definition_ ? 1 : 0;
    block.num_valid += valid[block.num_rows];
    block.num_rows += definition[i] >= path_.slot_level ? 1 : 0;
  }
  const int64_t nesting_bits =
      max_repetition_ == 0 ? 0
                           : kOffsetBits * (entries.rows + (max_repetition_ - 1) * entries.length);
  if (nesting_bits > max_bits) return -1;
  if (block.num_valid < block.num_rows) {
    uint8_t* const bits = validity.room_for(slots, block.num_rows);
    bits::pack(valid, block.num_rows, bits, slots);
    block.validity = bits;
  }
  const int64_t bits = pages_.values().append(block, max_bits - nesting_bits);
  if (bits < 0) return -1;
  if (block.validity == nullptr) validity.append_valid(slots, block.num_rows);
  validity.count_nulls(block.num_rows - block.num_valid);
  nesting_.append(definition, repetitions_ + begin_, entries.length);
  slots += block.num_rows;
  begin_ += entries.length;
  return nesting_bits + bits;
}

void NestedLeafReader::skip(int64_t num_rows) {
  rows_.pass(num_rows);
  for (;;) {
    if (max_repetition_ == 0 && begin_ == end_ && page_values_left_ == 0) {
      // Whole pages, which hold as many rows as values.
      const int64_t passed = pages_.skip_pages(num_rows);
      values_left_ -= passed;
      num_rows -= passed;
    }
    if (!has_entry()) return;
    const Entries entries = staged(num_rows);
    if (entries.length == 0) return;
    const uint8_t* const definition = definitions_ + begin_;
    pages_.values().skip(std::count(definition, definition + entries.length, max_definition_));
    begin_ += entries.length;
    num_rows -= entries.rows;
  }
}

ColumnPtr NestedLeafReader::read_rows(int64_t max_rows, int64_t max_bytes) {
  const int64_t wanted = std::min(max_rows, rows_.left());
  int64_t bits_left = 8 * (max_bytes > 0 ? std::min(max_bytes, kMaxColumnBytes) : kMaxColumnBytes);
  Validity validity(context_, wanted);
  pages_.values().begin(static_cast<int64_t>(static_cast<double>(wanted) * values_per_row_),
                        max_bytes);
  nesting_.begin(wanted);
  int64_t done = 0;
  int64_t slots = 0;
  int64_t block_rows = NestingBuilder::kMaxEntries;
  bool finish_row = false;  // before more are begun
  while (max_repetition_ > 0 || done < wanted) {
    context_.cancel.check();
    if (max_repetition_ == 0 && rows_.to_skip() > 0) skip(rows_.to_skip());
    if (!has_entry()) break;
    const int64_t limit = std::min({block_rows, wanted - done, rows_.run()});
    const Entries entries = staged(finish_row ? 0 : limit);
    finish_row = false;
    if (entries.length == 0) {  // the next row
      if (done == wanted) break;
      skip(rows_.to_skip());
      continue;
    }
    if (done == 0 && entries.goes_on) {
      fail(ErrorCode::kCorruptData, "column chunk does not begin with a row", "repetition level {}",
           repetitions_[begin_]);
    }
    // The first row, and what goes on with a row, is read whatever it takes.
    const bool must = entries.rows == 0 || (done == 0 && entries.rows == 1);
    const int64_t bits = append(entries, validity, slots, must ? kNoLimit : bits_left);
    if (bits >= 0) {
      done += entries.rows;
      rows_.pass(entries.rows);
      bits_left = std::max<int64_t>(bits_left - bits, 0);
    } else if (must) {
      fail(ErrorCode::kNotSupported,
           "strings of one row do not fit 32-bit offsets; they do in other forms of strings");
    } else if (entries.goes_on) {
      finish_row = true;
    } else if (entries.rows == 1) {
      break;
    } else {
      // The most rows that fit are found by halving.
      block_rows = entries.rows / 2;
    }
  }
  if (done == 0 || (done < wanted && !has_entry())) {
    fail(ErrorCode::kCorruptData, "column chunk ends before its rows", "{} rows missing",
         rows_.num_rows() - rows_.position());
  }
  if (rows_.at_end()) {
    if (has_entry()) {
      fail(ErrorCode::kCorruptData, "column chunk holds more rows than its row group");
    }
    pages_.check_end();
  }
  return nesting_.finish(finish_leaf(validity, slots), done);
}

ColumnPtr NestedLeafReader::finish_leaf(Validity& validity, int64_t slots) {
  ColumnParts parts = pages_.values().finish();
  parts.null_count = 0;
  if (parts.storage == Storage::kNone) {
    parts.null_count = slots;
  } else if (path_.leaf_nullable) {
    // Required values are missing only where a struct around them is null.
    parts.null_count = validity.num_nulls();
    parts.validity = validity.finish(slots);
  }
  return Column::make(std::move(parts));
}

}  // namespace colonnade::parquet
