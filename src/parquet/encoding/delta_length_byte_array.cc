#include "parquet/encoding/delta_length_byte_array.h"

#include <algorithm>
#include <limits>

#include "base/fail.h"

namespace colonnade::parquet {
namespace {

// Lengths that are decoded at once.
constexpr int64_t kPiece = 256;

[[noreturn, gnu::cold]] void fail_length(int64_t position, int64_t size, uint32_t length) {
  fail(ErrorCode::kCorruptData, "length of a byte array outside the page",
       "length {} for bytes at {} of {}", static_cast<int32_t>(length), position, size);
}

}  // namespace

void DeltaLengthByteArrayDecoder::start(std::span<const uint8_t> bytes, int64_t num_values,
                                        int64_t readable_behind) {
  size_ = static_cast<int64_t>(bytes.size());
  if (size_ > std::numeric_limits<int32_t>::max()) {
    fail(ErrorCode::kCorruptData, "page of byte arrays larger than 2 GiB", "{} bytes", size_);
  }
  lengths_.start(bytes, num_values, readable_behind);
  position_ = lengths_.encoded_bytes();
}

template <typename Take>
int64_t DeltaLengthByteArrayDecoder::pass(int64_t n, Take&& take) {
  const int64_t begin = position_;
  uint32_t lengths[kPiece];
  while (n > 0) {
    const int64_t piece = std::min(n, kPiece);
    lengths_.decode(piece, lengths);
    for (int64_t i = 0; i < piece; ++i) {
      // A length that is negative as signed number is above 2^31 here, and so above what is left.
      if (lengths[i] > size_ - position_) [[unlikely]]
        fail_length(position_, size_, lengths[i]);
      take(position_, lengths[i]);
      position_ += lengths[i];
    }
    n -= piece;
  }
  return position_ - begin;
}

int64_t DeltaLengthByteArrayDecoder::decode(int64_t n, ByteSlice* out) {
  return pass(n, [&out](int64_t position, uint32_t length) {
    *out++ = {static_cast<uint32_t>(position), length};
  });
}

int64_t DeltaLengthByteArrayDecoder::skip(int64_t n) {
  return pass(n, [](int64_t, uint32_t) {});
}

}  // namespace colonnade::parquet
