// The rows of one top-level field of a row group, in order, as columns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <colonnade/column.h>
#include <colonnade/context.h>

#include "io/read_plan.h"
#include "parquet/column/column_reader.h"
#include "parquet/column/nested_leaf_reader.h"
#include "parquet/column/row_reader.h"

namespace colonnade::parquet {

// The chunk of one of a field's leaves.
struct LeafChunk {
  Leaf leaf;
  ChunkMetadata metadata;
  io::SequentialReader bytes;  // those of chunk_span()
};

// Reads the chunks of a field front to back. One user at a time; holds what its leaves' readers
// hold, and of a nested field the rows that some of its leaves gave and others did not yet.
class FieldReader final : public RowReader {
 public:
  // `chunks`: one for each leaf of `shape`, in order. `rows`: those of the row group that are read.
  // Errors as those of ColumnReader and NestedLeafReader.
  FieldReader(const Context& context, const ColumnReadOptions& options, const Field& field,
              const Shape& shape, std::vector<LeafChunk> chunks, const RowCursor& rows);

  // As ColumnReader::read(); max_bytes is the limit of each leaf.
  ColumnPtr read(int64_t max_rows, int64_t max_bytes) override;

 private:
  struct NestedLeaf {
    std::unique_ptr<NestedLeafReader> reader;
    ColumnPtr waiting;  // rows that were read; null for none
  };

  Context context_;
  Field field_;
  Shape shape_;
  std::optional<ColumnReader> flat_;
  std::vector<NestedLeaf> leaves_;  // otherwise
};

}  // namespace colonnade::parquet
