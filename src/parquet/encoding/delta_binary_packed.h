// DELTA_BINARY_PACKED (Encodings.md, "Delta Encoding"): blocks of differences, each block with a
// least difference and its miniblocks' bit widths in front.
#pragma once

#include <cstdint>
#include <span>

#include "parquet/encoding/bit_unpack.h"

namespace colonnade::parquet {

// A value: a copy decodes on from the same place. Refers to the bytes. Arithmetic wraps around, as
// the format says.
class DeltaBinaryPackedDecoder {
 public:
  DeltaBinaryPackedDecoder() = default;
  // Walks over the headers of all blocks, so that nothing is checked afterwards: kCorruptData where
  // they are not legal, are cut off, or hold fewer than num_values values. More values are ignored,
  // and so are the widths of miniblocks that no value needs. Behind `bytes`, readable_behind bytes
  // may be read.
  void start(std::span<const uint8_t> bytes, int64_t num_values, int64_t readable_behind);

  // Bytes from the begin of `bytes` to behind the last miniblock.
  int64_t encoded_bytes() const noexcept { return encoded_bytes_; }

  // The next n values as two's complement, cut to T; n <= the values that are left. T is uint32_t
  // or uint64_t.
  template <typename T>
  void decode(int64_t n, T* out) noexcept;
  void skip(int64_t n) noexcept;

 private:
  void next_group() noexcept;
  template <typename Take>
  void pass(int64_t n, Take&& take) noexcept;

  const uint8_t* position_ = nullptr;  // of the next group, or of the next block's header
  const uint8_t* readable_end_ = nullptr;
  int64_t encoded_bytes_ = 0;
  int64_t groups_per_miniblock_ = 0;
  int64_t miniblocks_per_block_ = 0;

  uint64_t value_ = 0;  // the last one given, or the first one where it is still to come
  bool first_is_left_ = false;
  uint64_t least_delta_ = 0;  // of the current block
  const uint8_t* widths_ = nullptr;
  int64_t miniblocks_left_ = 0;  // of the current block, behind the current one
  int64_t groups_left_ = 0;      // of the current miniblock
  uint64_t deltas_[kUnpackBlock] = {};
  int64_t delta_ = kUnpackBlock;  // the next of them
};

}  // namespace colonnade::parquet
