#include "parquet/column/nesting.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/fail.h"

namespace colonnade::parquet {
namespace {

// The part of `field` above one leaf; appends its steps.
Field add_steps(const Field& field, const Shape& shape, int32_t leaf, LeafPath& path) {
  if (shape.kind == Shape::Kind::kLeaf) {
    path.leaf_type = field.type;
    path.leaf_nullable = shape.valid_level > 0;
    return field;
  }
  const size_t index = path.steps.size();
  path.steps.push_back(
      {shape.kind, shape.valid_level, shape.element_level, shape.repetition_level, field.type});
  if (shape.kind == Shape::Kind::kList) path.slot_level = shape.element_level;
  size_t child = 0;
  while (leaf >= shape.children[child].num_leaves) leaf -= shape.children[child++].num_leaves;
  Field below = add_steps(field.type.fields()[child], shape.children[child], leaf, path);
  if (shape.num_leaves > 1) {
    path.steps[index].type = shape.kind == Shape::Kind::kList
                                 ? DataType::list(std::move(below))
                                 : DataType::struct_of({std::move(below)});
  }
  Field above = field;
  above.type = path.steps[index].type;
  return above;
}

}  // namespace

LeafPath leaf_path(const Field& field, const Shape& shape, int32_t leaf) {
  LeafPath path;
  add_steps(field, shape, leaf, path);
  return path;
}

NestingBuilder::NestingBuilder(const Context& context, const LeafPath& path)
    : context_(context), path_(path) {
  for (size_t i = 0; i < path.steps.size(); ++i) {
    const LeafPath::Step& step = path.steps[i];
    if (step.kind == Shape::Kind::kList || step.valid_level > 0) num_counted_ = i + 1;
  }
}

void NestingBuilder::begin(int64_t max_rows) {
  built_.clear();
  built_.reserve(path_.steps.size());
  for (const LeafPath::Step& step : path_.steps) {
    Built& built = built_.emplace_back(context_);
    if (step.kind != Shape::Kind::kList) continue;
    // Only of the outermost list is it known how many rows there will be.
    const int64_t rows = step.repetition_level == 1 ? max_rows : 0;
    built.offsets = context_.memory->allocate(bytes_to_reserve(rows + 1, 32, 0));
  }
}

void NestingBuilder::append(const uint8_t* definition, const uint8_t* repetition, int64_t n) {
  uint8_t definitions[kMaxEntries];
  uint8_t repetitions[kMaxEntries];
  uint8_t list_level = 0;
  for (size_t i = 0; i < num_counted_; ++i) {
    const LeafPath::Step& step = path_.steps[i];
    if (step.kind == Shape::Kind::kStruct) {
      append_struct(step, list_level, definition, repetition, n, built_[i]);
      continue;
    }
    append_list(step, definition, repetition, n, built_[i]);
    list_level = step.repetition_level;
    if (i + 1 == num_counted_) break;
    // Below the list there are its elements only.
    int64_t kept = 0;
    for (int64_t entry = 0; entry < n; ++entry) {
      const uint8_t level = definition[entry];
      definitions[kept] = level;
      repetitions[kept] = repetition[entry];
      kept += level >= step.element_level;
    }
    definition = definitions;
    repetition = repetitions;
    n = kept;
  }
}

void NestingBuilder::append_struct(const LeafPath::Step& step, uint8_t list_level,
                                   const uint8_t* definition, const uint8_t* repetition, int64_t n,
                                   Built& built) {
  if (step.valid_level == 0) return;
  uint8_t valid[kMaxEntries + 1];
  int64_t rows = 0;
  for (int64_t i = 0; i < n; ++i) {
    // Entries of a deeper repetition go on with a list below this struct.
    valid[rows] = definition[i] >= step.valid_level;
    rows += repetition[i] <= list_level;
  }
  append_validity(valid, rows, built);
}

void NestingBuilder::append_list(const LeafPath::Step& step, const uint8_t* definition,
                                 const uint8_t* repetition, int64_t n, Built& built) {
  const uint8_t level = step.repetition_level;
  if (built.elements > std::numeric_limits<int32_t>::max() - n) {
    fail(ErrorCode::kNotSupported, "a column of lists with more elements than 32-bit offsets count",
         "{} elements", built.elements);
  }
  // Each entry goes on with a list only as a further element of one that has elements.
  if (n == 0) return;
  const auto exists = [definition, element_level = step.element_level](int64_t i) {
    return definition[i] >= element_level;
  };
  uint8_t goes_on_with_nothing = repetition[0] >= level && !(built.open && exists(0));
  for (int64_t i = 1; i < n; ++i) {
    // Both must exist: the lesser level decides, and the loop has no branch.
    const uint8_t least = std::min(definition[i - 1], definition[i]);
    const int bad = (repetition[i] >= level ? 1 : 0) & (least < step.element_level ? 1 : 0);
    goes_on_with_nothing = static_cast<uint8_t>(goes_on_with_nothing | bad);
  }
  if (goes_on_with_nothing != 0) {
    fail(ErrorCode::kCorruptData, "levels go on with a list that is null or empty",
         "repetition level {}", level);
  }
  built.open = exists(n - 1);

  built.offsets.resize((built.rows + n + 1) * static_cast<int64_t>(sizeof(int32_t)));
  int32_t* const offsets = built.offsets.as<int32_t>() + built.rows;
  uint8_t valid[kMaxEntries + 1];
  auto elements = static_cast<int32_t>(built.elements);
  int64_t rows = 0;
  for (int64_t i = 0; i < n; ++i) {
    // Overwritten by the next entry where this one does not begin a list.
    offsets[rows] = elements;
    valid[rows] = definition[i] >= step.valid_level;
    rows += repetition[i] < level;
    elements += exists(i) & (repetition[i] <= level);
  }
  built.elements = elements;
  append_validity(valid, rows, built);
}

void NestingBuilder::append_validity(const uint8_t* valid, int64_t n, Built& built) {
  const int64_t num_nulls = std::count(valid, valid + n, uint8_t{0});
  if (num_nulls == 0) {
    built.validity.append_valid(built.rows, n);
  } else {
    bits::pack(valid, n, built.validity.room_for(built.rows, n), built.rows);
    built.validity.count_nulls(num_nulls);
  }
  built.rows += n;
}

ColumnPtr NestingBuilder::finish(ColumnPtr leaf, int64_t num_rows) {
  // The rows of each step: those of the list around it.
  std::vector<int64_t> rows;
  for (size_t i = 0; i < path_.steps.size(); ++i) {
    rows.push_back(num_rows);
    if (path_.steps[i].kind == Shape::Kind::kList) num_rows = built_[i].elements;
  }
  ColumnPtr column = std::move(leaf);
  for (size_t i = path_.steps.size(); i-- > 0;) {
    Built& built = built_[i];
    ColumnParts parts;
    parts.type = path_.steps[i].type;
    parts.length = rows[i];
    parts.null_count = built.validity.num_nulls();
    parts.validity = built.validity.finish(rows[i]);
    parts.storage = Storage::kStruct;
    if (path_.steps[i].kind == Shape::Kind::kList) {
      parts.storage = Storage::kList32;
      built.offsets.resize((rows[i] + 1) * static_cast<int64_t>(sizeof(int32_t)));
      built.offsets.as<int32_t>()[rows[i]] = static_cast<int32_t>(built.elements);
      parts.offsets = std::move(built.offsets).freeze();
    }
    parts.children.push_back(std::move(column));
    column = Column::make(std::move(parts));
  }
  return column;
}

}  // namespace colonnade::parquet
