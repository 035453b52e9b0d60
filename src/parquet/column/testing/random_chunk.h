// Column chunks of random values written slowly and plainly, with the values they must be read as.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "column/testing/reference.h"
#include "parquet/format/metadata.h"
#include "parquet/testing/file_builder.h"

namespace colonnade::parquet::testing {

// A type of column, and how one of its values looks in a page and in a column.
struct ValueKind {
  std::string name;
  PhysicalType type = PhysicalType::kInt32;
  int32_t type_length = 0;
  LogicalType logical_type = {};
  struct Written {
    Bytes plain;  // PLAIN encoding; of booleans one byte, 0 or 1
    colonnade::testing::Value value;
  };
  Written (*make)(std::mt19937_64& random, const ValueKind& kind) = nullptr;
};

// Every type that flat columns are read as, in every physical form it has. Kept inputs of the page
// fuzz target name a kind by its place: new ones go to the end.
const std::vector<ValueKind>& value_kinds();
const ValueKind& value_kind(const std::string& name);

struct ChunkShape {
  int64_t num_rows = 1000;
  bool optional = true;
  double null_fraction = 0.1;
  // Pages of the first part are dictionary-encoded, the rest PLAIN or what else the type has.
  double dictionary_fraction = 0.5;
  int64_t distinct_values = 50;
  int64_t max_page_rows = 100;  // each page has 1 to so many
  bool v2 = false;
  CompressionCodec codec = CompressionCodec::kUncompressed;
};

struct WrittenChunk {
  Bytes file;
  std::vector<colonnade::testing::Value> values;
};

WrittenChunk write_random_chunk(const ValueKind& kind, const ChunkShape& shape, uint64_t seed);

}  // namespace colonnade::parquet::testing
