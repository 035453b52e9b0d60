// Column chunks of files in memory or of the corpus, read as a scan reads them.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <colonnade/column.h>
#include <colonnade/context.h>
#include <colonnade/file.h>

#include "column/testing/reference.h"
#include "parquet/column/field_reader.h"
#include "parquet/column/leaf.h"
#include "parquet/format/metadata.h"
#include "parquet/testing/thrift_writer.h"

namespace colonnade::parquet::testing {

inline constexpr int64_t kAllRows = std::numeric_limits<int64_t>::max();

struct ReadTrial {
  int64_t max_rows = kAllRows;  // of each read()
  int64_t max_bytes = 0;
  ColumnReadOptions options = {};
  int64_t window_bytes = int64_t{1} << 20;
  std::shared_ptr<const RowSpans> selected = nullptr;  // null: all rows
};

// A file whose chunks are read into a memory tree of its own.
class ChunkFile {
 public:
  explicit ChunkFile(const Bytes& bytes, const MemoryOptions& memory = {});
  static ChunkFile open(const std::string& path, const MemoryOptions& memory = {});

  const Footer& footer() const noexcept { return footer_; }
  const FileSchema& schema() const noexcept { return schema_; }
  const Context& context() const noexcept { return context_; }
  const std::shared_ptr<MemoryPool>& pool() const noexcept { return context_.memory; }

  ColumnReader reader(const ReadTrial& trial = {}, int32_t leaf = 0, int32_t row_group = 0) const;
  FieldReader field_reader(const ReadTrial& trial = {}, int32_t field = 0,
                           int32_t row_group = 0) const;
  // All rows of a field, whatever its shape.
  std::vector<colonnade::testing::Value> field_values(const ReadTrial& trial = {},
                                                      int32_t field = 0,
                                                      int32_t row_group = 0) const;
  // All columns that a chunk is read as.
  std::vector<ColumnPtr> columns(const ReadTrial& trial = {}, int32_t leaf = 0,
                                 int32_t row_group = 0) const;
  // All values of a chunk. Each column is checked: as long as was asked for unless bytes are
  // limited, no validity without nulls, zeros in null slots and behind the end.
  std::vector<colonnade::testing::Value> values(const ReadTrial& trial = {}, int32_t leaf = 0,
                                                int32_t row_group = 0) const;

 private:
  ChunkFile(FilePtr file, const MemoryOptions& memory);

  Context context_;
  FilePtr file_;
  Footer footer_;
  FileSchema schema_;
};

// Fails the running test when the column breaks what every column promises.
void expect_well_formed(const Column& column);

}  // namespace colonnade::parquet::testing
