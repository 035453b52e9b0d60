#include "parquet/encoding/delta_byte_array.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/fail.h"

namespace colonnade::parquet {
namespace {

// Lengths that are decoded at once.
constexpr int64_t kPiece = 256;

}  // namespace

void DeltaByteArrayDecoder::start(std::span<const uint8_t> bytes, int64_t num_values,
                                  int64_t readable_behind) {
  prefix_lengths_.start(bytes, num_values, readable_behind);
  const auto suffixes = bytes.subspan(static_cast<size_t>(prefix_lengths_.encoded_bytes()));
  suffixes_.start(suffixes, num_values, readable_behind);
  suffix_bytes_ = suffixes.data();
  previous_length_ = 0;
}

int64_t DeltaByteArrayDecoder::decode(int64_t n, DeltaByteArrayPiece* out) {
  int64_t total = 0;
  uint32_t prefix_lengths[kPiece];
  ByteSlice suffixes[kPiece];
  while (n > 0) {
    const int64_t piece = std::min(n, kPiece);
    prefix_lengths_.decode(piece, prefix_lengths);
    suffixes_.decode(piece, suffixes);
    for (int64_t i = 0; i < piece; ++i) {
      // A length that is negative as signed number is above 2^31 here, and so above any value's.
      if (prefix_lengths[i] > previous_length_) [[unlikely]] {
        fail(ErrorCode::kCorruptData, "prefix longer than the value before", "{} of {} bytes",
             static_cast<int32_t>(prefix_lengths[i]), previous_length_);
      }
      *out = {prefix_lengths[i], suffixes[i]};
      previous_length_ = out->length();
      if (previous_length_ > std::numeric_limits<int32_t>::max()) [[unlikely]] {
        fail(ErrorCode::kCorruptData, "value larger than 2 GiB", "prefix of {}, {} bytes behind",
             prefix_lengths[i], suffixes[i].length);
      }
      total += previous_length_;
      ++out;
    }
    n -= piece;
  }
  return total;
}

Buffer DeltaByteArrayDecoder::skip(const Context& context, int64_t n, const Buffer& last) {
  if (n == 0) return last;
  MutableBuffer value = context.memory->allocate(last.size());
  if (!last.empty()) std::memcpy(value.data(), last.data(), static_cast<size_t>(last.size()));
  DeltaByteArrayPiece pieces[kPiece];
  while (n > 0) {
    const int64_t count = std::min(n, kPiece);
    decode(count, pieces);
    for (int64_t i = 0; i < count; ++i) {
      const DeltaByteArrayPiece& piece = pieces[i];
      value.resize(piece.length());
      if (piece.suffix.length > 0) {
        std::memcpy(value.data() + piece.prefix_length, suffix_bytes_ + piece.suffix.offset,
                    piece.suffix.length);
      }
    }
    n -= count;
  }
  return std::move(value).freeze();
}

void DeltaByteArrayDecoder::build(const DeltaByteArrayPiece* pieces, int64_t n,
                                  const uint8_t* previous, uint8_t* out) const noexcept {
  for (int64_t i = 0; i < n; ++i) {
    const DeltaByteArrayPiece& piece = pieces[i];
    uint8_t* const value = out;
    if (piece.prefix_length > 0) std::memcpy(out, previous, piece.prefix_length);
    out += piece.prefix_length;
    if (piece.suffix.length > 0) {
      std::memcpy(out, suffix_bytes_ + piece.suffix.offset, piece.suffix.length);
    }
    out += piece.suffix.length;
    previous = value;
  }
}

}  // namespace colonnade::parquet
