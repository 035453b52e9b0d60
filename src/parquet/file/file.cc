// The public face of an open file, and the two ways to scan.
#include <colonnade/parquet.h>

#include <utility>

#include "base/fail.h"
#include "io/path_list.h"
#include "parquet/file/file_reader.h"
#include "parquet/file/metadata_json.h"
#include "parquet/file/row_group_units.h"
#include "parquet/file/scan.h"

namespace colonnade::parquet {

namespace {

void check_context(const Context& context) {
  if (!context.memory || !context.executor || !context.metrics)
    fail(ErrorCode::kInvalidArgument, "a context without memory, executor or metrics");
}

}  // namespace

struct File::Impl {
  std::shared_ptr<const FileReader> reader;

  const Footer& footer() const noexcept { return reader->footer(); }
};

File File::open(const std::string& path, const Context& context, const OpenOptions& options) {
  return open(open_local_file(path), context, options);
}

File File::open(FilePtr file, const Context& context, const OpenOptions& options) {
  if (!file) fail(ErrorCode::kInvalidArgument, "no file to open");
  check_context(context);
  File opened;
  opened.impl_ =
      std::make_shared<const Impl>(Impl{FileReader::open(context, std::move(file), options)});
  return opened;
}

const SchemaPtr& File::schema() const noexcept { return impl_->reader->schema().schema; }
const std::string& File::name() const noexcept { return impl_->reader->file()->name(); }
int64_t File::num_rows() const noexcept { return impl_->footer().num_rows(); }
int32_t File::num_row_groups() const noexcept {
  return static_cast<int32_t>(impl_->footer().row_groups().size());
}
int32_t File::num_leaf_columns() const noexcept { return impl_->footer().num_leaves(); }
int32_t File::format_version() const noexcept { return impl_->footer().version(); }
int64_t File::footer_bytes() const noexcept { return impl_->footer().size_bytes(); }
const std::string& File::created_by() const noexcept { return impl_->footer().created_by(); }
const std::vector<KeyValue>& File::key_value_metadata() const noexcept {
  return impl_->footer().key_value_metadata();
}

const std::string& File::refusal(int32_t index) const {
  const std::vector<FileField>& fields = impl_->reader->schema().fields;
  if (index < 0 || static_cast<size_t>(index) >= fields.size()) {
    throw Error(ErrorCode::kInvalidArgument, "no such field",
                fmt::format("field {}, the file has {}", index, fields.size()))
        .locate({.file = name()});
  }
  return fields[static_cast<size_t>(index)].refusal;
}
RowGroupInfo File::row_group(int32_t ordinal) const {
  return row_group_info(*impl_->reader, ordinal);
}
ColumnChunkInfo File::column_chunk(int32_t row_group, int32_t leaf) const {
  return column_chunk_info(*impl_->reader, row_group, leaf);
}

std::string File::schema_json() const { return parquet::schema_json(*impl_->reader); }
std::string File::metadata_json() const { return parquet::metadata_json(*impl_->reader); }

std::unique_ptr<BatchSource> File::scan(const ScanOptions& options) const {
  const std::shared_ptr<const FileReader>& reader = impl_->reader;
  std::vector<SelectedColumn> columns = select_columns(*reader, options.columns);
  std::vector<Field> fields;
  for (const SelectedColumn& column : columns) fields.push_back(column.field);
  SchemaPtr schema = scan_schema(std::move(fields), reader->schema().schema->metadata(), options);
  return make_scan(reader->context(), std::move(schema),
                   units_of_file(reader, std::move(columns), options), options);
}

std::vector<std::string> list_files(const std::string& path_or_glob, const Context& context) {
  return io::list_files(context.cancel, path_or_glob);
}

std::unique_ptr<BatchSource> scan_files(std::vector<std::string> paths, const ScanOptions& options,
                                        const Context& context, const OpenOptions& open_options) {
  check_context(context);
  if (paths.empty()) fail(ErrorCode::kInvalidArgument, "no files to scan");
  if (paths.size() > 1 && (options.row_groups || options.split || options.row_ranges)) {
    fail(ErrorCode::kInvalidArgument,
         "row groups, splits and row ranges belong to one file, not to several");
  }
  auto files = std::make_shared<const FileSet>(context, std::move(paths), options, open_options);
  SchemaPtr schema = scan_schema(files->fields(), files->metadata(), options);
  return make_scan(context, std::move(schema), units_of_files(std::move(files), options), options);
}

}  // namespace colonnade::parquet
