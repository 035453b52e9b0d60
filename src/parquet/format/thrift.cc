#include "parquet/format/thrift.h"

#include <bit>
#include <cstring>

#include "base/fail.h"

namespace colonnade::parquet::thrift {

namespace {

constexpr uint64_t kContinuationBits = 0x8080808080808080u;
constexpr int kMaxVarintBytes = 10;

static_assert(std::endian::native == std::endian::little, "the first byte of a word is its lowest");

// Passes over values by pointer. Each function gives the position behind the value, or nullptr:
// then `fault` says what can never be right, or is null where the bytes end inside the value.
//
// Every loop consumes input: a field is at least its header byte, an element at least one byte.
class Skipper {
 public:
  explicit Skipper(const uint8_t* end) noexcept : end_(end) {}

  const char* fault = nullptr;

  const uint8_t* fields(const uint8_t* p, int depth_left) noexcept {
    if (depth_left == 0) [[unlikely]]
      return wrong("values are nested too deeply");
    for (;;) {
      if (p == end_) [[unlikely]]
        return nullptr;
      const uint8_t header = *p++;
      if ((header & 0x0f) == 0) return p;
      if ((header & 0xf0) == 0) [[unlikely]] {
        p = varint(p);
        if (p == nullptr) return nullptr;
      }
      p = value(p, static_cast<WireType>(header & 0x0f), depth_left);
      if (p == nullptr) [[unlikely]]
        return nullptr;
    }
  }

  // A field's value: booleans have none.
  [[gnu::always_inline]] const uint8_t* value(const uint8_t* p, WireType type,
                                              int depth_left) noexcept {
    switch (type) {
      case WireType::kTrue:
      case WireType::kFalse:
        return p;
      case WireType::kI16:
      case WireType::kI32:
      case WireType::kI64:
        return varint(p);
      case WireType::kBinary:
        return binary(p);
      case WireType::kList:
      case WireType::kSet:
        return list(p, depth_left);
      case WireType::kStruct:
        return fields(p, depth_left - 1);
      case WireType::kByte:
        return bytes(p, 1);
      case WireType::kDouble:
        return bytes(p, 8);
      case WireType::kUuid:
        return bytes(p, 16);
      case WireType::kMap:
        return map(p, depth_left);
      case WireType::kStop:
        break;
    }
    return wrong("unknown wire type");
  }

 private:
  const uint8_t* wrong(const char* what) noexcept {
    fault = what;
    return nullptr;
  }

  [[gnu::always_inline]] const uint8_t* bytes(const uint8_t* p, uint64_t n) const noexcept {
    return n <= static_cast<uint64_t>(end_ - p) ? p + n : nullptr;
  }

  const uint8_t* varint(const uint8_t* p) noexcept {
    // Eight bytes at once: lengths of one to eight bytes cost the same and no branch is guessed
    // wrong.
    if (end_ - p >= 8) [[likely]] {
      uint64_t word;
      std::memcpy(&word, p, sizeof(word));
      const uint64_t last = ~word & kContinuationBits;
      if (last != 0) [[likely]]
        return p + (std::countr_zero(last) >> 3) + 1;
    }
    for (int i = 0; i < kMaxVarintBytes; ++i) {
      if (p == end_) return nullptr;
      if (*p++ < 0x80) return p;
    }
    return wrong("a number is longer than 64 bits");
  }

  // A number of things that follow.
  const uint8_t* count(const uint8_t* p, uint64_t& n) noexcept {
    n = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      if (p == end_) return nullptr;
      const uint64_t byte = *p++;
      n |= (byte & 0x7f) << shift;
      if (byte < 0x80) return n <= INT32_MAX ? p : wrong("a length is negative");
    }
    return wrong("a length is longer than 32 bits");
  }

  [[gnu::always_inline]] const uint8_t* binary(const uint8_t* p) noexcept {
    uint64_t n;
    if (p != end_ && *p < 0x80) [[likely]] {
      n = *p++;
    } else {
      p = count(p, n);
      if (p == nullptr) return nullptr;
    }
    return bytes(p, n);
  }

  const uint8_t* list(const uint8_t* p, int depth_left) noexcept {
    if (depth_left <= 1) [[unlikely]]
      return wrong("values are nested too deeply");
    if (p == end_) return nullptr;
    const uint8_t header = *p++;
    uint64_t n = header >> 4;
    if (n == 15) {
      p = count(p, n);
      if (p == nullptr) return nullptr;
    }
    return elements(p, static_cast<WireType>(header & 0x0f), n, depth_left - 1);
  }

  const uint8_t* elements(const uint8_t* p, WireType type, uint64_t n, int depth_left) noexcept {
    if (n == 0) return p;
    if (n > static_cast<uint64_t>(end_ - p)) return nullptr;
    if (type == WireType::kTrue || type == WireType::kFalse) return bytes(p, n);
    // What the footer's lists are made of, each with a loop of its own.
    if (type == WireType::kI32 || type == WireType::kI64) {
      for (; n != 0 && p != nullptr; --n) p = varint(p);
      return p;
    }
    if (type == WireType::kStruct) {
      for (; n != 0 && p != nullptr; --n) p = fields(p, depth_left - 1);
      return p;
    }
    for (; n != 0; --n) {
      p = value(p, type, depth_left);
      if (p == nullptr) return nullptr;
    }
    return p;
  }

