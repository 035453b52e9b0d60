#include "parquet/file/file_set.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/fail.h"
#include "column/common_type.h"

namespace colonnade::parquet {
namespace {

[[noreturn]] void fail_repeated(const FileReader& reader, const std::string& column) {
  throw Error(ErrorCode::kInvalidArgument,
              "files of different schemas: several columns have this name")
      .locate({.file = reader.file()->name(), .column = column});
}

// Columns of a file under the names of others: by place where the names are the same in the same
// order (so that several may have one name), else by name.
class Matching {
 public:
  Matching(const std::vector<SelectedColumn>& columns, const FileReader& reader)
      : columns_(columns), reader_(reader), met_(columns.size()) {}

  // The index of the column that belongs to `name`, that of the `place`-th column of the files.
  std::optional<size_t> find(const std::string& name, size_t place) {
    if (in_order_ && place < columns_.size() && columns_[place].field.name == name) {
      met_[place] = true;
      return place;
    }
    if (in_order_) index_names();
    in_order_ = false;
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return std::nullopt;
    if (met_[found->second]) fail_repeated(reader_, name);  // the files before have it twice
    met_[found->second] = true;
    return found->second;
  }

  // Whether find() gave the column at `index`.
  bool met(size_t index) const { return met_[index]; }

 private:
  void index_names() {
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (!by_name_.try_emplace(columns_[i].field.name, i).second)
        fail_repeated(reader_, columns_[i].field.name);
    }
  }

  const std::vector<SelectedColumn>& columns_;
  const FileReader& reader_;
  std::vector<bool> met_;
  bool in_order_ = true;  // so far
  std::unordered_map<std::string_view, size_t> by_name_;
};

ColumnPtr null_value(const DataType& type) {
  const ColumnPtr null = Column::nulls(type, 1);
  return null->encoding() == Encoding::kConstant ? null->parts().dictionary->values : null;
}

}  // namespace

FileSet::FileSet(const Context& context, std::vector<std::string> paths, const ScanOptions& options,
                 const OpenOptions& open_options)
    : context_(context),
      open_options_(open_options),
      paths_(std::move(paths)),
      by_name_(options.union_by_name),
      selection_(options.columns),
      given_(options.columns.names),
      partitions_(paths_, options.hive_partitioning, options.union_by_name),
      first_(FileReader::open(context_, open_local_file(paths_.front()), open_options_)) {
  add_partitions();
  if (by_name_) {
    unite_all();
  } else {
    std::vector<bool> found(selection_.names.size());
    for (SelectedColumn& column : select(*first_, 0, found))
      outputs_.push_back({std::move(column.field), column.place, std::nullopt});
  }
  if (selection_.all) {
    // As the files have them, then the partitions, which were added first.
    std::rotate(outputs_.begin(), outputs_.begin() + std::ssize(partitions_.fields()),
                outputs_.end());
  } else {
    std::stable_sort(outputs_.begin(), outputs_.end(),
                     [](const Output& a, const Output& b) { return a.place < b.place; });
  }
}

// Takes the partition columns that are selected out of selection_.
void FileSet::add_partitions() {
  if (selection_.all) {
    for (size_t i = 0; i < partitions_.fields().size(); ++i)
      outputs_.push_back({partitions_.fields()[i], 0, i});
    return;
  }
  std::vector<std::string> of_files;
  for (size_t place = 0; place < given_.size(); ++place) {
    const std::optional<size_t> partition = partitions_.index_of(given_[place]);
    if (!partition) {
      of_files.push_back(given_[place]);
      places_.push_back(place);
      continue;
    }
    for (const Output& output : outputs_) {
      if (output.partition == partition) {
        throw Error(ErrorCode::kInvalidArgument, "column selected twice")
            .locate({.column = given_[place]});
      }
    }
    outputs_.push_back({partitions_.fields()[*partition], place, partition});
  }
  selection_.names = std::move(of_files);
}

// A file's own column is hidden by its path's key of that name, never by the key of other paths.
void FileSet::check_keys(const FileReader& reader, size_t index) const {
  for (size_t i = 0; i < partitions_.fields().size(); ++i) {
    const std::string& key = partitions_.fields()[i].name;
    if (partitions_.is_given(index, i)) continue;
    for (const Field& field : reader.schema().schema->fields()) {
      if (field.name != key) continue;
      throw Error(ErrorCode::kInvalidArgument,
                  "a file has a column that is a partition key in the paths of others",
                  "without partition columns (hive_partitioning) it is read")
          .locate({.file = reader.file()->name(), .column = key});
    }
  }
}

// The columns that the selection names in the file at `index`; those behind partition columns of
// their name are left out. Their places are those in the selection that was given.
std::vector<SelectedColumn> FileSet::select(const FileReader& reader, size_t index,
                                            std::vector<bool>& found) const {
  check_keys(reader, index);
  std::vector<SelectedColumn> columns = by_name_ ? select_present_columns(reader, selection_, found)
                                                 : select_columns(reader, selection_);
  if (selection_.all) {
    std::erase_if(columns, [this](const SelectedColumn& column) {
      return partitions_.index_of(column.field.name).has_value();
    });
  } else {
    for (SelectedColumn& column : columns) {
      if (partitions_.index_of(column.field.name)) {
        throw Error(ErrorCode::kNotFound, "no such column",
                    "a partition column hides the file's own, whose parts are not read")
            .locate({.file = reader.file()->name(), .column = column.field.name});
      }
      column.place = places_[column.place];
    }
  }
  return columns;
}

