// Columns whose values stand in the names of folders: "year=2024/month=3/part-0.parquet".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <colonnade/column.h>
#include <colonnade/context.h>
#include <colonnade/parquet.h>

namespace colonnade::parquet {

// The layout of Hive's partitioned tables, which Spark and others write, too
// (https://spark.apache.org/docs/latest/sql-data-sources-parquet.html#partition-discovery). Each
// folder of a path that is called key=value is one column; what "%" and two hexadecimal digits
// stand for in either is decoded once; __HIVE_DEFAULT_PARTITION__ is null.
class PartitionColumns {
 public:
  // `missing_is_null`: a path may lack a key that another has. kInvalidArgument naming the file
  // where it lacks one otherwise, has one twice, or where a key or value is no UTF-8.
  PartitionColumns(const std::vector<std::string>& paths, HivePartitioning partitioning,
                   bool missing_is_null);

  // In the order in which the paths have them. kTyped: int64 or date32 where every value is one.
  const std::vector<Field>& fields() const noexcept { return fields_; }
  std::optional<size_t> index_of(std::string_view name) const noexcept;

  // Whether the path at `path_index` has that key; only where missing_is_null it may not.
  bool is_given(size_t path_index, size_t index) const noexcept {
    return given_[path_index][index];
  }
  // The value of a column in the path at `path_index`: a flat column of one row.
  ColumnPtr value(const Context& context, size_t path_index, size_t index) const;

 private:
  std::vector<Field> fields_;
  std::vector<std::vector<std::optional<std::string>>> values_;  // by path, then by column
  std::vector<std::vector<bool>> given_;                         // the same
};

}  // namespace colonnade::parquet
