// From the Parquet schema to Colonnade's: which leaves a file has and what their values become.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <colonnade/type.h>

#include "parquet/column/shape.h"
#include "parquet/format/metadata.h"

namespace colonnade::parquet {

struct Leaf {
  int32_t index = 0;              // among the leaves of the file, depth first
  std::vector<std::string> path;  // without the root
  std::string dotted_path;
  PhysicalType physical_type = PhysicalType::kInt32;
  int32_t type_length = 0;  // kFixedLenByteArray: bytes of a value
  int16_t max_definition_level = 0;
  int16_t max_repetition_level = 0;
};

// A top-level field of a file and the leaves below it.
struct FileField {
  Field field;
  Shape shape;
  int32_t first_leaf = 0;  // of shape.num_leaves
  std::string refusal;  // not empty: why this version does not read it ("decimals of more than 76
                        // digits are not read")
};

struct FileSchema {
  // Its metadata is the file's key-value metadata without ARROW:schema, that of a field its id in
  // the file (PARQUET:field_id) where it has one.
  SchemaPtr schema;
  std::vector<Leaf> leaves;
  std::vector<FileField> fields;  // one per field of `schema`
  std::shared_ptr<const void>
      charge;  // of all this to the footer's memory; gives it back at the end
};

// Logical types with their converted-type forms; a logical type that this version does not know is
// none. A logical type that contradicts its physical type (a decimal of 12 digits in an INT32, a
// STRING on an INT64) is kCorruptData naming the column. INT96 is a timestamp of that unit.
// kOutOfBudget.
FileSchema make_file_schema(const Footer& footer, TimeUnit int96_unit = TimeUnit::kNano);

}  // namespace colonnade::parquet