void FileSet::unite_all() {
  std::vector<bool> found(selection_.names.size());
  for (size_t i = 0; i < paths_.size(); ++i) {
    context_.cancel.check();
    const std::shared_ptr<const FileReader> reader = open(i);
    std::vector<SelectedColumn> columns = select(*reader, i, found);
    if (i == 0) {
      for (SelectedColumn& column : columns)
        outputs_.push_back({std::move(column.field), column.place, std::nullopt});
    } else {
      unite(std::move(columns), *reader);
    }
  }
  const auto lacking = std::find(found.begin(), found.end(), false);
  if (lacking == found.end()) return;
  throw Error(ErrorCode::kNotFound, "no such column",
              fmt::format("in none of {} files", paths_.size()))
      .locate({.column = selection_.names[static_cast<size_t>(lacking - found.begin())]});
}

void FileSet::unite(std::vector<SelectedColumn> columns, const FileReader& reader) {
  Matching matching(columns, reader);
  size_t place = 0;
  for (Output& output : outputs_) {
    if (output.partition) continue;
    const std::optional<size_t> found = matching.find(output.field.name, place++);
    if (!found) {
      output.field.nullable = true;
      continue;
    }
    const SelectedColumn& column = columns[*found];
    output.place = std::min(output.place, column.place);
    std::optional<Field> common = common_field(output.field, column.field);
    if (!common) {
      throw Error(ErrorCode::kInvalidArgument,
                  "files of different schemas: no type holds the column's values of all files",
                  fmt::format("'{}' here, '{}' in the files before", column.field.to_string(),
                              output.field.to_string()))
          .locate({.file = reader.file()->name(), .column = column.field.name});
    }
    output.field = *std::move(common);
  }
  std::unordered_set<std::string> names;
  for (const Output& output : outputs_) names.insert(output.field.name);
  for (size_t i = 0; i < columns.size(); ++i) {
    if (matching.met(i)) continue;
    if (!names.insert(columns[i].field.name).second) fail_repeated(reader, columns[i].field.name);
    outputs_.push_back({std::move(columns[i].field), columns[i].place, std::nullopt});
    outputs_.back().field.nullable = true;  // the files before lack it
  }
}

std::shared_ptr<const FileReader> FileSet::open(size_t index) const {
  if (index == 0) return first_;
  return FileReader::open(context_, open_local_file(paths_[index]), open_options_);
}

std::vector<Field> FileSet::fields() const {
  std::vector<Field> fields;
  for (const Output& output : outputs_) fields.push_back(output.field);
  return fields;
}

void FileSet::fail_missing(const Output& output, const FileReader& reader) const {
  throw Error(ErrorCode::kInvalidArgument, "files of different schemas: the column is missing",
              "the first file, '" + first_->file()->name() + "', has it; union_by_name reads nulls")
      .locate({.file = reader.file()->name(), .column = output.field.name});
}

void FileSet::check_fits(const Field& wanted, const Field& found, const FileReader& reader) const {
  bool fits = wanted.type == found.type && (wanted.nullable || !found.nullable);
  if (!fits && by_name_) {
    const std::optional<Field> common = common_field(wanted, found);
    fits = common && *common == wanted;
  }
  if (!fits) {
    const bool can_widen = !by_name_ && common_field(wanted, found).has_value();
    throw Error(
        ErrorCode::kInvalidArgument, "files of different schemas: the column has another type",
        fmt::format("'{}' here, '{}' in the first file, '{}'{}", found.to_string(),
                    wanted.to_string(), first_->file()->name(),
                    can_widen ? "; union_by_name reads both as a type that holds them" : ""))
        .locate({.file = reader.file()->name(), .column = wanted.name});
  }
}

std::vector<SelectedColumn> FileSet::columns_of(const FileReader& reader, size_t index) const {
  std::vector<bool> ignored(selection_.names.size());
  std::vector<SelectedColumn> columns;
  try {
    columns = select(reader, index, ignored);
  } catch (const Error& error) {
    if (index == 0 || error.code() != ErrorCode::kNotFound) throw;
    Output missing;
    missing.field.name = error.place().column;
    fail_missing(missing, reader);
  }
  Matching matching(columns, reader);
  std::vector<SelectedColumn> made;
  size_t place = 0;
  for (const Output& output : outputs_) {
    SelectedColumn column;
    column.field = output.field;
    if (output.partition) {
      column.value = partitions_.value(context_, index, *output.partition);
    } else if (const std::optional<size_t> found = matching.find(output.field.name, place++)) {
      column = columns[*found];
      check_fits(output.field, column.field, reader);
    } else if (by_name_) {
      column.value = null_value(output.field.type);
    } else {
      fail_missing(output, reader);
    }
    made.push_back(std::move(column));
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    if (matching.met(i)) continue;
    throw Error(ErrorCode::kInvalidArgument,
                "files of different schemas: the first file has no such column",
                "'" + first_->file()->name() + "'; union_by_name reads nulls there")
        .locate({.file = reader.file()->name(), .column = columns[i].field.name});
  }
  return made;
}

}  // namespace colonnade::parquet
