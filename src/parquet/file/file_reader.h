// An open Parquet file: its bytes, its footer, its schema.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <colonnade/context.h>
#include <colonnade/file.h>
#include <colonnade/parquet.h>

#include "parquet/column/leaf.h"
#include "parquet/format/metadata.h"

namespace colonnade::parquet {

// Immutable once open; shared by File and its scans. Thread-safe.
class FileReader {
 public:
  // Reads and indexes the footer. kCorruptData for what is no Parquet file, kNotSupported for an
  // encrypted one.
  static std::shared_ptr<const FileReader> open(const Context& context, FilePtr file,
                                                const OpenOptions& options);

  const FilePtr& file() const noexcept { return file_; }
  const Footer& footer() const noexcept { return footer_; }
  const FileSchema& schema() const noexcept { return schema_; }
  const OpenOptions& options() const noexcept { return options_; }
  const Context& context() const noexcept { return context_; }

  // Throws kIo when the file is no longer the one that was opened.
  void check_unchanged() const;

  // Where the row group's first chunk begins plus half of its compressed size: the row group
  // belongs to the byte range that holds this offset. The rule of parquet-mr
  // (ParquetMetadataConverter, filterFileMetaDataByMidpoint), which does not rely on
  // RowGroup.file_offset: old writers have it wrong.
  int64_t midpoint(int32_t row_group) const;

 private:
  FileReader(const Context& context, FilePtr file, const OpenOptions& options,
             FileIdentity identity, Footer footer);

  Context context_;
  FilePtr file_;
  OpenOptions options_;
  FileIdentity identity_;
  Footer footer_;
  FileSchema schema_;
};

// Indices into schema().fields of the selected top-level fields, in the selection's order.
// kNotFound for a name the file lacks, kInvalidArgument for one that is selected twice or that two
// fields have, kNotSupported for a field this version does not read.
std::vector<int32_t> select_fields(const FileReader& reader, const ColumnSelection& selection);

// The fields of a schema by name, for asking about many of them.
class FieldNames {
 public:
  explicit FieldNames(const Schema& schema);  // is referred to

  // The first of that name; none where there is no such field.
  std::optional<int32_t> index_of(std::string_view name) const;
  bool several_are_named(std::string_view name) const;

 private:
  struct Found {
    int32_t first;
    bool several;
  };
  std::unordered_map<std::string_view, Found> found_;
};

// kInvalidArgument, with what there is.
Error no_such_row_group(const FileReader& reader, int32_t ordinal);

}  // namespace colonnade::parquet
