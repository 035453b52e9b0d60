#include "parquet/file/selection.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/fail.h"
#include "column/no_such_column.h"

namespace colonnade::parquet {
namespace {

// Whether `path` is `prefix` or goes on with a dot behind it.
bool begins_with_path(std::string_view path, std::string_view prefix) {
  return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '.');
}

// Marks the leaves that `path` below a node names, by the names of its types: a struct's fields, a
// list's element, a map's key and value. `first`: the node's first leaf.
bool mark_below(const Field& field, const Shape& shape, std::string_view path, size_t first,
                std::vector<bool>& wanted) {
  if (path.empty()) {
    std::fill_n(wanted.begin() + static_cast<ptrdiff_t>(first), shape.num_leaves, true);
    return true;
  }
  if (shape.kind == Shape::Kind::kLeaf) return false;
  if (field.type.id() == TypeId::kMap)  // its entries have no name of their own
    return mark_below(field.type.fields()[0], shape.children[0], path, first, wanted);
  for (size_t i = 0; i < shape.children.size(); ++i) {
    const Field& child = field.type.fields()[i];
    if (begins_with_path(path, child.name)) {
      const bool whole = path.size() == child.name.size();
      const std::string_view below = whole ? "" : path.substr(child.name.size() + 1);
      if ((whole || !below.empty()) && mark_below(child, shape.children[i], below, first, wanted))
        return true;
    }
    first += static_cast<size_t>(shape.children[i].num_leaves);
  }
  return false;
}

// What is left of a field with its wanted leaves alone; `next` moves behind its leaves.
SelectedColumn prune(const Field& field, const Shape& shape, int32_t first_leaf,
                     const std::vector<bool>& wanted, size_t& next) {
  SelectedColumn kept;
  kept.field = field;
  kept.shape = shape;
  if (shape.kind == Shape::Kind::kLeaf) {
    if (wanted[next]) kept.leaves.push_back(first_leaf + static_cast<int32_t>(next));
    ++next;
    return kept;
  }
  std::vector<Field> fields;
  kept.shape.children.clear();
  for (size_t i = 0; i < shape.children.size(); ++i) {
    SelectedColumn child =
        prune(field.type.fields()[i], shape.children[i], first_leaf, wanted, next);
    if (child.leaves.empty()) continue;
    fields.push_back(std::move(child.field));
    kept.shape.children.push_back(std::move(child.shape));
    kept.leaves.insert(kept.leaves.end(), child.leaves.begin(), child.leaves.end());
  }
  kept.shape.num_leaves = static_cast<int32_t>(kept.leaves.size());
  if (kept.leaves.empty() || kept.shape.num_leaves == shape.num_leaves) return kept;
  switch (field.type.id()) {
    case TypeId::kList:
      kept.field.type = DataType::list(std::move(fields[0]));
      break;
    case TypeId::kMap:
      if (fields[0].type.fields().size() < 2) {
        throw Error(ErrorCode::kInvalidArgument, "a map is read with its keys and its values")
            .locate({.column = field.name});
      }
      kept.field.type = DataType::map_of_entries(std::move(fields[0]), field.type.keys_sorted());
      break;
    default:
      kept.field.type = DataType::struct_of(std::move(fields));
  }
  return kept;
}

// A map's keys are read with its values.
void mark_keys(const Field& field, const Shape& shape, size_t first, std::vector<bool>& wanted) {
  const auto begin = wanted.begin() + static_cast<ptrdiff_t>(first);
  if (std::find(begin, begin + shape.num_leaves, true) == begin + shape.num_leaves) return;
  if (field.type.id() == TypeId::kMap)
    std::fill_n(begin, shape.children[0].children[0].num_leaves, true);
  for (size_t i = 0; i < shape.children.size(); ++i) {
    mark_keys(field.type.fields()[i], shape.children[i], first, wanted);
    first += static_cast<size_t>(shape.children[i].num_leaves);
  }
}

SelectedColumn whole(const FileField& field, size_t index) {
  SelectedColumn column;
  column.field = field.field;
  column.shape = field.shape;
  column.place = index;
  column.leaves.resize(static_cast<size_t>(field.shape.num_leaves));
  std::iota(column.leaves.begin(), column.leaves.end(), field.first_leaf);
  return column;
}

void check_readable(const FileReader& reader, const FileField& field, bool all) {
  if (field.refusal.empty()) return;
  throw Error(ErrorCode::kNotSupported, field.refusal,
              all ? "selecting other columns leaves it out (--columns, columns=)" : "")
      .locate({.file = reader.file()->name(), .column = field.field.name});
}

// Takes names one by one.
class Selecting {
 public:
  explicit Selecting(const FileReader& reader) : reader_(reader), names_(*reader.schema().schema) {}

  // The name at `place` of the selection; false where the file has no such column.
  bool add(const std::string& name, size_t place) {
    if (const std::optional<int32_t> index = names_.index_of(name)) {
      if (names_.several_are_named(name)) {
        throw Error(ErrorCode::kInvalidArgument, "several columns have this name")
            .locate({.file = reader_.file()->name(), .column = name});
      }
      mark(static_cast<size_t>(*index), name, {}, place);
      return true;
    }
    for (size_t i = 0; i < fields().size(); ++i) {
      if (!is_path_into(name, i)) continue;
      const std::string_view below =
          std::string_view(name).substr(fields()[i].field.name.size() + 1);
      if (leaves_of(i, name, below).empty()) continue;
      mark(i, name, below, place);
      return true;
    }
    return false;
  }

