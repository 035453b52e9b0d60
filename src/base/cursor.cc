#include "base/cursor.h"

#include <algorithm>
#include <limits>

namespace colonnade {

namespace {

// Reads a ULEB128 number of T from [bytes, bytes + left). Returns the bytes it took, 0 when the
// bytes end before the number does, -1 when the number has more bits than T.
template <typename T>
int read_varint(const uint8_t* bytes, int64_t left, T& value) noexcept {
  constexpr int kBits = std::numeric_limits<T>::digits;
  constexpr int kMaxBytes = (kBits + 6) / 7;                                   // 10 and 5
  constexpr uint8_t kLastByteMax = (1u << (kBits - 7 * (kMaxBytes - 1))) - 1;  // 1 and 15
  const int available = static_cast<int>(std::min<int64_t>(left, kMaxBytes));
  T result = 0;
  for (int i = 0; i < available; ++i) {
    const uint8_t byte = bytes[i];
    if (i == kMaxBytes - 1 && byte > kLastByteMax) return -1;
    result |= static_cast<T>(byte & 0x7F) << (7 * i);
    if (byte < 0x80) {
      value = result;
      return i + 1;
    }
  }
  return 0;
}

}  // namespace

uint64_t CheckedCursor::read_varint64(const char* what) {
  uint64_t value = 0;
  const int taken = read_varint(position_, left(), value);
  if (taken <= 0) [[unlikely]]
    fail_varint(taken < 0, 64, what);
  position_ += taken;
  return value;
}

uint32_t CheckedCursor::read_varint32(const char* what) {
  uint32_t value = 0;
  const int taken = read_varint(position_, left(), value);
  if (taken <= 0) [[unlikely]]
    fail_varint(taken < 0, 32, what);
  position_ += taken;
  return value;
}

void CheckedCursor::fail_short(int64_t wanted, const char* what) const {
  if (wanted < 0) {
    fail(ErrorCode::kCorruptData, "negative length", "{} at byte {}: {} bytes", what, position(),
         wanted);
  }
  fail(ErrorCode::kCorruptData, "the bytes end too early",
       "{} at byte {}: {} bytes wanted, {} left", what, position(), wanted, left());
}

void CheckedCursor::fail_varint(bool too_long, int bits, const char* what) const {
  if (too_long) {
    fail(ErrorCode::kCorruptData, "variable-length number does not fit", "{} at byte {}: {} bits",
         what, position(), bits);
  }
  fail(ErrorCode::kCorruptData, "the bytes end inside a variable-length number",
       "{} at byte {}: {} left", what, position(), left());
}

}  // namespace colonnade
