#include "parquet/column/fixed_layout.h"

#include <cstring>

#include "base/fail.h"
#include "parquet/column/big_endian.h"

namespace colonnade::parquet {
namespace {

constexpr int32_t kIntervalBytes = 12;

// The bytes of a physical value where all of them have the same number, else 0.
int32_t physical_bytes(const Leaf& leaf) {
  switch (leaf.physical_type) {
    case PhysicalType::kInt32:
    case PhysicalType::kFloat:
      return 4;
    case PhysicalType::kInt64:
    case PhysicalType::kDouble:
      return 8;
    case PhysicalType::kInt96:
      return 12;
    case PhysicalType::kFixedLenByteArray:
      return leaf.type_length;
    case PhysicalType::kBoolean:
    case PhysicalType::kByteArray:
      return 0;
  }
  fail(ErrorCode::kInternal, "unknown physical type", "type {}",
       static_cast<int>(leaf.physical_type));
}

[[noreturn]] void fail_combination(const Leaf& leaf, const DataType& type) {
  throw Error(ErrorCode::kNotSupported, fmt::format("{} values are not read as {} yet",
                                                    name(leaf.physical_type), type.to_string()));
}

template <typename In, typename Out>
void narrow(const uint8_t* in, int64_t n, uint8_t* out) {
  for (int64_t i = 0; i < n; ++i) {
    In wide;
    std::memcpy(&wide, in + i * static_cast<int64_t>(sizeof(In)), sizeof(In));
    const Out value = static_cast<Out>(wide);
    std::memcpy(out + i * static_cast<int64_t>(sizeof(Out)), &value, sizeof(Out));
  }
}

void narrow_checked(const uint8_t* in, int64_t n, uint8_t* out) {
  uint64_t outside = 0;  // not 0 once a value did not fit
  for (int64_t i = 0; i < n; ++i) {
    int64_t wide;
    std::memcpy(&wide, in + i * 8, sizeof(wide));
    const int32_t value = static_cast<int32_t>(wide);
    outside |= static_cast<uint64_t>(wide ^ int64_t{value});
    std::memcpy(out + i * 4, &value, sizeof(value));
  }
  if (outside != 0) {
    fail(ErrorCode::kCorruptData, "decimal outside the range of its precision", "64-bit value");
  }
}

// To Arrow's month_day_nano.
void convert_intervals(const uint8_t* in, int64_t n, uint8_t* out) {
  constexpr int64_t kNanosPerMilli = 1'000'000;
  uint32_t outside = 0;  // of int32, once a value did not fit
  for (int64_t i = 0; i < n; ++i) {
    uint32_t parts[3];  // months, days, milliseconds
    std::memcpy(parts, in + i * kIntervalBytes, sizeof(parts));
    outside |= (parts[0] | parts[1]) >> 31;
    const int64_t nanoseconds = int64_t{parts[2]} * kNanosPerMilli;
    std::memcpy(out + i * 16, parts, 8);
    std::memcpy(out + i * 16 + 8, &nanoseconds, 8);
  }
  if (outside != 0) {
    fail(ErrorCode::kCorruptData, "interval of more months or days than 31 bits count");
  }
}

}  // namespace

FixedLayout fixed_layout(const Leaf& leaf, const DataType& type) {
  FixedLayout layout;
  layout.physical_bytes = physical_bytes(leaf);
  layout.storage_bytes =
      type.id() == TypeId::kFixedBinary ? type.byte_width() : type.storage_width();
  const bool is_decimal = type.id() == TypeId::kDecimal;
  const int32_t storage_bytes = layout.storage_bytes;

  switch (leaf.physical_type) {
    case PhysicalType::kInt32:
      if (storage_bytes == 4) return layout;
      layout.conversion = storage_bytes == 1 ? Conversion::kInt32To8 : Conversion::kInt32To16;
      if (storage_bytes == 1 || storage_bytes == 2) return layout;
      break;
    case PhysicalType::kInt64:
      if (storage_bytes == 8) return layout;
      layout.conversion = Conversion::kInt64To32;
      if (storage_bytes == 4 && is_decimal) return layout;
      break;
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
      if (storage_bytes == layout.physical_bytes) return layout;
      break;
    case PhysicalType::kFixedLenByteArray:
      if (is_decimal) {
        layout.conversion = Conversion::kBigEndian;
        if (layout.physical_bytes > 0) return layout;
      } else if (type.id() == TypeId::kIntervalMonthDayNano) {
        layout.conversion = Conversion::kInterval;
        if (layout.physical_bytes == kIntervalBytes) return layout;
      } else if (storage_bytes == layout.physical_bytes) {
        return layout;
      }
      break;
    case PhysicalType::kInt96:
      layout.conversion = Conversion::kInt96;
      if (type.id() == TypeId::kTimestamp) return layout;
      break;
    case PhysicalType::kByteArray:
      layout.conversion = Conversion::kBigEndian;
      layout.byte_arrays = true;
      if (is_decimal) return layout;
      break;
    case PhysicalType::kBoolean:
      break;
  }
  fail_combination(leaf, type);
}

void convert_values(const FixedLayout& layout, const uint8_t* in, int64_t n, uint8_t* out) {
  if (n == 0) return;
  switch (layout.conversion) {
    case Conversion::kCopy:
      if (layout.storage_bytes > 0) {
        std::memcpy(out, in, static_cast<size_t>(n) * static_cast<size_t>(layout.storage_bytes));
      }
      return;
    case Conversion::kInt32To8:
      return narrow<int32_t, int8_t>(in, n, out);
    case Conversion::kInt32To16:
      return narrow<int32_t, int16_t>(in, n, out);
    case Conversion::kInt64To32:
      return narrow_checked(in, n, out);
    case Conversion::kInterval:
      return convert_intervals(in, n, out);
    case Conversion::kInt96:
      fail(ErrorCode::kInternal, "INT96 values are converted apart");
    case Conversion::kBigEndian:
      return convert_big_endian(in, layout.physical_bytes, n, layout.storage_bytes, out);
  }
}

}  // namespace colonnade::parquet
