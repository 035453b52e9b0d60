#include "parquet/encoding/plain_byte_array.h"

#include <cstring>
#include <limits>

#include "base/fail.h"

namespace colonnade::parquet {
namespace {

constexpr int64_t kLengthBytes = 4;

[[noreturn, gnu::cold]] void fail_length(int64_t position, int64_t size, uint32_t length) {
  fail(ErrorCode::kCorruptData, "length of a byte array outside the page",
       "length {} at byte {} of {}", static_cast<int32_t>(length), position, size);
}
[[noreturn, gnu::cold]] void fail_end(int64_t position, int64_t size) {
  fail(ErrorCode::kCorruptData, "page ends before its values", "length at byte {} of {}", position,
       size);
}

}  // namespace

void PlainByteArrayDecoder::start(std::span<const uint8_t> bytes, int64_t num_values) {
  const int64_t size = static_cast<int64_t>(bytes.size());
  if (num_values > size / kLengthBytes) {
    fail(ErrorCode::kCorruptData, "page shorter than its values", "{} byte arrays in {} bytes",
         num_values, size);
  }
  if (size > std::numeric_limits<int32_t>::max()) {
    fail(ErrorCode::kCorruptData, "page of byte arrays larger than 2 GiB", "{} bytes", size);
  }
  bytes_ = bytes.data();
  size_ = size;
  position_ = 0;
  values_left_ = num_values;
}

template <typename Take>
int64_t PlainByteArrayDecoder::pass(int64_t n, Take&& take) {
  const uint8_t* const bytes = bytes_;
  const int64_t size = size_;
  const int64_t begin = position_;
  int64_t position = begin;
  for (int64_t i = 0; i < n; ++i) {
    if (size - position < kLengthBytes) [[unlikely]]
      fail_end(position, size);
    uint32_t length;
    std::memcpy(&length, bytes + position, sizeof(length));
    position += kLengthBytes;
    // A length that is negative as signed number is above 2^31 here, and so above what is left.
    if (length > size - position) [[unlikely]] {
      fail_length(position - kLengthBytes, size, length);
    }
    take(i, position, length);
    position += length;
  }
  position_ = position;
  values_left_ -= n;
  return position - begin - n * kLengthBytes;
}

int64_t PlainByteArrayDecoder::decode(int64_t n, ByteSlice* out) {
  return pass(n, [out](int64_t i, int64_t position, uint32_t length) {
    out[i] = {static_cast<uint32_t>(position), length};
  });
}

int64_t PlainByteArrayDecoder::skip(int64_t n) {
  return pass(n, [](int64_t, int64_t, uint32_t) {});
}

}  // namespace colonnade::parquet
