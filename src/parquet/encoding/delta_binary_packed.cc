#include "parquet/encoding/delta_binary_packed.h"

#include <algorithm>

#include "base/cursor.h"
#include "base/fail.h"

namespace colonnade::parquet {

void DeltaBinaryPackedDecoder::start(std::span<const uint8_t> bytes, int64_t num_values,
                                     int64_t readable_behind) {
  *this = {};
  if (num_values == 0) return;  // pages of nulls alone may have no bytes at all
  CheckedCursor cursor(bytes);
  const int64_t block_values = cursor.read_varint32("values of a delta block");
  const int64_t miniblocks = cursor.read_varint32("miniblocks of a delta block");
  const int64_t total_values = cursor.read_varint32("number of delta values");
  value_ = static_cast<uint64_t>(cursor.read_zigzag64("first delta value"));
  if (block_values == 0 || block_values % 128 != 0 || miniblocks == 0 ||
      block_values % miniblocks != 0 || block_values / miniblocks % kUnpackBlock != 0) {
    fail(ErrorCode::kCorruptData, "impossible shape of delta blocks", "{} values in {} miniblocks",
         block_values, miniblocks);
  }
  if (total_values < num_values) {
    fail(ErrorCode::kCorruptData, "page shorter than its values", "{} of {} delta values",
         total_values, num_values);
  }
  const int64_t miniblock_values = block_values / miniblocks;
  position_ = cursor.data();
  // Every block has at least a byte of its own, so that the walk ends with the bytes.
  for (int64_t deltas = total_values - 1; deltas > 0;) {
    cursor.read_zigzag64("least delta of a block");
    const std::span<const uint8_t> widths = cursor.take(miniblocks, "bit widths of miniblocks");
    for (const uint8_t width : widths) {
      if (deltas <= 0) break;
      if (width > kMaxUnpackWidth) {
        fail(ErrorCode::kCorruptData, "impossible bit width of a miniblock", "{} bits", width);
      }
      cursor.skip(width * (miniblock_values / 8), "miniblock");
      deltas -= miniblock_values;
    }
  }
  encoded_bytes_ = cursor.position();
  readable_end_ = bytes.data() + bytes.size() + readable_behind;
  groups_per_miniblock_ = miniblock_values / kUnpackBlock;
  miniblocks_per_block_ = miniblocks;
  first_is_left_ = true;
}

void DeltaBinaryPackedDecoder::next_group() noexcept {
  if (groups_left_ == 0) {
    if (miniblocks_left_ == 0) {
      RawCursor header(position_);
      least_delta_ = static_cast<uint64_t>(header.read_zigzag64());
      widths_ = header.data();
      position_ = widths_ + miniblocks_per_block_;
      miniblocks_left_ = miniblocks_per_block_;
    } else {
      ++widths_;
    }
    --miniblocks_left_;
    groups_left_ = groups_per_miniblock_;
  }
  const int32_t bit_width = *widths_;
  unpack_block(position_, readable_end_, bit_width, deltas_);
  for (uint64_t& delta : deltas_) delta += least_delta_;
  position_ += bit_width * (kUnpackBlock / 8);
  --groups_left_;
  delta_ = 0;
}

template <typename Take>
void DeltaBinaryPackedDecoder::pass(int64_t n, Take&& take) noexcept {
  if (n > 0 && first_is_left_) {
    first_is_left_ = false;
    take(value_);
    --n;
  }
  // A local, because what `take` writes to could be the member.
  uint64_t value = value_;
  while (n > 0) {
    if (delta_ == kUnpackBlock) next_group();
    const int64_t end = std::min(delta_ + n, kUnpackBlock);
    n -= end - delta_;
    for (int64_t i = delta_; i < end; ++i) {
      value += deltas_[i];
      take(value);
    }
    delta_ = end;
  }
  value_ = value;
}

template <typename T>
void DeltaBinaryPackedDecoder::decode(int64_t n, T* out) noexcept {
  pass(n, [&out](uint64_t value) { *out++ = static_cast<T>(value); });
}

template void DeltaBinaryPackedDecoder::decode(int64_t n, uint32_t* out) noexcept;
template void DeltaBinaryPackedDecoder::decode(int64_t n, uint64_t* out) noexcept;

void DeltaBinaryPackedDecoder::skip(int64_t n) noexcept {
  pass(n, [](uint64_t) {});
}

}  // namespace colonnade::parquet
