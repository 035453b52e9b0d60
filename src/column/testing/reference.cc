#include "column/testing/reference.h"

#include <cstring>
#include <ostream>
#include <stdexcept>

namespace colonnade::testing {
namespace {

template <typename T>
T read(const Buffer& buffer, int64_t index) {
  const int64_t begin = index * static_cast<int64_t>(sizeof(T));
  if (begin < 0 || begin + static_cast<int64_t>(sizeof(T)) > buffer.size()) {
    throw std::out_of_range("reference: value outside its buffer");
  }
  T value;
  std::memcpy(&value, buffer.data() + begin, sizeof(T));
  return value;
}

std::string read_bytes(const Buffer& buffer, int64_t begin, int64_t length) {
  if (begin < 0 || length < 0 || begin + length > buffer.size()) {
    throw std::out_of_range("reference: bytes outside their buffer");
  }
  return {reinterpret_cast<const char*>(buffer.data()) + begin, static_cast<size_t>(length)};
}

bool bit(const Buffer& buffer, int64_t index) {
  return ((read<uint8_t>(buffer, index / 8) >> (index % 8)) & 1) != 0;
}

uint64_t read_unsigned(const Buffer& buffer, int64_t index, int32_t byte_width) {
  uint64_t value = 0;
  for (int32_t i = byte_width; i-- > 0;) {
    value = (value << 8) | read<uint8_t>(buffer, index * byte_width + i);
  }
  return value;
}

int64_t read_signed(const Buffer& buffer, int64_t index, int32_t byte_width) {
  const int32_t unused_bits = 64 - 8 * byte_width;
  return static_cast<int64_t>(read_unsigned(buffer, index, byte_width) << unused_bits) >>
         unused_bits;
}

Value fixed_value(const ColumnParts& parts, int64_t index) {
  const int32_t width = parts.byte_width;
  switch (parts.type.id()) {
    case TypeId::kUInt8:
    case TypeId::kUInt16:
    case TypeId::kUInt32:
    case TypeId::kUInt64:
      return {read_unsigned(parts.values, index, width)};
    case TypeId::kFloat16:
    case TypeId::kFloat32:
    case TypeId::kFloat64:
      return {FloatBits{read_unsigned(parts.values, index, width), width}};
    case TypeId::kDecimal: {
      const std::string bytes = read_bytes(parts.values, index * width, width);
      return {Decimal256::load(reinterpret_cast<const uint8_t*>(bytes.data()), width)};
    }
    case TypeId::kIntervalMonths:
      return {Interval{read<int32_t>(parts.values, index), 0, 0}};
    case TypeId::kIntervalDayTime:
      return {Interval{0, read<int32_t>(parts.values, 2 * index),
                       int64_t{read<int32_t>(parts.values, 2 * index + 1)} * 1'000'000}};
    case TypeId::kIntervalMonthDayNano:
      return {Interval{read<int32_t>(parts.values, 4 * index),
                       read<int32_t>(parts.values, 4 * index + 1),
                       read<int64_t>(parts.values, 2 * index + 1)}};
    case TypeId::kFixedBinary:
      return {read_bytes(parts.values, index * width, width)};
    default:
      return {read_signed(parts.values, index, width)};
  }
}

std::string view_value(const ColumnParts& parts, int64_t index) {
  const auto length = read<int32_t>(parts.values, 4 * index);
  if (length <= 12) return read_bytes(parts.values, 16 * index + 4, length);
  const auto buffer = read<int32_t>(parts.values, 4 * index + 2);
  const auto offset = read<int32_t>(parts.values, 4 * index + 3);
  return read_bytes(parts.view_buffers.at(static_cast<size_t>(buffer)), offset, length);
}

Value sequence(const Column& child, int64_t begin, int64_t length) {
  Sequence list;
  for (int64_t i = 0; i < length; ++i) list.values.push_back(value_at(child, begin + i));
  return {std::move(list)};
}

Value flat_value(const ColumnParts& parts, int64_t index) {
  switch (parts.storage) {
    case Storage::kNone:
      return {};
    case Storage::kBits:
      return {bit(parts.values, index)};
    case Storage::kFixed:
      return fixed_value(parts, index);
    case Storage::kOffsets32: {
      const auto begin = read<int32_t>(parts.offsets, index);
      return {read_bytes(parts.bytes, begin, read<int32_t>(parts.offsets, index + 1) - begin)};
    }
    case Storage::kOffsets64: {
      const auto begin = read<int64_t>(parts.offsets, index);
      return {read_bytes(parts.bytes, begin, read<int64_t>(parts.offsets, index + 1) - begin)};
    }
    case Storage::kViews:
      return {view_value(parts, index)};
    case Storage::kList32: {
      const auto begin = read<int32_t>(parts.offsets, index);
      return sequence(*parts.children[0], begin, read<int32_t>(parts.offsets, index + 1) - begin);
    }
    case Storage::kList64: {
      const auto begin = read<int64_t>(parts.offsets, index);
      return sequence(*parts.children[0], begin, read<int64_t>(parts.offsets, index + 1) - begin);
    }
    case Storage::kFixedSizeList: {
      const int64_t size = parts.type.list_size();
      return sequence(*parts.children[0], index * size, size);
    }
    case Storage::kStruct: {
      Sequence fields;
      for (const ColumnPtr& child : parts.children)
        fields.values.push_back(value_at(*child, index));
      return {std::move(fields)};
    }
  }
  return {};
}

}  // namespace

bool operator==(const Sequence& a, const Sequence& b) { return a.values == b.values; }
bool operator==(const Value& a, const Value& b) { return a.content == b.content; }

Value value_at(const Column& column, int64_t row) {
  if (row < 0 || row >= column.length())
    throw std::out_of_range("reference: row outside its column");
  const ColumnParts& parts = column.parts();
  if (parts.encoding == Encoding::kConstant) return value_at(*parts.dictionary->values, 0);
  const int64_t index = parts.offset + row;
  if (!parts.validity.empty() && !bit(parts.validity, index)) return {};
  if (parts.encoding == Encoding::kDictionary) {
    return value_at(*parts.dictionary->values, read<int32_t>(parts.values, index));
  }
  return flat_value(parts, index);
}

std::vector<Value> to_values(const Column& column) {
  std::vector<Value> values;
  values.reserve(static_cast<size_t>(column.length()));
  for (int64_t row = 0; row < column.length(); ++row) values.push_back(value_at(column, row));
  return values;
}

std::string to_string(const Value& value) {
  struct Printer {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(int64_t i) const { return std::to_string(i); }
    std::string operator()(uint64_t i) const { return std::to_string(i) + "u"; }
    std::string operator()(const FloatBits& f) const {
      return "float" + std::to_string(8 * f.byte_width) + " of bits " + std::to_string(f.bits);
    }
    std::string operator()(const Decimal256& d) const { return d.to_string(0) + "d"; }
    std::string operator()(const Interval& i) const {
      return "(" + std::to_string(i.months) + " months, " + std::to_string(i.days) + " days, " +
             std::to_string(i.nanoseconds) + " ns)";
    }
    std::string operator()(const std::string& bytes) const {
      std::string text = "\"";
      for (const char c : bytes) {
        if (c >= ' ' && c < 127) {
          text.push_back(c);
        } else {
          constexpr char kDigits[] = "0123456789abcdef";
          text += {'\\', 'x', kDigits[static_cast<uint8_t>(c) >> 4], kDigits[c & 15]};
        }
      }
      return text + "\"";
    }
    std::string operator()(const Sequence& list) const {
      std::string text = "[";
      for (const Value& element : list.values) {
        if (text.size() > 1) text += ", ";
        text += to_string(element);
      }
      return text + "]";
    }
  };
  return std::visit(Printer{}, value.content);
}

void PrintTo(const Value& value, std::ostream* out) { *out << to_string(value); }

std::string first_difference(const Column& a, const Column& b) {
  if (!(a.type() == b.type()))
    return "types " + a.type().to_string() + " and " + b.type().to_string();
  if (a.length() != b.length()) {
    return "lengths " + std::to_string(a.length()) + " and " + std::to_string(b.length());
  }
  for (int64_t row = 0; row < a.length(); ++row) {
    const Value left = value_at(a, row);
    const Value right = value_at(b, row);
    if (!(left == right)) {
      return "row " + std::to_string(row) + ": " + to_string(left) + " and " + to_string(right);
    }
  }
  return {};
}

}  // namespace colonnade::testing
