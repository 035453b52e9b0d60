// Reading Parquet files.
//
//   auto file = colonnade::parquet::File::open("lineitem.parquet");
//   auto scan = file.scan({.columns = {"l_orderkey", "l_shipdate"}, .threads = 2});
//   while (auto batch = scan->next()) consume(*batch);
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <colonnade/batch_stream.h>
#include <colonnade/context.h>
#include <colonnade/error.h>
#include <colonnade/export.h>
#include <colonnade/file.h>
#include <colonnade/type.h>

namespace colonnade::parquet {

struct OpenOptions {
  // A page that wants to be larger than this when decompressed is refused (kOutOfBudget).
  int64_t page_limit_bytes = int64_t{256} << 20;
  // Timestamps stored as INT96 become timestamps of this unit, rounded toward the past. One outside
  // of its range is kDataError naming the row, unless `int96_wraps`: then it wraps around modulo
  // 2^64, as in Spark (whose unit is kMicro).
  TimeUnit int96_unit = TimeUnit::kNano;
  bool int96_wraps = false;
  // Pages that carry a checksum (CRC-32) are compared with it: kCorruptData where it differs.
  bool verify_checksums = false;
};

// Which columns a scan gives: all in the file's order, or those named, in the order named. A name
// is that of a top-level column, or a dotted path into a nested one, which then has what is named
// alone: the path of a leaf or of a group around leaves as Parquet has it ("l.list.element.x"), or
// by the names of types ("l.element.x"; a map's keys are read with what is named of its values).
struct ColumnSelection {
  ColumnSelection() = default;  // all
  ColumnSelection(std::initializer_list<std::string> column_names)
      : all(false), names(column_names) {}
  ColumnSelection(std::vector<std::string> column_names)  // NOLINT: implicit on purpose
      : all(false), names(std::move(column_names)) {}
  // Rows only: batches without columns.
  static ColumnSelection none() { return ColumnSelection(std::vector<std::string>{}); }

  bool all = true;
  std::vector<std::string> names;
};

// The layout of string and binary columns in batches and exports.
enum class StringForm : uint8_t { kOffsets32, kOffsets64, kViews, kDictionary };

// A part of a file by bytes: a row group belongs to the split that holds the midpoint of its
// column chunks, so that splits that cover the file give each row group exactly once.
struct ByteRange {
  int64_t offset = 0;
  int64_t length = 0;
};

// Rows of a file, counted from 0 over its row groups.
struct RowRange {
  int64_t offset = 0;
  int64_t length = 0;
};

// What scan_files() makes of folders that are called key=value in the paths as they are given, the
// layout of Hive's partitioned tables. Each key becomes a nullable column behind those of the
// files, whose own column of that name is not read. "%20" is decoded; __HIVE_DEFAULT_PARTITION__ is
// null.
enum class HivePartitioning : uint8_t {
  kOff,
  kText,   // string columns
  kTyped,  // int64 or date32 where the values in all paths are such, else string
};

struct ScanOptions {
  ColumnSelection columns = {};
  std::optional<std::vector<int32_t>> row_groups = {};  // ordinals; read in the order given
  std::optional<ByteRange> split = {};  // with row_groups: those of them in the split
  // Only these rows of one file, of the row groups that are read; sorted, and apart from one
  // another. Pages without any are not decompressed where the column has no lists.
  std::optional<std::vector<RowRange>> row_ranges = {};
  // Names of int64 columns behind the others that number the rows: in their file, and in all files
  // together as they are listed. Empty: none.
  std::string row_number_column = {};
  std::string global_row_number_column = {};
  // Of several files (scan_files alone). Where their schemas differ, columns are matched by name:
  // one that a file lacks is null in its rows, and types become the narrowest that holds the values
  // of all (int32 and int64, float and double, decimals, fields of structs, null and any other);
  // kinds without such a type are kInvalidArgument. The schemas of all files are read first.
  bool union_by_name = false;
  HivePartitioning hive_partitioning = HivePartitioning::kTyped;
  int32_t threads =
      0;  // at most so many at work; 0: one per CPU this process may use; 1: only the caller's
  int64_t batch_rows = Batch::kDefaultRows;    // at most; 0: no limit
  int64_t batch_bytes = Batch::kDefaultBytes;  // at most, unless one row is larger; 0: no limit
  StringForm strings = StringForm::kOffsets32;
  int64_t waiting_bytes = int64_t{64}
                          << 20;  // of decoded columns that wait for their turn, about; 0: no limit

