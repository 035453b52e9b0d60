// The lists and structs around one leaf, made of its levels.
#pragma once

#include <cstdint>
#include <vector>

#include <colonnade/column.h>
#include <colonnade/context.h>

#include "parquet/column/shape.h"
#include "parquet/column/validity.h"

namespace colonnade::parquet {

// The way from a field down to one of its leaves.
struct LeafPath {
  struct Step {
    Shape::Kind kind = Shape::Kind::kStruct;
    uint8_t valid_level = 0;  // these as in Shape
    uint8_t element_level = 0;
    uint8_t repetition_level = 0;
    DataType type;  // with this leaf alone below it; of a map a list of structs, too
  };
  std::vector<Step> steps;  // outermost first
  DataType leaf_type;
  bool leaf_nullable = true;  // by itself, not by a struct around it
  // Entries whose definition level is at least this are rows of the leaf's own column: the others
  // stand for lists that are null or empty.
  uint8_t slot_level = 0;
};

// `leaf` of the shape's leaves, counted from 0.
LeafPath leaf_path(const Field& field, const Shape& shape, int32_t leaf);

// Builds offsets and validity of every step of a path from levels, an entry for each value or null
// or empty list. Call order: begin(); append() some times; finish().
class NestingBuilder {
 public:
  static constexpr int64_t kMaxEntries = RowBlock::kMaxRows;  // of append()

  // `path` is referred to.
  NestingBuilder(const Context& context, const LeafPath& path);

  // A column of at most max_rows rows begins: a hint.
  void begin(int64_t max_rows);
  // n <= kMaxEntries. kCorruptData when an entry goes on with a list that is null or empty;
  // kNotSupported when a list column gets more elements than 32-bit offsets count.
  void append(const uint8_t* definition, const uint8_t* repetition, int64_t n);
  // The column of the path's first step (of the leaf where there is none) around the leaf's rows.
  ColumnPtr finish(ColumnPtr leaf, int64_t num_rows);

 private:
  struct Built {
    explicit Built(const Context& context) : validity(context, 0) {}
    Validity validity;
    int64_t rows = 0;
    MutableBuffer offsets;  // of a list: rows + 1 of them once finished
    int64_t elements = 0;
    bool open = false;  // a list: whether the entry before this one gave it an element
  };
  void append_struct(const LeafPath::Step& step, uint8_t list_level, const uint8_t* definition,
                     const uint8_t* repetition, int64_t n, Built& built);
  void append_list(const LeafPath::Step& step, const uint8_t* definition, const uint8_t* repetition,
                   int64_t n, Built& built);
  // valid[i] is 0 or 1
  static void append_validity(const uint8_t* valid, int64_t n, Built& built);

  Context context_;
  const LeafPath& path_;
  size_t num_counted_ = 0;    // steps up to the last that has offsets or validity
  std::vector<Built> built_;  // one for each step
};

}  // namespace colonnade::parquet
