// Imported arrays as columns: the parts of import_column.
#pragma once

#include <cstdint>
#include <memory>

#include <colonnade/arrow.h>

#include "arrow/c_data.h"

namespace colonnade::arrow {

// What the columns of one imported array have in common.
struct ImportScope {
  const Context& context;
  // Releases the array with the last buffer that refers to it.
  std::shared_ptr<ArrayOwner> owner;
  Validation validation = Validation::kStructure;
};

// An array at any level: counts checked, wrapped, normalised (int32 ids, no run ends). Whoever
// imports the whole column validates it then; what is gathered before is validated before.
ColumnPtr import_array(const ImportScope& scope, const Field& field, const ArrowArray& array);

// `array` has a dictionary. Ids are always checked against the dictionary's length (kCorruptData);
// those of null rows become 0 and nulls among the dictionary's values become nulls of the rows.
ColumnPtr import_dictionary(const ImportScope& scope, const Field& field, const ArrowArray& array);

// `array` is run-end-encoded; the result is not. Run ends are always checked.
ColumnPtr import_run_ends(const ImportScope& scope, const Field& field, const ArrowArray& array);

// Length, offset and null count make sense and the array has these buffers and children;
// kCorruptData otherwise. `num_buffers` -1: at least 2.
void check_counts(const ArrowArray& array, int64_t num_buffers, int64_t num_children);

// `size_bytes` of the array's buffer `index` as a buffer that keeps the array alive; copied when
// its address is not a multiple of `alignment`. kCorruptData when the pointer is null although
// there should be bytes.
Buffer import_buffer(const ImportScope& scope, const ArrowArray& array, int64_t index,
                     int64_t size_bytes, int64_t alignment, const char* what);

// The validity of an array's offset + length rows; empty when the array has no nulls. In full
// validation the null count is compared with the bits.
Buffer import_validity(const ImportScope& scope, const ArrowArray& array);

}  // namespace colonnade::arrow