  const uint8_t* map(const uint8_t* p, int depth_left) noexcept {
    if (depth_left <= 1) return wrong("values are nested too deeply");
    uint64_t n;
    p = count(p, n);
    if (p == nullptr || n == 0) return p;
    if (p == end_) return nullptr;
    const uint8_t types = *p++;
    if (n > static_cast<uint64_t>(end_ - p)) return nullptr;
    for (; n != 0; --n) {
      p = elements(p, static_cast<WireType>(types >> 4), 1, depth_left - 1);
      if (p == nullptr) return nullptr;
      p = elements(p, static_cast<WireType>(types & 0x0f), 1, depth_left - 1);
      if (p == nullptr) return nullptr;
    }
    return p;
  }

  const uint8_t* end_;
};

}  // namespace

int8_t Reader::i8(const Field& field, const char* what) {
  expect(field, WireType::kByte, what);
  if (position_ == end_) {
    at_end(what);
    return 0;
  }
  return static_cast<int8_t>(*position_++);
}

int16_t Reader::i16(const Field& field, const char* what) {
  expect(field, WireType::kI16, what);
  const int64_t value = zigzag(what);
  if (value != static_cast<int16_t>(value)) fail_range(value, "i16", what);
  return static_cast<int16_t>(value);
}

int64_t Reader::begin_list(const Field& field, WireType element, const char* what) {
  expect(field, WireType::kList, what);
  if (position_ == end_) {
    at_end(what);
    return 0;
  }
  const uint8_t header = *position_++;
  uint64_t n = header >> 4;
  if (n == 15) n = varint(what);
  if (n == 0) return 0;
  if (n > INT32_MAX) fail_range(static_cast<int64_t>(n), "list size", what);
  const auto type = static_cast<WireType>(header & 0x0f);
  if (type != element && !(element == WireType::kTrue && type == WireType::kFalse)) {
    fail(ErrorCode::kCorruptData, "list of the wrong type",
         "{} at {} byte {}: wire type {}, not {}", what, subject_, file_position(), header & 0x0f,
         static_cast<int>(element));
  }
  if (n > static_cast<uint64_t>(left())) {
    if (at_end_ == AtEnd::kThrow) {
      fail(ErrorCode::kCorruptData, "list with more elements than bytes that follow",
           "{} at {} byte {}: {} elements, {} bytes left", what, subject_, file_position(), n,
           left());
    }
    at_end(what);
    return 0;
  }
  return static_cast<int64_t>(n);
}

std::span<const uint8_t> Reader::binary_element(const char* what) {
  const uint64_t n = varint(what);
  if (n > INT32_MAX) fail_range(static_cast<int64_t>(n), "length", what);
  if (n > static_cast<uint64_t>(left())) {
    if (at_end_ == AtEnd::kThrow) {
      fail(ErrorCode::kCorruptData, "bytes that go on behind the end",
           "{} at {} byte {}: {} bytes, {} left", what, subject_, file_position(), n, left());
    }
    at_end(what);
    return {};
  }
  const std::span<const uint8_t> bytes(position_, static_cast<size_t>(n));
  position_ += n;
  return bytes;
}

void Reader::skip(const Field& field) {
  Skipper skipper(end_);
  const uint8_t* position = skipper.value(position_, field.type, kMaxSkipDepth);
  finish_skip(position, skipper.fault);
}

void Reader::skip_struct() {
  Skipper skipper(end_);
  const uint8_t* position = skipper.fields(position_, kMaxSkipDepth);
  finish_skip(position, skipper.fault);
}

void Reader::finish_skip(const uint8_t* position, const char* fault) {
  if (position != nullptr) [[likely]] {
    position_ = position;
  } else if (fault != nullptr) {
    fail(ErrorCode::kCorruptData, fault, "{}, in the value at byte {}", subject_, file_position());
  } else {
    at_end("a value that is passed over");
  }
}

uint64_t Reader::long_varint(const char* what) {
  uint64_t value = 0;
  for (int shift = 0; shift < 7 * kMaxVarintBytes; shift += 7) {
    if (position_ == end_) {
      at_end(what);
      return 0;
    }
    const uint64_t byte = *position_++;
    if (shift == 63 && byte > 1) break;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  fail(ErrorCode::kCorruptData, "a number is longer than 64 bits", "{} at {} byte {}", what,
       subject_, file_position());
}

int64_t Reader::long_field_id() {
  const int64_t id = zigzag("field id");
  if (id != static_cast<int16_t>(id)) fail_field_id(id);
  return id;
}

bool Reader::at_end(const char* what) {
  if (at_end_ == AtEnd::kThrow) {
    fail(ErrorCode::kCorruptData, "the bytes end inside a struct", "{} at {} byte {}", what,
         subject_, file_position());
  }
  ended_ = true;
  position_ = end_;
  return false;
}

void Reader::fail_missing(const char* what) const {
  fail(ErrorCode::kCorruptData, "a required field is missing",
       "{} of the struct in the {} that ends at byte {}", what, subject_, file_position());
}

void Reader::fail_type(const Field& field, WireType expected, const char* what) const {
  fail(ErrorCode::kCorruptData, "field of the wrong type",
       "{} (field {}) at {} byte {}: wire type {}, not {}", what, field.id, subject_,
       file_position(), static_cast<int>(field.type), static_cast<int>(expected));
}

void Reader::fail_range(int64_t value, const char* type, const char* what) const {
  fail(ErrorCode::kCorruptData, "number outside the range of its type",
       "{} at {} byte {}: {} is no {}", what, subject_, file_position(), value, type);
}

void Reader::fail_field_id(int64_t id) const {
  fail(ErrorCode::kCorruptData, "field id outside its range", "{} at {} byte {}", id, subject_,
       file_position());
}

}  // namespace colonnade::parquet::thrift
