// Distinct strings, numbered in the order in which they first appear.
#pragma once

#include <cstdint>
#include <span>

#include <colonnade/column.h>
#include <colonnade/context.h>
#include <colonnade/memory.h>

namespace colonnade::parquet {

// One user at a time. All memory comes from the context's pool.
class StringDictionaryBuilder {
 public:
  explicit StringDictionaryBuilder(const Context& context);

  // The id of the value, which becomes a new one if it was not there. The caller keeps num_bytes()
  // within 32-bit offsets.
  int32_t add(std::span<const uint8_t> value);

  int64_t size() const noexcept { return num_values_; }      // distinct values
  int64_t num_bytes() const noexcept { return num_bytes_; }  // of the distinct values

  // The values, as strings with 32-bit offsets of type `type`. Afterwards only destruction is
  // allowed.
  ColumnPtr finish(const DataType& type) &&;

 private:
  struct Slot {
    uint32_t hash;  // the high half
    int32_t id;     // -1: free
  };
  void grow_table();
  std::span<const uint8_t> value(int32_t id) const noexcept;

  Context context_;
  MutableBuffer slots_;  // a power of two of them, at most half of them taken
  int64_t num_slots_ = 0;
  MutableBuffer offsets_;  // num_values_ + 1 int32
  MutableBuffer bytes_;
  int64_t num_values_ = 0;
  int64_t num_bytes_ = 0;
};

}  // namespace colonnade::parquet
