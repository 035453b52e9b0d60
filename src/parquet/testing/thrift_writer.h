// Writing Thrift's compact protocol, with every lie a test may want.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "parquet/format/thrift.h"

namespace colonnade::parquet::testing {

using Bytes = std::vector<uint8_t>;

// Fields of one struct, in the order written; nested structs by functions that write their fields:
//
//   ThriftWriter w;
//   w.i32(1, 2).structure(5, [&] { w.i32(1, 3).i32(2, 0); }).stop();
class ThriftWriter {
 public:
  ThriftWriter& boolean(int16_t id, bool value);
  ThriftWriter& i8(int16_t id, int8_t value);
  ThriftWriter& i16(int16_t id, int16_t value);
  ThriftWriter& i32(int16_t id, int32_t value);
  ThriftWriter& i64(int16_t id, int64_t value);
  ThriftWriter& real(int16_t id, double value);
  ThriftWriter& binary(int16_t id, std::string_view bytes);
  // A field that holds a struct; `write_fields` writes them, the stop byte comes by itself.
  template <typename WriteFields>
  ThriftWriter& structure(int16_t id, WriteFields&& write_fields) {
    header(id, thrift::WireType::kStruct);
    return element_structure(write_fields);
  }
  // A list's header; the elements follow by element_*.
  ThriftWriter& list(int16_t id, thrift::WireType element, int64_t num_elements);

  ThriftWriter& element_i32(int32_t value) { return zigzag(value); }
  ThriftWriter& element_i64(int64_t value) { return zigzag(value); }
  ThriftWriter& element_binary(std::string_view bytes);
  template <typename WriteFields>
  ThriftWriter& element_structure(WriteFields&& write_fields) {
    const int16_t outer = last_id_;
    last_id_ = 0;
    write_fields();
    stop();
    last_id_ = outer;
    return *this;
  }

  // The parts that everything above is made of.
  ThriftWriter& header(int16_t id, thrift::WireType type);       // a difference where one fits
  ThriftWriter& long_header(int16_t id, thrift::WireType type);  // the id written out
  ThriftWriter& stop() { return byte(0); }
  ThriftWriter& byte(uint8_t value);
  ThriftWriter& varint(uint64_t value);
  ThriftWriter& zigzag(int64_t value);
  ThriftWriter& raw(std::span<const uint8_t> bytes);

  const Bytes& bytes() const noexcept { return bytes_; }

 private:
  Bytes bytes_;
  int16_t last_id_ = 0;
};

}  // namespace colonnade::parquet::testing
