// The rows of one leaf below lists or structs, in order, as columns of its path.
#pragma once

#include <cstdint>
#include <limits>

#include <colonnade/column.h>
#include <colonnade/context.h>

#include "io/read_plan.h"
#include "parquet/column/leaf_pages.h"
#include "parquet/column/nesting.h"
#include "parquet/column/row_cursor.h"
#include "parquet/encoding/level_decoder.h"

namespace colonnade::parquet {

// Reads a chunk front to back. One user at a time; holds one page, the chunk's dictionary and the
// levels of NestingBuilder::kMaxEntries values at a time. Not movable: what it builds refers to it.
class NestedLeafReader {
 public:
  // `leaf_path` is the leaf's way from the field; the rest as for ColumnReader.
  NestedLeafReader(const Context& context, const ColumnReadOptions& options, const Leaf& leaf,
                   LeafPath leaf_path, const ChunkMetadata& chunk, RowCursor rows,
                   io::SequentialReader bytes);
  NestedLeafReader(const NestedLeafReader&) = delete;
  NestedLeafReader& operator=(const NestedLeafReader&) = delete;

  int64_t rows_left() const noexcept { return rows_.left(); }
  // As ColumnReader::read(), with 4 bytes more counted for each list of a row and, below lists of
  // lists, for each entry. A row is never cut: one that began within the limits is read to its end.
  // Columns of more than kMaxColumnBytes end early, too, so that a row more than fits 32-bit
  // offsets; kNotSupported where a single row does not.
  ColumnPtr read(int64_t max_rows, int64_t max_bytes);

  static constexpr int64_t kMaxColumnBytes = int64_t{1} << 30;

 private:
  // Entries that are appended together, all of them in the current page.
  struct Entries {
    int64_t length = 0;
    int64_t rows = 0;      // that begin there
    bool goes_on = false;  // with the row before
  };
  bool has_entry();
  void next_page();
  void decode_levels();
  void skip(int64_t num_rows);
  // The staged entries of what goes on with the row before and of up to max_rows more.
  Entries staged(int64_t max_rows) const noexcept;
  // Appends the first staged entries behind `slots` rows of the leaf; returns the bits they take,
  // or -1, and nothing happened, when those are more than max_bits or the column cannot hold them.
  int64_t append(const Entries& entries, Validity& validity, int64_t& slots, int64_t max_bits);
  ColumnPtr read_rows(int64_t max_rows, int64_t max_bytes);
  ColumnPtr finish_leaf(Validity& validity, int64_t slots);

  Context context_;
  LeafPath path_;
  LeafPages pages_;
  NestingBuilder nesting_;
  uint8_t max_definition_;
  uint8_t max_repetition_;
  double values_per_row_;
  RowCursor rows_;
  int64_t values_left_;           // of the chunk behind the current page
  int64_t page_values_left_ = 0;  // whose levels are not staged yet
  LevelDecoder definition_;
  LevelDecoder repetition_;
  // Staged levels [begin, end).
  uint8_t definitions_[NestingBuilder::kMaxEntries];
  uint8_t repetitions_[NestingBuilder::kMaxEntries];
  int64_t begin_ = 0;
  int64_t end_ = 0;
};

}  // namespace colonnade::parquet
