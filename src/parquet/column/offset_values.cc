#include "parquet/column/offset_values.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "parquet/column/fixed_width.h"

namespace colonnade::parquet {
namespace {

// Values are copied by one or two stores of this many bytes; the output has as much padding.
constexpr int64_t kWideBytes = 32;
static_assert(2 * kWideBytes <= MutableBuffer::kPaddingBytes);

// Copies n slices one behind the other to `out` from `end` on; ends[i] is where value i ends there.
template <typename Offset>
void copy_slices(SliceBase base, const ByteSlice* slices, int64_t n, uint8_t* out, Offset end,
                 Offset* ends) {
  for (int64_t i = 0; i < n; ++i) {
    const int64_t length = slices[i].length;
    const uint8_t* from = base.bytes + slices[i].offset;
    uint8_t* to = out + end;
    if (base.readable_end - from >= 2 * kWideBytes) [[likely]] {
      std::memcpy(to, from, kWideBytes);
      if (length > kWideBytes) {
        std::memcpy(to + kWideBytes, from + kWideBytes, kWideBytes);
        if (length > 2 * kWideBytes) [[unlikely]] {
          std::memcpy(to + 2 * kWideBytes, from + 2 * kWideBytes,
                      static_cast<size_t>(length - 2 * kWideBytes));
        }
      }
    } else if (length > 0) {
      std::memcpy(to, from, static_cast<size_t>(length));
    }
    end = static_cast<Offset>(end + length);
    ends[i] = end;
  }
}

}  // namespace

template <typename Offset>
OffsetValues<Offset>::OffsetValues(const Context& context, DataType type)
    : context_(context), type_(std::move(type)), source_(context) {}

template <typename Offset>
void OffsetValues<Offset>::begin(int64_t max_rows, int64_t max_bytes) {
  rows_ = 0;
  num_bytes_ = 0;
  max_rows_ = max_rows;
  max_bytes_ = max_bytes;
  constexpr int64_t kOffsetBytes = sizeof(Offset);
  offsets_ = context_.memory->allocate(bytes_to_reserve(max_rows, 8 * kOffsetBytes, max_bytes) +
                                       kOffsetBytes);
  offsets_.as<Offset>()[0] = 0;
  bytes_ = context_.memory->allocate(0);
}

template <typename Offset>
void OffsetValues<Offset>::reserve_bytes(int64_t num_rows, int64_t num_bytes) {
  const int64_t needed = num_bytes_ + num_bytes;
  if (needed <= bytes_.size()) return;
  // As much as the rows still to come will need if they are like those so far, and a little more.
  const double bytes_per_row = static_cast<double>(needed) / static_cast<double>(rows_ + num_rows);
  const int64_t rows_to_come = std::max<int64_t>(max_rows_ - rows_ - num_rows, 0);
  const double rest = bytes_per_row * 1.0625 * static_cast<double>(rows_to_come);
  int64_t ahead = std::max(needed, kMaxReservedAheadBytes);
  if (max_bytes_ > 0) ahead = std::clamp<int64_t>(max_bytes_ - needed, 0, ahead);
  if (rest < static_cast<double>(ahead)) ahead = static_cast<int64_t>(rest);
  bytes_.resize(needed + ahead);
}

template <typename Offset>
int64_t OffsetValues<Offset>::append(const RowBlock& block, int64_t max_bits) {
  ByteSlice slices[RowBlock::kMaxRows];
  const ByteArraySource::Position before = source_.position();
  const int64_t num_bytes = source_.locate(block.num_valid, slices);
  const int64_t bits = string_bits(block.num_rows, num_bytes);
  if (bits > max_bits || num_bytes > std::numeric_limits<Offset>::max() - num_bytes_) {
    source_.restore(before);
    return -1;
  }
  if (block.validity != nullptr) {
    // Null rows become slices without bytes.
    spread_values(block.validity, block.row, block.num_rows, block.num_valid, sizeof(ByteSlice),
                  reinterpret_cast<uint8_t*>(slices));
  }
  reserve_bytes(block.num_rows, num_bytes);
  offsets_.resize((rows_ + block.num_rows + 1) * static_cast<int64_t>(sizeof(Offset)));
  copy_slices(source_.base(), slices, block.num_rows, bytes_.data(),
              static_cast<Offset>(num_bytes_), offsets_.as<Offset>() + rows_ + 1);
  rows_ += block.num_rows;
  num_bytes_ += num_bytes;
  return bits;
}

template <typename Offset>
ColumnParts OffsetValues<Offset>::finish() {
  ColumnParts parts;
  parts.type = type_;
  parts.storage = sizeof(Offset) == 4 ? Storage::kOffsets32 : Storage::kOffsets64;
  parts.length = rows_;
  offsets_.resize((rows_ + 1) * static_cast<int64_t>(sizeof(Offset)));
  bytes_.resize(num_bytes_);
  parts.offsets = std::move(offsets_).freeze();
  parts.bytes = std::move(bytes_).freeze();
  return parts;
}

template class OffsetValues<int32_t>;
template class OffsetValues<int64_t>;

}  // namespace colonnade::parquet
