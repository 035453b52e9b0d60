#include "fixed_width.h"

#include <cstring>

#include <colonnade/arrow.h>

#include "interrupt.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

nb::object make_bytearray(int64_t size) {
  nb::object bytes = nb::steal(PyByteArray_FromStringAndSize(nullptr, size));
  if (!bytes.is_valid()) nb::raise_python_error();
  return bytes;
}

uint8_t* bytes_of(nb::handle bytearray) {
  return reinterpret_cast<uint8_t*>(PyByteArray_AS_STRING(bytearray.ptr()));
}

// Appends the values of a flat column at `out`; returns the end.
uint8_t* copy_values(const Column& column, int32_t width, uint8_t* out) {
  const Buffer& values = column.parts().values;
  if (column.storage() == Storage::kBits) {
    for (int64_t row = 0; row < column.length(); ++row) {
      const int64_t bit = column.offset() + row;
      *out++ = values.data()[bit / 8] >> (bit % 8) & 1;
    }
    return out;
  }
  const int64_t bytes = column.length() * width;
  if (bytes > 0)
    std::memcpy(out, values.data() + column.offset() * width, static_cast<size_t>(bytes));
  return out + bytes;
}

}  // namespace

nb::object fixed_width_values(const Field& field, std::span<const ColumnPtr> chunks) {
  const bool bits = field.type.id() == TypeId::kBool;
  const int32_t width = bits ? 1 : field.type.storage_width();
  if (width == 0) return nb::none();
  int64_t rows = 0;
  bool any_null = false;
  for (const ColumnPtr& chunk : chunks) {
    rows += chunk->length();
    any_null |= chunk->null_count() > 0;
  }
  const nb::object values = make_bytearray(rows * width);
  const nb::object nulls = any_null ? make_bytearray(rows) : nb::none();
  const Context context = make_context();
  {
    const OwnWork work(context);
    Field flat = field;
    flat.dictionary = false;
    uint8_t* out = bytes_of(values);
    uint8_t* null = any_null ? bytes_of(nulls) : nullptr;
    for (const ColumnPtr& chunk : chunks) {
      context.cancel.poll();
      out = copy_values(*arrow::convert_to_form(context, flat, chunk), width, out);
      if (null == nullptr) continue;
      for (int64_t row = 0; row < chunk->length(); ++row) *null++ = chunk->is_valid(row) ? 0 : 1;
    }
  }
  check_signals();
  return nb::make_tuple(values, nulls);
}

}  // namespace colonnade::python
