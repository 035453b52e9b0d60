#include "arrow/decimal_width.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "arrow/row_blocks.h"
#include "arrow/row_selection.h"
#include "base/bits.h"
#include "base/checked.h"
#include "base/fail.h"
#include "column/decimal.h"

namespace colonnade::arrow {
namespace {

// Sign-extends `rows` values of From to kWords 64-bit words each. On the path of every export of
// decimals: the loop has no branch, so that compilers turn it into vector code.
template <typename From, int kWords>
void widen(const uint8_t* __restrict in, int64_t rows, int64_t* __restrict out) {
  for (int64_t i = 0; i < rows; ++i) {
    From value;
    std::memcpy(&value, in + i * static_cast<int64_t>(sizeof(From)), sizeof(From));
    const auto low = static_cast<int64_t>(value);
    out[i * kWords] = low;
    for (int k = 1; k < kWords; ++k) out[i * kWords + k] = low >> 63;
  }
}

// 16 bytes to 32.
void widen_16(const uint8_t* __restrict in, int64_t rows, int64_t* __restrict out) {
  for (int64_t i = 0; i < rows; ++i) {
    std::memcpy(out + 4 * i, in + 16 * i, 16);
    const int64_t sign = out[4 * i + 1] >> 63;
    out[4 * i + 2] = sign;
    out[4 * i + 3] = sign;
  }
}

template <int kWords>
void widen_to_words(const uint8_t* in, int32_t from_width, int64_t rows, int64_t* out) {
  if (from_width == 4) {
    widen<int32_t, kWords>(in, rows, out);
  } else {
    widen<int64_t, kWords>(in, rows, out);
  }
}

// Rows [begin, end); `out` is row 0 of zeroed values.
void narrow(const Column& column, int64_t begin, int64_t end, int32_t to_width, uint8_t* out) {
  const ColumnParts& parts = column.parts();
  const uint8_t* in = parts.values.data() + parts.offset * parts.byte_width;
  for (int64_t i = begin; i < end; ++i) {
    if (!column.is_valid(i)) continue;
    const Decimal256 value = Decimal256::load(in + i * parts.byte_width, parts.byte_width);
    if (!value.fits_bytes(to_width)) {
      fail(ErrorCode::kCorruptData, "decimal has more digits than its type",
           "row {}: unscaled {}, {}", i, value.to_string(0), parts.type.to_string());
    }
    value.store(out + i * to_width, to_width);
  }
}

// `words_per_value` 64-bit words each.
void zero_null_slots(const ColumnParts& parts, int32_t words_per_value, int64_t* out) {
  for (int64_t begin = 0; begin < parts.length; begin += 64) {
    const int64_t rows = std::min<int64_t>(64, parts.length - begin);
    const uint64_t valid = bits::load(parts.validity.data(), parts.offset + begin, rows);
    uint64_t null = rows == 64 ? ~valid : ~valid & ((uint64_t{1} << rows) - 1);
    for (; null != 0; null &= null - 1) {
      int64_t* value = out + (begin + std::countr_zero(null)) * words_per_value;
      for (int32_t k = 0; k < words_per_value; ++k) value[k] = 0;
    }
  }
}

void widen_block(const uint8_t* in, int32_t from_width, int64_t rows, int32_t to_width,
                 int64_t* out) {
  if (from_width == 16) {
    widen_16(in, rows, out);
  } else if (to_width == 8) {
    widen_to_words<1>(in, from_width, rows, out);
  } else if (to_width == 16) {
    widen_to_words<2>(in, from_width, rows, out);
  } else {
    widen_to_words<4>(in, from_width, rows, out);
  }
}

}  // namespace

ColumnPtr resize_decimals(const Context& context, const Column& column, int32_t byte_width) {
  const ColumnParts& in = column.parts();
  ColumnParts out;
  out.type = in.type;
  out.storage = Storage::kFixed;
  out.byte_width = byte_width;
  out.length = in.length;
  out.null_count = column.null_count();
  if (out.null_count > 0) out.validity = rebased_bits(context, in.validity, in.offset, in.length);

  MutableBuffer values = context.memory->allocate(checked_mul(in.length, byte_width, "decimals"));
  const uint8_t* source = in.values.data() + in.offset * in.byte_width;
  if (byte_width < in.byte_width) {
    values.fill_zero();
    for_each_block(context.cancel, in.length, [&](int64_t begin, int64_t end) {
      narrow(column, begin, end, byte_width, values.data());
    });
  } else {
    for_each_block(context.cancel, in.length, [&](int64_t begin, int64_t end) {
      widen_block(source + begin * in.byte_width, in.byte_width, end - begin, byte_width,
                  values.as<int64_t>() + begin * (byte_width / 8));
    });
    if (out.null_count > 0) zero_null_slots(in, byte_width / 8, values.as<int64_t>());
  }
  out.values = std::move(values).freeze();
  return Column::make(std::move(out));
}

}  // namespace colonnade::arrow
