#include "parquet/testing/thrift_writer.h"

#include <cstring>

namespace colonnade::parquet::testing {

using thrift::WireType;

ThriftWriter& ThriftWriter::boolean(int16_t id, bool value) {
  return header(id, value ? WireType::kTrue : WireType::kFalse);
}

ThriftWriter& ThriftWriter::i8(int16_t id, int8_t value) {
  return header(id, WireType::kByte).byte(static_cast<uint8_t>(value));
}

ThriftWriter& ThriftWriter::i16(int16_t id, int16_t value) {
  return header(id, WireType::kI16).zigzag(value);
}

ThriftWriter& ThriftWriter::i32(int16_t id, int32_t value) {
  return header(id, WireType::kI32).zigzag(value);
}

ThriftWriter& ThriftWriter::i64(int16_t id, int64_t value) {
  return header(id, WireType::kI64).zigzag(value);
}

ThriftWriter& ThriftWriter::real(int16_t id, double value) {
  uint8_t bytes[sizeof(value)];
  std::memcpy(bytes, &value, sizeof(value));
  return header(id, WireType::kDouble).raw(bytes);
}

ThriftWriter& ThriftWriter::binary(int16_t id, std::string_view bytes) {
  return header(id, WireType::kBinary).element_binary(bytes);
}

ThriftWriter& ThriftWriter::list(int16_t id, WireType element, int64_t num_elements) {
  header(id, WireType::kList);
  const auto type = static_cast<uint8_t>(element);
  if (num_elements < 15) return byte(static_cast<uint8_t>(num_elements << 4 | type));
  return byte(static_cast<uint8_t>(0xf0 | type)).varint(static_cast<uint64_t>(num_elements));
}

ThriftWriter& ThriftWriter::element_binary(std::string_view bytes) {
  varint(bytes.size());
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return *this;
}

ThriftWriter& ThriftWriter::header(int16_t id, WireType type) {
  const int delta = id - last_id_;
  if (delta < 1 || delta > 15) return long_header(id, type);
  last_id_ = id;
  return byte(static_cast<uint8_t>(delta << 4 | static_cast<int>(type)));
}

ThriftWriter& ThriftWriter::long_header(int16_t id, WireType type) {
  last_id_ = id;
  return byte(static_cast<uint8_t>(type)).zigzag(id);
}

ThriftWriter& ThriftWriter::byte(uint8_t value) {
  bytes_.push_back(value);
  return *this;
}

ThriftWriter& ThriftWriter::varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7) byte(static_cast<uint8_t>(value | 0x80));
  return byte(static_cast<uint8_t>(value));
}

ThriftWriter& ThriftWriter::zigzag(int64_t value) {
  return varint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
}

ThriftWriter& ThriftWriter::raw(std::span<const uint8_t> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return *this;
}

}  // namespace colonnade::parquet::testing
