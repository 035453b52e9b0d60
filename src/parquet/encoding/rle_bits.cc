#include "parquet/encoding/rle_bits.h"

#include <algorithm>

#include "base/bits.h"

namespace colonnade::parquet {

void RleBitsDecoder::start(std::span<const uint8_t> bytes, int64_t num_values) {
  *this = RleBitsDecoder();
  runs_ = CheckedCursor(bytes);
  values_left_ = num_values;
  RleBitsDecoder ahead = *this;
  ones_left_ = ahead.skip(num_values);
}

void RleBitsDecoder::next_run() {
  while (left_ == 0) {
    const uint32_t header = runs_.read_varint32("run header");
    if (header & 1) {
      // Groups of 8 values in a byte.
      const int64_t run_bytes = header >> 1;
      left_ = run_bytes * 8;
      repeated_ = false;
      packed_ = runs_.data();
      packed_position_ = 0;
      runs_.skip(run_bytes, "bit-packed run");
    } else {
      left_ = header >> 1;
      repeated_ = true;
      const uint8_t value = runs_.read<uint8_t>("value of a run");
      if (value > 1) fail(ErrorCode::kCorruptData, "value of a run above 1", "value {}", value);
      value_ = value == 1;
    }
  }
}

template <typename Step>
int64_t RleBitsDecoder::pass(int64_t n, Step&& step) {
  int64_t ones = 0;
  values_left_ -= n;
  while (n > 0) {
    if (left_ == 0) next_run();
    const int64_t count = std::min(n, left_);
    if (repeated_) {
      ones += value_ ? count : 0;
    } else {
      ones += bits::count(packed_, packed_position_, count);
    }
    step(count);
    packed_position_ += count;
    left_ -= count;
    n -= count;
  }
  ones_left_ -= ones;
  return ones;
}

int64_t RleBitsDecoder::decode(int64_t n, uint8_t* bits, int64_t bit_offset) {
  return pass(n, [&](int64_t count) {
    if (repeated_) {
      bits::fill(bits, bit_offset, count, value_);
    } else {
      bits::copy(packed_, packed_position_, count, bits, bit_offset);
    }
    bit_offset += count;
  });
}

int64_t RleBitsDecoder::skip(int64_t n) {
  return pass(n, [](int64_t) {});
}

}  // namespace colonnade::parquet
