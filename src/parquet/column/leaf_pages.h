// The pages of a column chunk, given to the reader of its values one after another.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <colonnade/context.h>
#include <colonnade/parquet.h>
#include <colonnade/type.h>

#include "io/read_plan.h"
#include "parquet/column/leaf.h"
#include "parquet/column/value_reader.h"
#include "parquet/format/metadata.h"
#include "parquet/page/page_reader.h"

namespace colonnade::parquet {

struct ColumnReadOptions {
  StringForm strings = StringForm::kOffsets32;
  OpenOptions open = {};  // what of them concerns pages and values
};

class LeafPages {
 public:
  // `bytes` are those of chunk_span(); `type` is what the leaf is read as. kNotSupported for a
  // chunk in another file, an encrypted one, or a leaf that is not read as this type; kCorruptData
  // when the chunk is of another physical type than its leaf.
  LeafPages(const Context& context, const ColumnReadOptions& options, const Leaf& leaf,
            const DataType& type, const ChunkMetadata& chunk, io::SequentialReader bytes);

  const Leaf& leaf() const noexcept { return leaf_; }
  ValueReader& values() noexcept { return *values_; }

  // The next data page; `values_left` (with nulls) are those that the chunk should still have.
  // kCorruptData when the page has more, and when there is no page while `values_left` > 0.
  DataPage next(int64_t values_left);
  // Passes over whole pages that hold at most `values_left` values (with nulls) together, without
  // decompressing them; returns the values passed.
  int64_t skip_pages(int64_t values_left);
  // Of that page, once its levels have told how many values it holds.
  void start_values(const DataPage& page, int64_t num_valid);
  // kCorruptData when the chunk holds more values. Called when all of its rows were read.
  void check_end();

  // Adds the leaf's name and where the current page begins.
  void locate(Error& error) const;

 private:
  Leaf leaf_;
  int64_t chunk_end_;  // offset in the file, as the metadata says
  PageReader pages_;
  std::unique_ptr<ValueReader> values_;
};

}  // namespace colonnade::parquet
