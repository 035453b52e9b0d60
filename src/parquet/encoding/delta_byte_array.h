// DELTA_BYTE_ARRAY (Encodings.md, "Delta Strings"): how many bytes each value shares with the one
// before, in DELTA_BINARY_PACKED; then what follows them, in DELTA_LENGTH_BYTE_ARRAY.
#pragma once

#include <cstdint>
#include <span>

#include <colonnade/context.h>
#include <colonnade/memory.h>

#include "parquet/encoding/delta_binary_packed.h"
#include "parquet/encoding/delta_length_byte_array.h"
#include "parquet/encoding/plain_byte_array.h"

namespace colonnade::parquet {

// A value: the first bytes of the one before, then bytes of the page.
struct DeltaByteArrayPiece {
  uint32_t prefix_length = 0;
  ByteSlice suffix;

  int64_t length() const noexcept { return int64_t{prefix_length} + suffix.length; }
};

// A value: a copy decodes on from the same place. Refers to the bytes. Lengths are checked as they
// are met: kCorruptData for a prefix that is negative or longer than the value before, and as
// DeltaLengthByteArrayDecoder. Does not hold values: whoever puts them together keeps the last one.
class DeltaByteArrayDecoder {
 public:
  DeltaByteArrayDecoder() = default;
  // kCorruptData when the lengths of num_values values are not there. Behind `bytes`,
  // readable_behind bytes may be read.
  void start(std::span<const uint8_t> bytes, int64_t num_values, int64_t readable_behind);

  // What the next n values are made of, n <= the values that are left; returns the sum of their
  // lengths.
  int64_t decode(int64_t n, DeltaByteArrayPiece* out);

  // Passes over n values; `last` is the value before them (empty: none). Returns the last of them,
  // made of the bytes that differ alone; n = 0: `last`.
  Buffer skip(const Context& context, int64_t n, const Buffer& last);

  // Writes the values one behind the other to `out`, of as many bytes as decode() returned.
  // `previous` are the bytes of the value before the first of them.
  void build(const DeltaByteArrayPiece* pieces, int64_t n, const uint8_t* previous,
             uint8_t* out) const noexcept;

 private:
  DeltaBinaryPackedDecoder prefix_lengths_;
  DeltaLengthByteArrayDecoder suffixes_;
  const uint8_t* suffix_bytes_ = nullptr;
  int64_t previous_length_ = 0;
};

}  // namespace colonnade::parquet
