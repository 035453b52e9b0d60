#include "arrow/widen.h"

#include <colonnade/arrow.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "arrow/rebuild_nested.h"
#include "arrow/row_blocks.h"
#include "arrow/row_selection.h"
#include "base/checked.h"
#include "base/fail.h"
#include "column/common_type.h"
#include "column/decimal.h"
#include "column/field_index.h"
#include "column/float16.h"

namespace colonnade::arrow {
namespace {

// Values pass from one type to another through int64 or double, which hold those of all types that
// have a wider one: a loop for each type on either side, rather than for each pair.
constexpr int64_t kRowsAtOnce = 1024;

template <typename From, typename Wide>
void load(const uint8_t* in, int64_t rows, Wide* out) {
  for (int64_t i = 0; i < rows; ++i) {
    From value;
    std::memcpy(&value, in + i * static_cast<int64_t>(sizeof(From)), sizeof(From));
    out[i] = static_cast<Wide>(value);
  }
}

template <typename To, typename Wide>
void store(const Wide* in, int64_t rows, uint8_t* out) {
  for (int64_t i = 0; i < rows; ++i) {
    const To value = static_cast<To>(in[i]);
    std::memcpy(out + i * static_cast<int64_t>(sizeof(To)), &value, sizeof(To));
  }
}

void load_integers(TypeId type, const uint8_t* in, int64_t rows, int64_t* out) {
  switch (type) {
    case TypeId::kInt8:
      return load<int8_t>(in, rows, out);
    case TypeId::kInt16:
      return load<int16_t>(in, rows, out);
    case TypeId::kInt32:
      return load<int32_t>(in, rows, out);
    case TypeId::kInt64:
      return load<int64_t>(in, rows, out);
    case TypeId::kUInt8:
      return load<uint8_t>(in, rows, out);
    case TypeId::kUInt16:
      return load<uint16_t>(in, rows, out);
    case TypeId::kUInt32:
      return load<uint32_t>(in, rows, out);
    default:  // kUInt64 has no wider type but decimals
      return load<uint64_t>(in, rows, out);
  }
}

void load_floats(TypeId type, const uint8_t* in, int64_t rows, double* out) {
  if (type == TypeId::kFloat32) return load<float>(in, rows, out);
  for (int64_t i = 0; i < rows; ++i) {
    uint16_t half;
    std::memcpy(&half, in + i * 2, 2);
    out[i] = float_of_half(half);
  }
}

template <typename Wide>
void store_values(TypeId type, const Wide* in, int64_t rows, uint8_t* out) {
  switch (type) {
    case TypeId::kInt16:
      return store<int16_t>(in, rows, out);
    case TypeId::kInt32:
      return store<int32_t>(in, rows, out);
    case TypeId::kInt64:
      return store<int64_t>(in, rows, out);
    case TypeId::kUInt16:
      return store<uint16_t>(in, rows, out);
    case TypeId::kUInt32:
      return store<uint32_t>(in, rows, out);
    case TypeId::kUInt64:
      return store<uint64_t>(in, rows, out);
    case TypeId::kFloat32:
      return store<float>(in, rows, out);
    default:
      return store<double>(in, rows, out);
  }
}

bool is_float(TypeId type) noexcept {
  return type == TypeId::kFloat16 || type == TypeId::kFloat32 || type == TypeId::kFloat64;
}

// value * 10^digits; what fits the wider type does not wrap around.
Decimal256 scaled(Decimal256 value, int32_t digits) noexcept {
  constexpr int32_t kDigitsAtOnce = 19;
  for (; digits > 0; digits -= kDigitsAtOnce) {
    uint64_t factor = 1;
    for (int32_t i = 0; i < std::min(digits, kDigitsAtOnce); ++i) factor *= 10;
    value = value.multiply_add(factor, 0);
  }
  return value;
}

// Rows [begin, end) of a number column to `out`, where row 0 belongs. Null slots get what their
// bytes stand for.
class NumberWidener {
 public:
  NumberWidener(const Column& column, const DataType& to, uint8_t* out)
      : column_(column), to_(to), out_(out) {}

  void operator()(int64_t begin, int64_t end) const {
    for (; begin < end; begin += kRowsAtOnce) run(begin, std::min(end - begin, kRowsAtOnce));
  }

 private:
  void run(int64_t begin, int64_t rows) const {
    const ColumnParts& parts = column_.parts();
    const uint8_t* in = parts.values.data() + (parts.offset + begin) * parts.byte_width;
    uint8_t* out = out_ + begin * to_.storage_width();
    const TypeId from = parts.type.id();
    if (to_.id() == TypeId::kDecimal) return to_decimals(begin, rows, in, out);
    if (is_float(from)) {
      std::array<double, kRowsAtOnce> values;
      load_floats(from, in, rows, values.data());
      return to_.id() == TypeId::kFloat32 ? store<float>(values.data(), rows, out)
                                          : store<double>(values.data(), rows, out);
    }
    std::array<int64_t, kRowsAtOnce> values;
    load_integers(from, in, rows, values.data());
    store_values(to_.id(), values.data(), rows, out);
  }

