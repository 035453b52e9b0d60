#include "column/common_type.h"

#include <algorithm>
#include <utility>

#include "column/decimal.h"
#include "column/field_index.h"

namespace colonnade {
namespace {

struct Integer {
  int32_t bits;
  bool is_signed;
};

std::optional<Integer> as_integer(TypeId id) noexcept {
  switch (id) {
    case TypeId::kInt8:
      return Integer{8, true};
    case TypeId::kInt16:
      return Integer{16, true};
    case TypeId::kInt32:
      return Integer{32, true};
    case TypeId::kInt64:
      return Integer{64, true};
    case TypeId::kUInt8:
      return Integer{8, false};
    case TypeId::kUInt16:
      return Integer{16, false};
    case TypeId::kUInt32:
      return Integer{32, false};
    case TypeId::kUInt64:
      return Integer{64, false};
    default:
      return std::nullopt;
  }
}

DataType integer_type(Integer integer) {
  switch (integer.bits) {
    case 8:
      return DataType(integer.is_signed ? TypeId::kInt8 : TypeId::kUInt8);
    case 16:
      return DataType(integer.is_signed ? TypeId::kInt16 : TypeId::kUInt16);
    case 32:
      return DataType(integer.is_signed ? TypeId::kInt32 : TypeId::kUInt32);
    default:
      return DataType(integer.is_signed ? TypeId::kInt64 : TypeId::kUInt64);
  }
}

std::optional<DataType> common_integer(Integer a, Integer b) {
  if (a.is_signed == b.is_signed) return integer_type(a.bits > b.bits ? a : b);
  if (!a.is_signed) std::swap(a, b);
  const Integer common{std::max(a.bits, 2 * b.bits), true};
  if (common.bits > 64) return std::nullopt;
  return integer_type(common);
}

// Bits of a float; 0 for other types.
int32_t float_bits(TypeId id) noexcept {
  return id == TypeId::kFloat16   ? 16
         : id == TypeId::kFloat32 ? 32
         : id == TypeId::kFloat64 ? 64
                                  : 0;
}

std::optional<DataType> common_float(const DataType& a, const DataType& b) {
  const auto bits_of = [](const DataType& type) {
    if (const std::optional<Integer> integer = as_integer(type.id()))
      return integer->bits <= 16 ? 32 : integer->bits == 32 ? 64 : 0;
    return float_bits(type.id());
  };
  const int32_t bits_a = bits_of(a);
  const int32_t bits_b = bits_of(b);
  if (bits_a == 0 || bits_b == 0) return std::nullopt;
  return std::max(bits_a, bits_b) == 64 ? DataType(TypeId::kFloat64) : DataType(TypeId::kFloat32);
}

// An integer as the decimal that has all its digits.
std::optional<DataType> as_decimal(const DataType& type) {
  if (type.id() == TypeId::kDecimal) return type;
  const std::optional<Integer> integer = as_integer(type.id());
  if (!integer) return std::nullopt;
  switch (integer->bits) {
    case 8:
      return DataType::decimal(3, 0);
    case 16:
      return DataType::decimal(5, 0);
    case 32:
      return DataType::decimal(10, 0);
    default:
      return DataType::decimal(integer->is_signed ? 19 : 20, 0);
  }
}

std::optional<DataType> common_decimal(const DataType& a, const DataType& b) {
  const std::optional<DataType> decimal_a = as_decimal(a);
  const std::optional<DataType> decimal_b = as_decimal(b);
  if (!decimal_a || !decimal_b) return std::nullopt;
  const int32_t scale = std::max(decimal_a->scale(), decimal_b->scale());
  const int32_t whole = std::max(decimal_a->precision() - decimal_a->scale(),
                                 decimal_b->precision() - decimal_b->scale());
  if (whole + scale > Decimal256::kMaxPrecision) return std::nullopt;
  return DataType::decimal(whole + scale, scale);
}

// Of b's fields those that `a` lacks come last; none where two of one name have no common type, or
// one of the two has a name twice.
std::optional<DataType> common_struct(const DataType& a, const DataType& b) {
  const auto of_b = index_by_name(b.fields());
  if (of_b.size() < b.fields().size() || index_by_name(a.fields()).size() < a.fields().size())
    return std::nullopt;
  std::vector<Field> fields;
  std::vector<bool> met(b.fields().size());
  for (const Field& field : a.fields()) {
    const auto other = of_b.find(field.name);
    if (other == of_b.end()) {
      fields.push_back(field);
      fields.back().nullable = true;
      continue;
    }
    met[other->second] = true;
    std::optional<Field> common = common_field(field, b.fields()[other->second]);
    if (!common) return std::nullopt;
    fields.push_back(*std::move(common));
  }
  for (size_t i = 0; i < met.size(); ++i) {
    if (met[i]) continue;
    fields.push_back(b.fields()[i]);
    fields.back().nullable = true;
  }
  return DataType::struct_of(std::move(fields));
}

std::optional<DataType> common_nested(const DataType& a, const DataType& b) {
  if (a.id() == TypeId::kStruct) return common_struct(a, b);
  if (a.id() == TypeId::kMap) {
    const std::vector<Field>& of_a = a.fields()[0].type.fields();
    const std::vector<Field>& of_b = b.fields()[0].type.fields();
    std::optional<Field> key = common_field(of_a[0], of_b[0]);
    std::optional<Field> value = common_field(of_a[1], of_b[1]);
    if (!key || !value) return std::nullopt;
    Field entries = a.fields()[0];
    entries.type = DataType::struct_of({*std::move(key), *std::move(value)});
    return DataType::map_of_entries(std::move(entries), a.keys_sorted() && b.keys_sorted());
  }
  std::optional<Field> element = common_field(a.fields()[0], b.fields()[0]);
  if (!element) return std::nullopt;
  if (a.id() == TypeId::kList) return DataType::list(*std::move(element));
  if (a.list_size() != b.list_size()) return std::nullopt;
  return DataType::fixed_size_list(*std::move(element), a.list_size());
}

}  // namespace

std::optional<DataType> common_type(const DataType& a, const DataType& b) {
  if (a == b || b.id() == TypeId::kNull) return a;
  if (a.id() == TypeId::kNull) return b;
  if (a.is_nested()) {
    if (a.id() != b.id()) return std::nullopt;
    return common_nested(a, b);
  }
  const std::optional<Integer> integer_a = as_integer(a.id());
  const std::optional<Integer> integer_b = as_integer(b.id());
  if (integer_a && integer_b) return common_integer(*integer_a, *integer_b);
  if (float_bits(a.id()) != 0 || float_bits(b.id()) != 0) return common_float(a, b);
  return common_decimal(a, b);
}

std::optional<Field> common_field(const Field& a, const Field& b) {
  std::optional<DataType> type = common_type(a.type, b.type);
  if (!type) return std::nullopt;
  Field common = a;
  common.type = *std::move(type);
  common.nullable = a.nullable || b.nullable;
  return common;
}

}  // namespace colonnade
