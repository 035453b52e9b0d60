// What becomes of the fixed-width values of a leaf: from the physical type to the column's storage.
#pragma once

#include <cstdint>

#include <colonnade/type.h>

#include "parquet/column/leaf.h"

namespace colonnade::parquet {

enum class Conversion : uint8_t {
  kCopy,       // the bytes as they are
  kInt32To8,   // the low 8 bits: a value outside the type's range wraps around, as in pyarrow
  kInt32To16,  // the low 16 bits, likewise
  kInt64To32,  // kCorruptData for a value that does not fit
  kInterval,   // months, days and milliseconds of 32 bits each, unsigned; kCorruptData for a value
               // that does not fit int32 months and days
  kInt96,      // a timestamp; not by convert_values()
  kBigEndian,  // two's complement, most significant byte first; kCorruptData for a value that does
               // not fit
};

struct FixedLayout {
  Conversion conversion = Conversion::kCopy;
  int32_t physical_bytes = 0;  // of a value in the page; 0 also for byte arrays
  int32_t storage_bytes = 0;   // of a value in the column
  bool byte_arrays = false;    // kBigEndian values, each with its own length
};

// For leaves that are not boolean and not strings. kNotSupported for a combination that no column
// is made of.
FixedLayout fixed_layout(const Leaf& leaf, const DataType& type);

// Converts n values that lie one after another. Not for byte arrays and INT96. Reads exactly n *
// physical_bytes bytes and writes n * storage_bytes.
void convert_values(const FixedLayout& layout, const uint8_t* in, int64_t n, uint8_t* out);

}  // namespace colonnade::parquet
