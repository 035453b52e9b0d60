// Row groups of random nested values, taken apart into levels slowly and plainly, with the values
// they must be read as.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "column/testing/reference.h"
#include "parquet/testing/file_builder.h"

namespace colonnade::parquet::testing {

// A field's tree: "i" an int32, "s" a string, "[x]" a list, "{xy}" a struct, "<xy>" a map; each may
// be null where a "?" follows.
struct NestedShape {
  std::string tree;
  int64_t num_rows = 300;
  double null_fraction = 0.2;
  int64_t max_elements = 5;       // of a list
  int64_t max_page_values = 100;  // each page has 1 to so many; v2 pages end with a row
  bool v2 = false;
  bool bit_packed_levels = false;  // v1
  CompressionCodec codec = CompressionCodec::kUncompressed;
};

struct WrittenNested {
  Bytes file;
  std::vector<colonnade::testing::Value> values;
};

WrittenNested write_random_nested(const NestedShape& shape, uint64_t seed);

}  // namespace colonnade::parquet::testing
