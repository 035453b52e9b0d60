// Reading Thrift's compact protocol from hostile bytes.
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
//
//   Reader reader(bytes, "footer");
//   for (Field field; reader.next(field);) {
//     switch (field.id) {
//       case 1: version = reader.i32(field, "version"); break;
//       default: reader.skip(field);
//     }
//   }
//
// As Thrift's own readers do, unknown fields are passed over, fields may come in any order, and of
// a field that comes twice the last counts. Unlike them, a known field of another wire type is
// corrupt and not passed over: the value would be missing silently.
//
// No claimed size is believed: a list of n elements and a binary of n bytes need n bytes that are
// there.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/cursor.h"

namespace colonnade::parquet::thrift {

enum class WireType : uint8_t {
  kStop = 0,
  kTrue = 1,  // of a field: the value itself; of elements: any boolean
  kFalse = 2,
  kByte = 3,
  kI16 = 4,
  kI32 = 5,
  kI64 = 6,
  kDouble = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12,
  kUuid = 13,
};

// A field's header. Also the memory of where in its struct a reader is: ids are written as
// differences, so that one Field serves one struct from its front to its stop byte.
struct Field {
  int16_t id = 0;
  WireType type = WireType::kStop;
};

// What a reader does where the bytes end inside a value.
enum class AtEnd : uint8_t {
  kThrow,  // kCorruptData
  kStop,   // ended() is true from then on, next() gives no more fields, and values are zeros and
           // empty
};

class Reader {
 public:
  // Structs, lists and maps inside one another, at most, in what is passed over.
  static constexpr int kMaxSkipDepth = 64;

  // `subject` names in messages what is read ("footer"); positions in messages are `origin` + those
  // in `bytes`.
  Reader(std::span<const uint8_t> bytes, const char* subject, AtEnd at_end = AtEnd::kThrow,
         int64_t origin = 0) noexcept
      : begin_(bytes.data()),
        position_(bytes.data()),
        end_(bytes.data() + bytes.size()),
        subject_(subject),
        origin_(origin),
        at_end_(at_end) {}

  int64_t position() const noexcept { return position_ - begin_; }
  int64_t left() const noexcept { return end_ - position_; }
  bool ended() const noexcept { return ended_; }

  // The next field of the struct that `field` goes through; false at its end.
  bool next(Field& field) {
    if (position_ == end_) [[unlikely]]
      return at_end("field");
    const uint8_t header = *position_++;
    field.type = static_cast<WireType>(header & 0x0f);
    if (field.type == WireType::kStop) return false;
    const int delta = header >> 4;
    const int id = delta != 0 ? field.id + delta : static_cast<int>(long_field_id());
    if (id > INT16_MAX) [[unlikely]]
      fail_field_id(id);
    field.id = static_cast<int16_t>(id);
    return !ended_;
  }

  // The value of a field. `what` names it in messages.
  bool boolean(const Field& field, const char* what) const {
    if (field.type == WireType::kTrue) return true;
    expect(field, WireType::kFalse, what);
    return false;
  }
  int8_t i8(const Field& field, const char* what);
  int16_t i16(const Field& field, const char* what);
  int32_t i32(const Field& field, const char* what) {
    expect(field, WireType::kI32, what);
    return i32_element(what);
  }
  int64_t i64(const Field& field, const char* what) {
    expect(field, WireType::kI64, what);
    return zigzag(what);
  }
  std::span<const uint8_t> binary(const Field& field, const char* what) {
    expect(field, WireType::kBinary, what);
    return binary_element(what);
  }
  std::string_view string(const Field& field, const char* what) {
    return as_text(binary(field, what));
  }
  // Checks the type; the struct's fields follow, to be read with a Field of their own.
  void begin_struct(const Field& field, const char* what) const {
    expect(field, WireType::kStruct, what);
  }
  // The number of elements that follow, at most the bytes left. An empty list may have any element
  // type.
  int64_t begin_list(const Field& field, WireType element, const char* what);

  // Elements of a list. Structs have no header there: read their fields at once.
  int32_t i32_element(const char* what) {
    const int64_t value = zigzag(what);
    if (value != static_cast<int32_t>(value)) [[unlikely]]
      fail_range(value, "i32", what);
    return static_cast<int32_t>(value);
  }
  std::span<const uint8_t> binary_element(const char* what);
  std::string_view string_element(const char* what) { return as_text(binary_element(what)); }

  // Passes over the field's value. kCorruptData for unknown types and for nesting beyond
  // kMaxSkipDepth.
  void skip(const Field& field);
  // Passes over the fields of a struct and its stop byte.
  void skip_struct();

  // kCorruptData for a field that the format requires.
  [[noreturn, gnu::cold]] void fail_missing(const char* what) const;

 private:
  void expect(const Field& field, WireType type, const char* what) const {
    if (field.type != type) [[unlikely]]
      fail_type(field, type, what);
  }
  uint64_t varint(const char* what) {
    if (position_ != end_ && *position_ < 0x80) [[likely]]
      return *position_++;
    return long_varint(what);
  }
  int64_t zigzag(const char* what) {
    const uint64_t v = varint(what);
    return static_cast<int64_t>((v >> 1) ^ (~(v & 1) + 1));
  }
  uint64_t long_varint(const char* what);
  int64_t long_field_id();
  static std::string_view as_text(std::span<const uint8_t> bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  // Always false, or throws.
  [[gnu::cold]] bool at_end(const char* what);
  void finish_skip(const uint8_t* position, const char* fault);
  [[noreturn, gnu::cold]] void fail_type(const Field& field, WireType expected,
                                         const char* what) const;
  [[noreturn, gnu::cold]] void fail_range(int64_t value, const char* type, const char* what) const;
  [[noreturn, gnu::cold]] void fail_field_id(int64_t id) const;
  int64_t file_position() const noexcept { return origin_ + position(); }

  const uint8_t* begin_;
  const uint8_t* position_;
  const uint8_t* end_;
  const char* subject_;
  int64_t origin_;
  AtEnd at_end_;
  bool ended_ = false;
};

}  // namespace colonnade::parquet::thrift
