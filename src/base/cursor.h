// Reading hostile bytes: a cursor that checks each step, and one that was checked before and does
// not.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/fail.h"

namespace colonnade {

constexpr int64_t from_zigzag(uint64_t value) noexcept {
  return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

// Every read compares with what is left and throws kCorruptData with position and sizes. Positions
// in messages count from the start of the span. Copyable; refers to the bytes, owns nothing.
class CheckedCursor {
 public:
  CheckedCursor() = default;
  explicit CheckedCursor(std::span<const uint8_t> bytes) noexcept
      : begin_(bytes.data()), position_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  int64_t position() const noexcept { return position_ - begin_; }
  int64_t left() const noexcept { return end_ - position_; }
  const uint8_t* data() const noexcept { return position_; }

  // The next `n` bytes, passed over. n may come from a file: negative or too large is corrupt.
  std::span<const uint8_t> take(int64_t n, const char* what) {
    if (n < 0 || n > left()) [[unlikely]]
      fail_short(n, what);
    std::span<const uint8_t> bytes(position_, static_cast<size_t>(n));
    position_ += n;
    return bytes;
  }
  void skip(int64_t n, const char* what) { take(n, what); }

  // A little-endian number.
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  T read(const char* what) {
    T value;
    std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
    return value;
  }
  // ULEB128 of at most 64 (32) bits; longer ones are corrupt.
  uint64_t read_varint64(const char* what);
  uint32_t read_varint32(const char* what);
  // Zigzag.
  int64_t read_zigzag64(const char* what) { return from_zigzag(read_varint64(what)); }

 private:
  [[noreturn, gnu::cold]] void fail_short(int64_t wanted, const char* what) const;
  [[noreturn, gnu::cold]] void fail_varint(bool too_long, int bits, const char* what) const;

  const uint8_t* begin_ = nullptr;
  const uint8_t* position_ = nullptr;
  const uint8_t* end_ = nullptr;
};

// Reads without looking: whoever makes one has proven before that what is read is there.
class RawCursor {
 public:
  explicit RawCursor(const uint8_t* position) noexcept : position_(position) {}
  const uint8_t* data() const noexcept { return position_; }
  void skip(int64_t n) noexcept { position_ += n; }
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  T read() noexcept {
    T value;
    std::memcpy(&value, position_, sizeof(T));
    position_ += sizeof(T);
    return value;
  }
  int64_t read_zigzag64() noexcept {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const uint8_t byte = *position_++;
      value |= uint64_t{byte & 0x7Fu} << shift;
      if ((byte & 0x80) == 0) return from_zigzag(value);
    }
  }

 private:
  const uint8_t* position_;
};

}  // namespace colonnade