  // One batch per row group, more where 32-bit offsets would overflow: for a table that is kept.
  static ScanOptions whole_row_groups() {
    ScanOptions options;
    options.batch_rows = 0;
    options.batch_bytes = 0;
    options.waiting_bytes = 0;
    return options;
  }
};

struct ColumnChunkInfo {
  std::string path;                    // dotted
  std::string physical_type;           // "INT32", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY(7)"
  std::string codec;                   // "SNAPPY"
  std::vector<std::string> encodings;  // "PLAIN", "RLE_DICTIONARY"
  int64_t num_values = 0;              // with nulls
  int64_t compressed_bytes = 0;
  int64_t uncompressed_bytes = 0;
  int64_t first_page_offset = 0;  // of the dictionary page where there is one
  bool has_dictionary_page = false;
  // As written, as text; absent where the file has none, or only ones of an order not to be
  // trusted.
  std::optional<std::string> min;
  std::optional<std::string> max;
  std::optional<int64_t> null_count;
  std::optional<int64_t> distinct_count;
};

struct RowGroupInfo {
  int64_t num_rows = 0;
  int64_t compressed_bytes = 0;
  int64_t uncompressed_bytes = 0;
  int64_t first_page_offset = 0;
};

// An open file: its footer is indexed, the metadata of a column chunk is parsed when used.
// Copies share the file. Thread-safe. Scans keep the file open themselves.
class COLONNADE_API File {
 public:
  static File open(const std::string& path, const Context& context = {},
                   const OpenOptions& options = {});
  static File open(FilePtr file, const Context& context = {}, const OpenOptions& options = {});

  const SchemaPtr& schema() const noexcept;
  const std::string& name() const noexcept;
  int64_t num_rows() const noexcept;
  int32_t num_row_groups() const noexcept;
  int32_t num_leaf_columns() const noexcept;
  int32_t format_version() const noexcept;
  int64_t footer_bytes() const noexcept;
  const std::string& created_by() const noexcept;
  const std::vector<KeyValue>& key_value_metadata() const noexcept;

  // Why scan() refuses the field at `index` of schema(), such as "structs without fields are not
  // read"; empty for one that it reads. kInvalidArgument outside.
  const std::string& refusal(int32_t index) const;
  RowGroupInfo row_group(int32_t ordinal) const;                        // kInvalidArgument outside
  ColumnChunkInfo column_chunk(int32_t row_group, int32_t leaf) const;  // kInvalidArgument outside

  // {"fields": [{"name", "type", "nullable"}...]} and the footer as JSON (docs/formats/json.md).
  std::string schema_json() const;
  std::string metadata_json() const;

  // kNotFound for an unknown column, kNotSupported for a selected one that this version does not
  // read.
  std::unique_ptr<BatchSource> scan(const ScanOptions& options = {}) const;

 private:
  File() = default;
  struct Impl;
  std::shared_ptr<const Impl> impl_;  // never null
};

// Files that a path, glob (* ? [..] **) or folder stands for, sorted by path, bytewise. Folders are
// searched below; names starting with '.' or '_' or ending in .crc are left out (unless the path
// names the file itself, or the folder is a partition like "_year=2024"). kNotFound when nothing
// matches; kCancelled.
COLONNADE_API std::vector<std::string> list_files(const std::string& path_or_glob,
                                                  const Context& context = {});

// Several files as one source, in the order given; opened when their turn comes. A file whose
// schema differs is kInvalidArgument naming it and the first difference, unless
// options.union_by_name. `row_groups`, `split` and `row_ranges` are kInvalidArgument with more than
// one file.
COLONNADE_API std::unique_ptr<BatchSource> scan_files(std::vector<std::string> paths,
                                                      const ScanOptions& options = {},
                                                      const Context& context = {},
                                                      const OpenOptions& open_options = {});

}  // namespace colonnade::parquet