  void to_decimals(int64_t begin, int64_t rows, const uint8_t* in, uint8_t* out) const {
    const ColumnParts& parts = column_.parts();
    const bool from_decimal = parts.type.id() == TypeId::kDecimal;
    const int32_t digits = to_.scale() - (from_decimal ? parts.type.scale() : 0);
    const int32_t width = to_.storage_width();
    for (int64_t i = 0; i < rows; ++i) {
      if (!column_.is_valid(begin + i)) {
        std::memset(out + i * width, 0, static_cast<size_t>(width));
        continue;
      }
      const uint8_t* value = in + i * parts.byte_width;
      Decimal256 decimal;
      if (from_decimal) {
        decimal = Decimal256::load(value, parts.byte_width);
        if (!decimal.fits_precision(parts.type.precision())) {
          fail(ErrorCode::kCorruptData, "decimal has more digits than its type", "'{}', {}",
               decimal.to_string(parts.type.scale()), parts.type.to_string());
        }
      } else {
        int64_t integer;
        load_integers(parts.type.id(), value, 1, &integer);
        decimal =
            Decimal256(parts.type.id() == TypeId::kUInt64 ? int128_t{static_cast<uint64_t>(integer)}
                                                          : int128_t{integer});
      }
      scaled(decimal, digits).store(out + i * width, width);
    }
  }

  const Column& column_;
  const DataType& to_;
  uint8_t* out_;
};

ColumnPtr widen_numbers(const Context& context, const Column& column, const DataType& type) {
  const ColumnParts& in = column.parts();
  ColumnParts out;
  out.type = type;
  out.storage = Storage::kFixed;
  out.byte_width = type.storage_width();
  out.length = in.length;
  out.null_count = column.null_count();
  if (out.null_count > 0) out.validity = rebased_bits(context, in.validity, in.offset, in.length);
  MutableBuffer values =
      context.memory->allocate(checked_mul(in.length, out.byte_width, "wider values"));
  for_each_block(context.cancel, in.length, NumberWidener(column, type, values.data()));
  out.values = std::move(values).freeze();
  return Column::make(std::move(out));
}

ColumnPtr widen_any(const Context& context, const ColumnPtr& column, const DataType& type);

ColumnPtr widen_nested(const Context& context, const Column& column, const DataType& type) {
  const auto there = index_by_name(column.type().fields());
  const auto child = [&](size_t index, int64_t begin, int64_t length) -> ColumnPtr {
    const Field& field = type.fields()[index];
    size_t from = index;
    if (type.id() == TypeId::kStruct) {
      const auto found = there.find(field.name);
      if (found == there.end()) return Column::nulls(field.type, length);
      from = found->second;
    }
    return widen_any(context, column.parts().children[from]->slice(begin, length), field.type);
  };
  return rebuild_nested(context, column, type, column.storage(), child);
}

// The entries of a map are a struct whose fields are told by their places, whatever their names.
ColumnPtr widen_map(const Context& context, const Column& column, const DataType& type) {
  const DataType& entries = type.fields()[0].type;
  const auto child = [&](size_t, int64_t begin, int64_t length) {
    const ColumnPtr there = column.parts().children[0]->slice(begin, length);
    return rebuild_nested(
        context, *there, entries, there->storage(), [&](size_t index, int64_t first, int64_t rows) {
          return widen_any(context, there->parts().children[index]->slice(first, rows),
                           entries.fields()[index].type);
        });
  };
  return rebuild_nested(context, column, type, column.storage(), child);
}

ColumnPtr widen_any(const Context& context, const ColumnPtr& column, const DataType& type) {
  if (column->type() == type) return column;
  if (column->type().id() == TypeId::kNull) return Column::nulls(type, column->length());
  if (column->encoding() != Encoding::kFlat) {
    const Field flat{"", column->type()};
    return widen_any(context, convert_to_form(context, flat, column), type);
  }
  if (type.id() == TypeId::kMap) return widen_map(context, *column, type);
  if (type.is_nested()) return widen_nested(context, *column, type);
  return widen_numbers(context, *column, type);
}

}  // namespace

ColumnPtr widen(const Context& context, const ColumnPtr& column, const DataType& type) {
  const std::optional<DataType> common = common_type(type, column->type());
  if (!common || !(*common == type)) {
    fail(ErrorCode::kInvalidArgument, "a type that does not take in a column's values", "{} as {}",
         column->type().to_string(), type.to_string());
  }
  return widen_any(context, column, type);
}

}  // namespace colonnade::arrow
