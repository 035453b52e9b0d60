// Lists, structs and maps as Python objects.
#include <utility>
#include <vector>

#include "base/fail.h"
#include "text.h"
#include "value_reader.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

// The rows of the child that belong to one list.
struct ChildRows {
  int64_t begin;
  int64_t end;
};

ChildRows child_rows(const ColumnParts& parts, int64_t row) {
  const int64_t index = parts.offset + row;
  ChildRows rows{};
  switch (parts.storage) {
    case Storage::kList32:
      rows = {load<int32_t>(parts.offsets, index), load<int32_t>(parts.offsets, index + 1)};
      break;
    case Storage::kList64:
      rows = {load<int64_t>(parts.offsets, index), load<int64_t>(parts.offsets, index + 1)};
      break;
    case Storage::kFixedSizeList:
      rows = {index * parts.type.list_size(), (index + 1) * parts.type.list_size()};
      break;
    case Storage::kNone:
    case Storage::kBits:
    case Storage::kFixed:
    case Storage::kOffsets32:
    case Storage::kOffsets64:
    case Storage::kViews:
    case Storage::kStruct:
      fail(ErrorCode::kInternal, "a list column in a storage that lists do not have");
  }
  // An imported column may never have been validated.
  const int64_t num_children = parts.children.front()->length();
  if (rows.begin < 0 || rows.end < rows.begin || rows.end > num_children) {
    throw BadValue{ErrorCode::kCorruptData, "list offsets outside the elements",
                   fmt::format("from {} to {} of {}", rows.begin, rows.end, num_children)};
  }
  return rows;
}

class ListReader final : public ValueReader {
 public:
  ListReader(const ColumnPtr& column, Temporal temporal)
      : ValueReader(column), elements_(make_reader(parts().children.front(), temporal)) {}

  nb::object value(int64_t row) override {
    const ChildRows rows = child_rows(parts(), row);
    nb::list list;
    for (int64_t i = rows.begin; i < rows.end; ++i) list.append(elements_->read(i));
    return list;
  }

 private:
  ValueReaderPtr elements_;
};

class StructReader final : public ValueReader {
 public:
  StructReader(const ColumnPtr& column, Temporal temporal) : ValueReader(column) {
    const auto& fields = parts().type.fields();
    for (size_t i = 0; i < fields.size(); ++i) {
      names_.push_back(to_text(fields[i].name));
      values_.push_back(make_reader(parts().children[i], temporal));
    }
  }

  nb::object value(int64_t row) override {
    nb::dict dict;
    for (size_t i = 0; i < names_.size(); ++i) {
      dict[names_[i]] = values_[i]->read(parts().offset + row);
    }
    if (nb::len(dict) != names_.size()) {
      throw BadValue{ErrorCode::kDataError,
                     "a struct with two fields of one name does not fit into a dict",
                     {}};
    }
    return dict;
  }

 private:
  std::vector<nb::str> names_;
  std::vector<ValueReaderPtr> values_;
};

class MapReader final : public ValueReader {
 public:
  MapReader(const ColumnPtr& column, Temporal temporal)
      : ValueReader(column),
        entries_offset_(entries().offset),
        keys_(make_reader(entries().children.at(0), temporal)),
        values_(make_reader(entries().children.at(1), temporal)) {}

  nb::object value(int64_t row) override {
    const ChildRows rows = child_rows(parts(), row);
    nb::list list;
    for (int64_t i = rows.begin; i < rows.end; ++i) {
      const int64_t entry = entries_offset_ + i;
      list.append(nb::make_tuple(keys_->read(entry), values_->read(entry)));
    }
    return list;
  }

 private:
  const ColumnParts& entries() const { return parts().children.front()->parts(); }

  int64_t entries_offset_;  // of the struct, whose children are not shifted
  ValueReaderPtr keys_;
  ValueReaderPtr values_;
};

}  // namespace

ValueReaderPtr make_nested_reader(const ColumnPtr& column, Temporal temporal) {
  if (column->type().id() == TypeId::kStruct) {
    return std::make_unique<StructReader>(column, temporal);
  }
  if (column->type().id() == TypeId::kMap) return std::make_unique<MapReader>(column, temporal);
  return std::make_unique<ListReader>(column, temporal);
}

}  // namespace colonnade::python
