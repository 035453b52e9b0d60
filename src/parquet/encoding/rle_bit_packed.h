// The RLE / bit-packing hybrid: dictionary ids, and levels wider than one bit.
// https://parquet.apache.org/docs/file-format/data-pages/encodings/#run-length-encoding--bit-packing-hybrid-rle--3
#pragma once

#include <cstdint>
#include <span>

#include "base/cursor.h"

namespace colonnade::parquet {

// A position in a sequence of runs. A value: a copy decodes on from the same place. Refers to the
// bytes.
//
// Runs may be longer than what is asked for, and the last bit-packed run may hold fewer bytes than
// its header says (polars#13883), as long as it holds the values that are asked for and does not
// claim more groups than they need. kCorruptData otherwise.
class RleBitPackedDecoder {
 public:
  RleBitPackedDecoder() = default;
  // `bytes` are runs only, without a length or bit width in front. 0 <= bit_width <= 32. A bit
  // width of 0 needs no bytes: every value is 0, with or without runs. `num_values`: how many there
  // should be.
  void start(std::span<const uint8_t> bytes, int32_t bit_width, int64_t num_values);

  // The next n values.
  void decode(int64_t n, uint32_t* out);
  // The same for bit widths up to 8.
  void decode(int64_t n, uint8_t* out);
  void skip(int64_t n);
  // When the next values are a run of one value: that value, and how many of them (1 to max_values)
  // were passed over. 0 where a bit-packed run is next. max_values >= 1.
  int64_t take_repeated(int64_t max_values, uint32_t* value);

 private:
  // Reads run headers until a run with values is there.
  void next_run();
  template <typename Value>
  void decode_runs(int64_t n, Value* out);
  void decode_packed(int64_t n, uint32_t* out);
  void decode_packed(int64_t n, uint8_t* out);
  // n values from the group of 8 that begins at `in`, the first `first` of them left out.
  void decode_in_group(const uint8_t* in, int64_t first, int64_t n, uint32_t* out) const;

  CheckedCursor runs_;               // behind the current run
  const uint8_t* packed_ = nullptr;  // first byte of the current bit-packed run
  const uint8_t* packed_end_ = nullptr;
  int64_t packed_position_ = 0;  // values of it that were passed
  int64_t left_ = 0;             // values of the current run that are left
  bool repeated_ = true;         // the current run repeats value_
  uint32_t value_ = 0;
  int32_t bit_width_ = 0;
  int64_t num_values_ = 0;
};

}  // namespace colonnade::parquet
