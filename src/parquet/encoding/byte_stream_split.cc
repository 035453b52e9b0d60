#include "parquet/encoding/byte_stream_split.h"

#include "base/fail.h"

namespace colonnade::parquet {
namespace {

// With a width that is known when it is compiled, a value is put together in a register.
template <int kWidth>
void join(const uint8_t* in, int64_t stride, int64_t n, uint8_t* out) noexcept {
  for (int64_t i = 0; i < n; ++i) {
    for (int byte = 0; byte < kWidth; ++byte) out[i * kWidth + byte] = in[byte * stride + i];
  }
}

}  // namespace

void ByteStreamSplitDecoder::start(std::span<const uint8_t> bytes, int64_t num_values,
                                   int32_t width_bytes) {
  const int64_t size = static_cast<int64_t>(bytes.size());
  // Without a product that could wrap around.
  const bool fits =
      width_bytes == 0 ? size == 0 : size % width_bytes == 0 && size / width_bytes == num_values;
  if (!fits) {
    fail(ErrorCode::kCorruptData, "page of another size than its values",
         "{} values of {} bytes in {} bytes", num_values, width_bytes, size);
  }
  position_ = bytes.data();
  stride_bytes_ = num_values;
  width_bytes_ = width_bytes;
}

void ByteStreamSplitDecoder::decode(int64_t n, uint8_t* out) noexcept {
  switch (width_bytes_) {
    case 2:
      join<2>(position_, stride_bytes_, n, out);
      break;
    case 4:
      join<4>(position_, stride_bytes_, n, out);
      break;
    case 8:
      join<8>(position_, stride_bytes_, n, out);
      break;
    default:
      for (int64_t byte = 0; byte < width_bytes_; ++byte) {
        const uint8_t* const stream = position_ + byte * stride_bytes_;
        for (int64_t i = 0; i < n; ++i) out[i * width_bytes_ + byte] = stream[i];
      }
  }
  position_ += n;
}

}  // namespace colonnade::parquet
