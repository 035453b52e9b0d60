// Which columns of a file a scan reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <colonnade/column.h>
#include <colonnade/parquet.h>

#include "parquet/column/shape.h"
#include "parquet/file/file_reader.h"

namespace colonnade::parquet {

// A top-level column of a scan, and what it is made of in a file.
struct SelectedColumn {
  Field field;
  Shape shape;
  std::vector<int32_t> leaves;  // as many as the shape's, in order; into FileSchema::leaves
  ColumnPtr value = nullptr;    // instead of leaves: what every row has (flat, of one row)
  size_t place = 0;  // of the first name in the selection that names it; of the field for all
};

// The columns that the selection names, in its order: a top-level field, or a dotted path to what
// lies below one (ColumnSelection); the parts of one field make one column at the place of the
// first. kNotFound for what the file lacks, kInvalidArgument for what is selected twice, a name
// that two fields have, and the keys of a map without its values; kNotSupported for a field this
// version does not read.
std::vector<SelectedColumn> select_columns(const FileReader& reader,
                                           const ColumnSelection& selection);

// The same for a file that may lack columns. `found`, as long as selection.names, becomes true for
// each name that the file has. kNotSupported for a path into a column that the file has, but not
// that part of it.
std::vector<SelectedColumn> select_present_columns(const FileReader& reader,
                                                   const ColumnSelection& selection,
                                                   std::vector<bool>& found);

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

}  // namespace colonnade::parquet
