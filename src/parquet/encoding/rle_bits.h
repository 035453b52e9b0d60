// The RLE / bit-packing hybrid at a bit width of 1: definition levels of flat columns, and
// booleans.
#pragma once

#include <cstdint>
#include <span>

#include "base/cursor.h"

namespace colonnade::parquet {

// A position in a sequence of runs of bits. A value: a copy decodes on from the same place. Refers
// to the bytes. Runs are filled and copied as bits, never value by value.
class RleBitsDecoder {
 public:
  RleBitsDecoder() = default;
  // `bytes` are runs only, without a length in front. Walks over the runs, so that everything
  // afterwards is in range: kCorruptData when they hold fewer than num_values values, or one
  // above 1. Runs may hold more, as long as their bytes are there.
  void start(std::span<const uint8_t> bytes, int64_t num_values);

  int64_t values_left() const noexcept { return values_left_; }
  // Ones among the values that are left.
  int64_t ones_left() const noexcept { return ones_left_; }

  // The next n <= values_left() values to bits [bit_offset, bit_offset + n) of `bits`; returns the
  // ones among them. Other bits stay.
  int64_t decode(int64_t n, uint8_t* bits, int64_t bit_offset);
  // Passes over n <= values_left() values; returns the ones among them.
  int64_t skip(int64_t n);

 private:
  void next_run();
  // Passes over n values; calls step(count) for each piece of a run before it is passed.
  template <typename Step>
  int64_t pass(int64_t n, Step&& step);

  CheckedCursor runs_;               // behind the current run
  const uint8_t* packed_ = nullptr;  // first byte of the current bit-packed run
  int64_t packed_position_ = 0;      // values of it that were passed
  int64_t left_ = 0;                 // values of the current run that are left
  bool repeated_ = true;             // the current run repeats value_
  bool value_ = false;
  int64_t values_left_ = 0;
  int64_t ones_left_ = 0;
};

}  // namespace colonnade::parquet
