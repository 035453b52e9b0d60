// Several files as one: the columns of a scan of all, and how each file has them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <colonnade/context.h>
#include <colonnade/parquet.h>

#include "parquet/file/file_reader.h"
#include "parquet/file/partition_columns.h"
#include "parquet/file/selection.h"

namespace colonnade::parquet {

// Immutable once made. Thread-safe.
class FileSet {
 public:
  // Opens the first file, and all others for a moment where schemas are united. Errors as those of
  // scan_files(), select_columns() and PartitionColumns.
  FileSet(const Context& context, std::vector<std::string> paths, const ScanOptions& options,
          const OpenOptions& open_options);

  size_t num_files() const noexcept { return paths_.size(); }
  // The first file is open already.
  std::shared_ptr<const FileReader> open(size_t index) const;

  // The columns of the scan, but for row numbers, and the metadata of the first file's schema.
  std::vector<Field> fields() const;
  const std::vector<KeyValue>& metadata() const noexcept {
    return first_->schema().schema->metadata();
  }

  // What each of fields() is made of in the file at `index`. kInvalidArgument naming file and
  // column where the file's schema is another one: or, where schemas are united, has changed.
  std::vector<SelectedColumn> columns_of(const FileReader& reader, size_t index) const;

 private:
  struct Output {
    Field field;
    size_t place = 0;                 // of its first name in the selection
    std::optional<size_t> partition;  // of partitions_; else a column of the files
  };

  void add_partitions();
  void unite(std::vector<SelectedColumn> columns, const FileReader& reader);
  void unite_all();
  std::vector<SelectedColumn> select(const FileReader& reader, size_t index,
                                     std::vector<bool>& found) const;
  void check_keys(const FileReader& reader, size_t index) const;
  void check_fits(const Field& wanted, const Field& found, const FileReader& reader) const;
  [[noreturn]] void fail_missing(const Output& output, const FileReader& reader) const;

  Context context_;
  OpenOptions open_options_;
  std::vector<std::string> paths_;
  bool by_name_;
  ColumnSelection selection_;       // of files: without the names of partition columns
  std::vector<size_t> places_;      // of selection_'s names in the selection that was given
  std::vector<std::string> given_;  // that selection's names
  PartitionColumns partitions_;
  std::shared_ptr<const FileReader> first_;
  std::vector<Output> outputs_;
};

}  // namespace colonnade::parquet
