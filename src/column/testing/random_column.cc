#include "column/testing/random_column.h"

#include <array>
#include <cstring>
#include <utility>

#include "base/bits.h"
#include "column/builder.h"
#include "column/layout.h"

namespace colonnade::testing {
namespace {

constexpr int64_t kMillisecondsPerDay = 86'400'000;

Field field(std::string name, DataType type, bool nullable = true) {
  return Field{std::move(name), std::move(type), nullable};
}

int64_t units_per_day(TimeUnit unit) {
  constexpr std::array<int64_t, 4> kUnitsPerSecond = {1, 1'000, 1'000'000, 1'000'000'000};
  return 86'400 * kUnitsPerSecond[static_cast<size_t>(unit)];
}

void append_integer(ColumnBuilder& builder, uint64_t bits) {
  switch (builder.type().storage_width()) {
    case 1:
      return builder.append(static_cast<uint8_t>(bits));
    case 2:
      return builder.append(static_cast<uint16_t>(bits));
    case 4:
      return builder.append(static_cast<uint32_t>(bits));
    default:
      return builder.append(bits);
  }
}

}  // namespace

std::vector<DataType> all_types() {
  std::vector<DataType> types;
  for (const TypeId id : {TypeId::kNull,
                          TypeId::kBool,
                          TypeId::kInt8,
                          TypeId::kInt16,
                          TypeId::kInt32,
                          TypeId::kInt64,
                          TypeId::kUInt8,
                          TypeId::kUInt16,
                          TypeId::kUInt32,
                          TypeId::kUInt64,
                          TypeId::kFloat16,
                          TypeId::kFloat32,
                          TypeId::kFloat64,
                          TypeId::kDate32,
                          TypeId::kDate64,
                          TypeId::kIntervalMonths,
                          TypeId::kIntervalDayTime,
                          TypeId::kIntervalMonthDayNano,
                          TypeId::kString,
                          TypeId::kBinary}) {
    types.emplace_back(id);
  }
  for (const auto& [precision, scale] : {std::pair{1, 0},
                                         {9, 2},
                                         {10, 2},
                                         {18, 18},
                                         {19, 0},
                                         {38, 10},
                                         {39, 4},
                                         {76, 38},
                                         {5, -3}}) {
    types.push_back(DataType::decimal(precision, scale));
  }
  for (const TimeUnit unit :
       {TimeUnit::kSecond, TimeUnit::kMilli, TimeUnit::kMicro, TimeUnit::kNano}) {
    types.push_back(DataType::time(unit));
    types.push_back(DataType::timestamp(unit));
    types.push_back(DataType::timestamp(unit, "Europe/Berlin"));
    types.push_back(DataType::duration(unit));
  }
  for (const int32_t width : {0, 1, 2, 7, 16, 20}) types.push_back(DataType::fixed_binary(width));
  const DataType int32(TypeId::kInt32);
  const DataType string(TypeId::kString);
  types.push_back(DataType::list(field("element", int32)));
  types.push_back(DataType::list(field("element", string, false)));
  types.push_back(DataType::fixed_size_list(field("element", DataType(TypeId::kBool)), 3));
  types.push_back(DataType::fixed_size_list(field("element", string), 0));
  types.push_back(DataType::struct_of({}));
  const DataType pair =
      DataType::struct_of({field("a", DataType::decimal(12, 2)), field("b", string),
                           field("c", DataType(TypeId::kNull))});
  types.push_back(pair);
  types.push_back(
      DataType::map(field("key", string, false), field("value", DataType::decimal(9, 1))));
  types.push_back(DataType::list(field("element", DataType::list(field("element", pair)))));
  types.push_back(DataType::struct_of(
      {field("list", DataType::fixed_size_list(field("element", pair), 2)),
       field("map",
             DataType::map(field("key", int32, false),
                           field("value", DataType::list(field("e", string))), true),
             false)}));
  return types;
}

uint64_t RandomColumns::next() noexcept {
  state_ += 0x9E3779B97F4A7C15u;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

bool RandomColumns::chance(double probability) noexcept {
  return static_cast<double>(next() >> 11) * 0x1p-53 < probability;
}

std::string RandomColumns::utf8_text(int64_t max_characters) {
  constexpr const char* kCharacters[] = {"a",
                                         "Z",
                                         "0",
                                         " ",
                                         "\"",
                                         "\n",
                                         "\xC3\xA9",
                                         "\xE6\x97\xA5",
                                         "\xEF\xBF\xBF",
                                         "\xF0\x9F\x8F\x9B",
                                         "\xF4\x8F\xBF\xBF"};
  std::string text;
  for (uint64_t i = below(static_cast<uint64_t>(max_characters) + 1); i > 0; --i) {
    text += kCharacters[below(std::size(kCharacters))];
  }
  return text;
}

DataType RandomColumns::type(int max_depth) {
  const auto types = all_types();
  if (max_depth <= 0 || chance(0.5)) {
    for (;;) {
      const DataType& choice = types[below(types.size())];
      if (!choice.is_nested()) return choice;
    }
  }
  switch (below(4)) {
    case 0:
      return DataType::list(field("element", type(max_depth - 1), chance(0.5)));
    case 1:
      return DataType::fixed_size_list(field("element", type(max_depth - 1), chance(0.5)),
                                       static_cast<int32_t>(below(4)));
    case 2:
      return DataType::map(field("key", type(0), false), field("value", type(max_depth - 1)));
    default: {
      std::vector<Field> fields;
      for (uint64_t i = below(4); i > 0; --i) {
        fields.push_back(field("f" + std::to_string(i), type(max_depth - 1), chance(0.5)));
      }
      return DataType::struct_of(std::move(fields));
    }
  }
}

ColumnPtr RandomColumns::make(const DataType& type, int64_t length, const ColumnShape& shape) {
  const Encoding encoding = shape.encoding.value_or(static_cast<Encoding>(below(3)));
  if (type.id() == TypeId::kNull) return Column::nulls(type, length);
  switch (encoding) {
    case Encoding::kFlat:
      return flat(type, length, shape);
    case Encoding::kDictionary:
      return dictionary(type, length, shape);
    case Encoding::kConstant:
      if (chance(shape.null_fraction)) return Column::nulls(type, length);
      ColumnShape value = shape;
      value.null_fraction = 0;
      return Column::constant(flat(type, 1, value), length);
  }
  return nullptr;
}

ColumnPtr RandomColumns::flat(const DataType& type, int64_t length, const ColumnShape& shape) {
  const int64_t before = shape.sliced ? 1 + static_cast<int64_t>(below(12)) : 0;
  const int64_t rows = before + length + (shape.sliced ? static_cast<int64_t>(below(5)) : 0);
  ColumnPtr column;
  switch (type.id()) {
    case TypeId::kList:
    case TypeId::kMap:
      column = list(type, rows, shape);
      break;
    case TypeId::kFixedSizeList:
    case TypeId::kStruct: {
      ColumnParts parts;
      parts.type = type;
      parts.storage = default_storage(type);
      parts.length = rows;
      parts.validity = validity(rows, shape.null_fraction);
      const int64_t child_rows = type.id() == TypeId::kStruct ? rows : rows * type.list_size();
      for (const Field& f : type.fields()) parts.children.push_back(child(f, child_rows, shape));
      column = Column::make(std::move(parts));
      break;
    }
    default:
      column = leaf(type, rows, shape);
  }
  return column->slice(before, length);
}

ColumnPtr RandomColumns::child(const Field& field, int64_t length, const ColumnShape& shape) {
  ColumnShape of_child = shape;
  if (!field.nullable) of_child.null_fraction = 0;
  if (field.nullable && shape.null_fraction == 0) of_child.null_fraction = chance(0.5) ? 0.2 : 0;
  return make(field.type, length, of_child);
}

Buffer RandomColumns::validity(int64_t length, double null_fraction) {
  if (null_fraction == 0) return {};
  MutableBuffer bits = context_.memory->allocate_zeroed(bits::bytes_for(length) + 1);
  for (int64_t i = 0; i < length; ++i) {
    if (!chance(null_fraction)) bits::set(bits.data(), i);
  }
  return std::move(bits).freeze();
}

ColumnPtr RandomColumns::list(const DataType& type, int64_t length, const ColumnShape& shape) {
  const Field& element = type.fields()[0];
  const bool wide = type.id() == TypeId::kList &&
                    (shape.storage ? *shape.storage == Storage::kList64 : chance(0.5));
  ColumnParts parts;
  parts.type = type;
  parts.storage = wide ? Storage::kList64 : Storage::kList32;
  parts.length = length;
  parts.validity = validity(length, shape.null_fraction);
  // A list that is null may have elements all the same, and the first need not begin at 0.
  int64_t end = shape.sliced ? static_cast<int64_t>(below(4)) : 0;
  MutableBuffer offsets = context_.memory->allocate((length + 1) * (wide ? 8 : 4));
  for (int64_t i = 0; i <= length; ++i) {
    if (wide) {
      offsets.as<int64_t>()[i] = end;
    } else {
      offsets.as<int32_t>()[i] = static_cast<int32_t>(end);
    }
    if (i < length) end += static_cast<int64_t>(below(5));
  }
  parts.offsets = std::move(offsets).freeze();
  // The entries of a map are flat structs: a null entry makes no sense.
  ColumnShape of_entries = shape;
  of_entries.encoding = Encoding::kFlat;
  parts.children.push_back(child(element, end, type.id() == TypeId::kMap ? of_entries : shape));
  return Column::make(std::move(parts));
}

ColumnPtr RandomColumns::dictionary(const DataType& type, int64_t length,
                                    const ColumnShape& shape) {
  ColumnShape of_values = shape;
  of_values.null_fraction = 0;
  const int64_t before = shape.sliced ? 1 + static_cast<int64_t>(below(12)) : 0;
  const auto num_values = 1 + static_cast<int64_t>(below(20));
  const ColumnPtr values = flat(type, num_values, of_values);
  ColumnParts parts;
  parts.type = type;
  parts.storage = values->storage();
  parts.byte_width = values->byte_width();
  parts.encoding = Encoding::kDictionary;
  parts.length = before + length;
  parts.validity = validity(parts.length, shape.null_fraction);
  MutableBuffer ids = context_.memory->allocate_zeroed(parts.length * 4);
  for (int64_t i = 0; i < parts.length; ++i) {
    const bool valid = parts.validity.empty() || bits::get(parts.validity.data(), i);
    if (valid)
      ids.as<int32_t>()[i] = static_cast<int32_t>(below(static_cast<uint64_t>(num_values)));
  }
  parts.values = std::move(ids).freeze();
  parts.dictionary = Dictionary::make(values, false, false);
  return Column::make(std::move(parts))->slice(before, length);
}

ColumnPtr RandomColumns::leaf(const DataType& type, int64_t length, const ColumnShape& shape) {
  const auto string_storage = [&] {
    constexpr Storage kStorages[] = {Storage::kOffsets32, Storage::kOffsets64, Storage::kViews};
    if (shape.storage && storage_fits(type, *shape.storage, 0)) return *shape.storage;
    return kStorages[below(3)];
  };
  ColumnBuilder builder = type.is_bytes() ? ColumnBuilder(context_, type, string_storage())
                                          : ColumnBuilder(context_, type);
  if (type.id() == TypeId::kDecimal && shape.wide_decimals) {
    int32_t width = type.storage_width();
    while (width < 32 && chance(0.5)) width *= 2;
    builder = ColumnBuilder::decimals(context_, type, width);
  }
  for (int64_t i = 0; i < length; ++i) {
    if (chance(shape.null_fraction)) {
      builder.append_null();
      continue;
    }
    constexpr uint64_t kExtremes[] = {
        0,    1,      ~uint64_t{0}, uint64_t{1} << 63, ~(uint64_t{1} << 63),
        0x80, 0x8000, 0x80000000,   0x7FFFFFFF};
    const uint64_t bits = chance(0.2) ? kExtremes[below(std::size(kExtremes))] : next();
    switch (type.id()) {
      case TypeId::kBool:
        builder.append_bool((bits & 1) != 0);
        break;
      case TypeId::kDate64:
        builder.append(static_cast<int64_t>(bits % 100'000) * kMillisecondsPerDay -
                       25'000 * kMillisecondsPerDay);
        break;
      case TypeId::kTime:
        append_integer(builder, bits % static_cast<uint64_t>(units_per_day(type.unit())));
        break;
      case TypeId::kIntervalMonthDayNano:
        builder.append(std::array<uint64_t, 2>{next(), bits});
        break;
      case TypeId::kDecimal: {
        Decimal256 value;
        const uint64_t digits = chance(0.2) ? static_cast<uint64_t>(type.precision())
                                            : below(static_cast<uint64_t>(type.precision()) + 1);
        for (uint64_t d = 0; d < digits; ++d)
          value = value.multiply_add(10, chance(0.3) ? 9 : below(10));
        builder.append_decimal(chance(0.5) ? value : value.negated());
        break;
      }
      case TypeId::kString:
        builder.append_bytes(utf8_text(chance(0.1) ? 60 : 6));
        break;
      case TypeId::kBinary:
      case TypeId::kFixedBinary: {
        std::string bytes(type.id() == TypeId::kBinary ? below(chance(0.1) ? 100 : 15)
                                                       : static_cast<uint64_t>(type.byte_width()),
                          '\0');
        for (char& c : bytes) c = static_cast<char>(next());
        builder.append_bytes(bytes);
        break;
      }
      default:
        append_integer(builder, bits);
    }
  }
  return builder.finish();
}

}  // namespace colonnade::testing
