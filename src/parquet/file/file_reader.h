// An open Parquet file: its bytes, its footer, its schema.
#pragma once

#include <cstdint>
#include <memory>
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

// kInvalidArgument, with what there is.
Error no_such_row_group(const FileReader& reader, int32_t ordinal);

}  // namespace colonnade::parquet
