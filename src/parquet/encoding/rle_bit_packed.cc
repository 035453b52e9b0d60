#include "parquet/encoding/rle_bit_packed.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "parquet/encoding/bit_unpack.h"

namespace colonnade::parquet {

void RleBitPackedDecoder::start(std::span<const uint8_t> bytes, int32_t bit_width,
                                int64_t num_values) {
  if (bit_width < 0 || bit_width > 32) {
    fail(ErrorCode::kCorruptData, "bit width of runs outside 0 to 32", "bit width {}", bit_width);
  }
  *this = RleBitPackedDecoder();
  bit_width_ = bit_width;
  num_values_ = num_values;
  runs_ = CheckedCursor(bytes);
  if (bit_width == 0) left_ = std::numeric_limits<int64_t>::max();
}

void RleBitPackedDecoder::next_run() {
  while (left_ == 0) {
    const uint32_t header = runs_.read_varint32("run header");
    if (header & 1) {
      // Groups of 8 values in bit_width bytes. A run that is cut short holds what its bytes hold.
      const int64_t groups = header >> 1;
      const int64_t run_bytes = std::min(groups * bit_width_, runs_.left());
      if (run_bytes < groups * bit_width_ && groups > (num_values_ + 7) / 8) {
        fail(ErrorCode::kCorruptData,
             "bit-packed run longer than its bytes and the values it is for",
             "{} groups of 8, {} bytes, {} values", groups, run_bytes, num_values_);
      }
      left_ = std::min(groups * 8, run_bytes * 8 / bit_width_);
      repeated_ = false;
      packed_ = runs_.data();
      packed_end_ = packed_ + run_bytes;
      packed_position_ = 0;
      runs_.skip(run_bytes, "bit-packed run");
    } else {
      left_ = header >> 1;
      repeated_ = true;
      value_ = 0;
      const std::span<const uint8_t> bytes = runs_.take((bit_width_ + 7) / 8, "value of a run");
      std::memcpy(&value_, bytes.data(), bytes.size());
      if (uint64_t{value_} >> bit_width_ != 0) {
        fail(ErrorCode::kCorruptData, "value of a run wider than its bit width",
             "value {}, bit width {}", value_, bit_width_);
      }
    }
  }
}

void RleBitPackedDecoder::decode(int64_t n, uint32_t* out) { decode_runs(n, out); }
void RleBitPackedDecoder::decode(int64_t n, uint8_t* out) { decode_runs(n, out); }

template <typename Value>
void RleBitPackedDecoder::decode_runs(int64_t n, Value* out) {
  while (n > 0) {
    if (left_ == 0) next_run();
    const int64_t count = std::min(n, left_);
    if (repeated_) {
      std::fill_n(out, count, static_cast<Value>(value_));
    } else {
      decode_packed(count, out);
      packed_position_ += count;
    }
    left_ -= count;
    out += count;
    n -= count;
  }
}

void RleBitPackedDecoder::skip(int64_t n) {
  while (n > 0) {
    if (left_ == 0) next_run();
    const int64_t count = std::min(n, left_);
    packed_position_ += count;
    left_ -= count;
    n -= count;
  }
}

int64_t RleBitPackedDecoder::take_repeated(int64_t max_values, uint32_t* value) {
  if (left_ == 0) next_run();
  if (!repeated_) return 0;
  const int64_t count = std::min(max_values, left_);
  left_ -= count;
  *value = value_;
  return count;
}

void RleBitPackedDecoder::decode_packed(int64_t n, uint32_t* out) {
  const uint8_t* in = packed_ + packed_position_ / 8 * bit_width_;
  if (const int64_t first = packed_position_ % 8; first != 0) {
    const int64_t count = std::min(n, 8 - first);
    decode_in_group(in, first, count, out);
    in += bit_width_;
    out += count;
    n -= count;
  }

  const UnpackFunction unpack = unpack_function(bit_width_);
  const int64_t block_bytes = kUnpackBlock / 8 * bit_width_;
  while (n >= kUnpackBlock && packed_end_ - in >= block_bytes + kUnpackOverread) {
    unpack(in, out);
    in += block_bytes;
    out += kUnpackBlock;
    n -= kUnpackBlock;
  }
  // Near the end of the run, and for the part of a block: through a copy that may be read beyond.
  while (n > 0) {
    uint8_t copy[4 * 32 + kUnpackOverread] = {};
    uint32_t values[kUnpackBlock];
    std::memcpy(copy, in, static_cast<size_t>(std::min(block_bytes, packed_end_ - in)));
    unpack(copy, values);
    const int64_t count = std::min(n, kUnpackBlock);
    std::memcpy(out, values, static_cast<size_t>(count) * sizeof(uint32_t));
    in += std::min(block_bytes, packed_end_ - in);
    out += count;
    n -= count;
  }
}

void RleBitPackedDecoder::decode_packed(int64_t n, uint8_t* out) {
  // Eight values of bit_width_ bits, spread to a byte each by halves: what stands in the upper half
  // of 8, 4 and 2 values moves up.
  const int width = bit_width_;
  const uint64_t low_four = (uint64_t{1} << 4 * width) - 1;
  const uint64_t low_two = ((uint64_t{1} << 2 * width) - 1) * 0x0000000100000001u;
  const uint64_t low_one = ((uint64_t{1} << width) - 1) * 0x0001000100010001u;
  const auto spread = [&](uint64_t word) {
    word = (word & low_four) | (word & low_four << 4 * width) << (32 - 4 * width);
    word = (word & low_two) | (word & low_two << 2 * width) << (16 - 2 * width);
    return (word & low_one) | (word & low_one << width) << (8 - width);
  };
  const uint8_t* in = packed_ + packed_position_ / 8 * width;
  int64_t first = packed_position_ % 8;
  while (n > 0) {
    uint64_t word = 0;
    for (; n >= 8 && first == 0 && packed_end_ - in >= 8; in += width, out += 8, n -= 8) {
      std::memcpy(&word, in, 8);
      word = spread(word);
      std::memcpy(out, &word, 8);
    }
    if (n == 0) return;
    // Near the end of the run, and for a part of a group.
    std::memcpy(&word, in, static_cast<size_t>(std::min<int64_t>(width, packed_end_ - in)));
    word = spread(word) >> (8 * first);
    const int64_t count = std::min(n, 8 - first);
    for (int64_t i = 0; i < count; ++i) out[i] = static_cast<uint8_t>(word >> (8 * i));
    in += width;
    out += count;
    n -= count;
    first = 0;
  }
}

void RleBitPackedDecoder::decode_in_group(const uint8_t* in, int64_t first, int64_t n,
                                          uint32_t* out) const {
  uint8_t copy[32 + sizeof(uint64_t)] = {};
  std::memcpy(copy, in, static_cast<size_t>(std::min<int64_t>(bit_width_, packed_end_ - in)));
  const uint64_t mask = (uint64_t{1} << bit_width_) - 1;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t bit = (first + i) * bit_width_;
    uint64_t word;
    std::memcpy(&word, copy + bit / 8, sizeof(word));
    out[i] = static_cast<uint32_t>((word >> (bit % 8)) & mask);
  }
}

}  // namespace colonnade::parquet
