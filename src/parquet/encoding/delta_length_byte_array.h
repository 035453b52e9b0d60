// DELTA_LENGTH_BYTE_ARRAY (Encodings.md, "Delta-length byte array"): the lengths of all values,
// DELTA_BINARY_PACKED, then all their bytes.
#pragma once

#include <cstdint>
#include <span>

#include "parquet/encoding/delta_binary_packed.h"
#include "parquet/encoding/plain_byte_array.h"

namespace colonnade::parquet {

// A value: a copy decodes on from the same place. Refers to the bytes. Lengths are checked as they
// are met: kCorruptData for one that is negative or passes the end of the page.
class DeltaLengthByteArrayDecoder {
 public:
  DeltaLengthByteArrayDecoder() = default;
  // kCorruptData when the lengths of num_values values are not there. Behind `bytes`,
  // readable_behind bytes may be read.
  void start(std::span<const uint8_t> bytes, int64_t num_values, int64_t readable_behind);

  // Where the next n values lie in the bytes given to start(), n <= the values that are left;
  // returns the sum of their lengths.
  int64_t decode(int64_t n, ByteSlice* out);
  // Passes over n values; returns the sum of their lengths.
  int64_t skip(int64_t n);

 private:
  template <typename Take>
  int64_t pass(int64_t n, Take&& take);

  DeltaBinaryPackedDecoder lengths_;
  int64_t position_ = 0;
  int64_t size_ = 0;
};

}  // namespace colonnade::parquet
