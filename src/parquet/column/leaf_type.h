// The type of a leaf: physical type, logical type and converted type in one.
#pragma once

#include <string>
#include <string_view>

#include <colonnade/type.h>

#include "parquet/format/metadata.h"

namespace colonnade::parquet {

struct LeafType {
  DataType type;
  std::string refusal;  // not empty: why this version does not read it
};

// The logical type, else the one that the converted type stands for (times and timestamps of
// converted types are in UTC). INTERVAL, which has no logical type, gives kNone.
LogicalType effective_logical_type(const SchemaElement& element);

// What the element's annotation says that its type here does not: "JSON", "VARIANT", ...; empty for
// most.
std::string_view annotation_beyond_type(const SchemaElement& element) noexcept;

// Of an element that is no group. kCorruptData, without the column's name, where logical and
// physical type contradict one another.
LeafType leaf_type(const SchemaElement& element, TimeUnit int96_unit);

}  // namespace colonnade::parquet