  // Whether the name would be a path into a column of the file, if the column had such a part.
  bool has_column_around(const std::string& name) const {
    for (size_t i = 0; i < fields().size(); ++i) {
      if (is_path_into(name, i)) return true;
    }
    return false;
  }

  std::vector<SelectedColumn> finish() && {
    std::vector<SelectedColumn> columns;
    for (Marked& marked : marked_) {
      const FileField& field = fields()[marked.field];
      check_readable(reader_, field, false);
      mark_keys(field.field, field.shape, 0, marked.leaves);
      size_t next = 0;
      columns.push_back(prune(field.field, field.shape, field.first_leaf, marked.leaves, next));
      columns.back().place = marked.place;
    }
    return columns;
  }

 private:
  const std::vector<FileField>& fields() const noexcept { return reader_.schema().fields; }

  // The leaves of a field that `name` is, or lies around, as Parquet's own path; none: by types.
  std::vector<bool> leaves_of(size_t index, std::string_view name, std::string_view below) const {
    const FileField& field = fields()[index];
    std::vector<bool> wanted(static_cast<size_t>(field.shape.num_leaves));
    bool any = false;
    for (size_t i = 0; i < wanted.size(); ++i) {
      const size_t leaf = static_cast<size_t>(field.first_leaf) + i;
      wanted[i] = begins_with_path(reader_.schema().leaves[leaf].dotted_path, name);
      any |= wanted[i];
    }
    if (!any && !mark_below(field.field, field.shape, below, 0, wanted)) wanted.clear();
    return wanted;
  }
  bool is_path_into(std::string_view name, size_t index) const {
    const std::string& field = fields()[index].field.name;
    return name.size() > field.size() + 1 && begins_with_path(name, field);
  }

  void mark(size_t index, const std::string& name, std::string_view below, size_t name_place) {
    const std::vector<bool> wanted =
        below.empty()
            ? std::vector<bool>(static_cast<size_t>(fields()[index].shape.num_leaves), true)
            : leaves_of(index, name, below);
    const auto [place, is_new] = places_.try_emplace(index, marked_.size());
    if (is_new) marked_.push_back({index, std::vector<bool>(wanted.size()), name_place});
    std::vector<bool>& marked = marked_[place->second].leaves;
    bool again = !is_new && wanted.empty();
    for (size_t i = 0; i < wanted.size(); ++i) {
      again |= marked[i] && wanted[i];
      if (wanted[i]) marked[i] = true;
    }
    if (again)
      throw Error(ErrorCode::kInvalidArgument, "column selected twice").locate({.column = name});
  }

  struct Marked {
    size_t field;
    std::vector<bool> leaves;  // those wanted
    size_t place;              // of the first name
  };

  const FileReader& reader_;
  FieldNames names_;
  std::vector<Marked> marked_;
  std::unordered_map<size_t, size_t> places_;  // of fields in marked_
};

}  // namespace

FieldNames::FieldNames(const Schema& schema) {
  for (int32_t i = 0; i < schema.num_fields(); ++i) {
    const auto [found, is_new] = found_.try_emplace(schema.field(i).name, Found{i, false});
    if (!is_new) found->second.several = true;
  }
}

std::optional<int32_t> FieldNames::index_of(std::string_view name) const {
  const auto found = found_.find(name);
  if (found == found_.end()) return std::nullopt;
  return found->second.first;
}

bool FieldNames::several_are_named(std::string_view name) const {
  const auto found = found_.find(name);
  return found != found_.end() && found->second.several;
}

namespace {

std::vector<SelectedColumn> every_column(const FileReader& reader) {
  std::vector<SelectedColumn> columns;
  for (const FileField& field : reader.schema().fields) {
    check_readable(reader, field, true);
    columns.push_back(whole(field, columns.size()));
  }
  return columns;
}

}  // namespace

std::vector<SelectedColumn> select_columns(const FileReader& reader,
                                           const ColumnSelection& selection) {
  if (selection.all) return every_column(reader);
  Selecting selecting(reader);
  for (size_t i = 0; i < selection.names.size(); ++i) {
    const std::string& name = selection.names[i];
    if (selecting.add(name, i)) continue;
    Error error = no_such_column(*reader.schema().schema, name);
    // A place without column and file is a column without a name, one with a file only a file.
    if (!name.empty()) error.locate({.file = reader.file()->name()});
    throw error;
  }
  return std::move(selecting).finish();
}

std::vector<SelectedColumn> select_present_columns(const FileReader& reader,
                                                   const ColumnSelection& selection,
                                                   std::vector<bool>& found) {
  if (selection.all) return every_column(reader);
  Selecting selecting(reader);
  for (size_t i = 0; i < selection.names.size(); ++i) {
    const std::string& name = selection.names[i];
    if (selecting.add(name, i)) {
      found[i] = true;
    } else if (selecting.has_column_around(name)) {
      throw Error(ErrorCode::kNotSupported, "a file lacks a part of a column that is named by path",
                  "the column as a whole is read, with nulls for what is missing")
          .locate({.file = reader.file()->name(), .column = name});
    }
  }
  return std::move(selecting).finish();
}

}  // namespace colonnade::parquet
