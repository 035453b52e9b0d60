// PLAIN values of a fixed number of bytes: one after another.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "base/fail.h"

namespace colonnade::parquet {

// A value; refers to the bytes.
class PlainFixedDecoder {
 public:
  PlainFixedDecoder() = default;
  // kCorruptData when `bytes` hold fewer than num_values values; afterwards nothing is checked.
  // More bytes are ignored. width_bytes >= 0.
  void start(std::span<const uint8_t> bytes, int64_t num_values, int32_t width_bytes) {
    // num_values <= size / width, without a product that could wrap around.
    const int64_t size = static_cast<int64_t>(bytes.size());
    if (width_bytes > 0 && num_values > size / width_bytes) {
      fail(ErrorCode::kCorruptData, "page shorter than its values",
           "{} values of {} bytes in {} bytes", num_values, width_bytes, size);
    }
    position_ = bytes.data();
    width_bytes_ = width_bytes;
  }

  // Bytes of the next n values, passed over; n <= the values that are left.
  const uint8_t* take(int64_t n) noexcept {
    const uint8_t* values = position_;
    position_ += n * width_bytes_;
    return values;
  }
  void decode(int64_t n, uint8_t* out) noexcept {
    if (const int64_t size = n * width_bytes_; size > 0) {
      std::memcpy(out, take(n), static_cast<size_t>(size));
    }
  }
  void skip(int64_t n) noexcept { take(n); }

 private:
  const uint8_t* position_ = nullptr;
  int64_t width_bytes_ = 0;
};

}  // namespace colonnade::parquet
