// How the levels of a field's leaves become a column.
#pragma once

#include <cstdint>
#include <vector>

namespace colonnade::parquet {

// A node of a field's tree, beside the type that it has there. Groups that only wrap a list or a
// map have no node of their own. Levels are those of
// https://parquet.apache.org/docs/file-format/nestedencoding/; a schema is at most
// Footer::kMaxSchemaDepth deep, so they fit a byte.
struct Shape {
  enum class Kind : uint8_t {
    kLeaf,
    kStruct,
    kList,  // a map too, of a struct of key and value
  };
  Kind kind = Kind::kLeaf;
  // The definition level from which on a row of this node is not null; 0: none is ever null.
  uint8_t valid_level = 0;
  // Of a list: the definition level from which on it has an element, and the repetition level of
  // its further elements.
  uint8_t element_level = 0;
  uint8_t repetition_level = 0;
  int32_t num_leaves = 1;
  std::vector<Shape> children;  // one of a list, one for each field of a struct
};

}  // namespace colonnade::parquet
