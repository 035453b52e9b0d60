// The types of groups: lists, maps and structs, modern and legacy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <colonnade/type.h>

#include "parquet/column/shape.h"
#include "parquet/format/metadata.h"

namespace colonnade::parquet {

struct NamedField {
  Field field;
  Shape shape;
  std::string refusal;  // not empty: why this version does not read it
};

// The field that element `index` of the schema, which is not the root, stands for; `index` moves
// behind the element and its descendants. A group that breaks the rules of its LIST or MAP
// annotation is a struct. kCorruptData naming the column where a leaf's types contradict one
// another.
NamedField make_field(const Footer& footer, TimeUnit int96_unit, int32_t& index);

}  // namespace colonnade::parquet
