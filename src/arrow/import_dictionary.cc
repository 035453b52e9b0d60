#include <cstring>
#include <limits>
#include <optional>

#include "arrow/format.h"
#include "arrow/import_array.h"
#include "arrow/row_selection.h"
#include "arrow/take.h"
#include "arrow/validate_values.h"
#include "base/bits.h"
#include "base/checked.h"
#include "base/fail.h"

namespace colonnade::arrow {
namespace {

// New ids of a dictionary whose null values were dropped: subscript = old id, -1 = the value is
// null.
struct Compacted {
  ColumnPtr values;
  MutableBuffer new_ids;  // int32
};

Compacted drop_null_values(const Context& context, const Column& values) {
  const int64_t length = values.length();
  Compacted result;
  result.new_ids = context.memory->allocate(checked_mul(length, 4, "dictionary"));
  MutableBuffer kept = context.memory->allocate(checked_mul(length, 8, "dictionary"));
  int32_t num_kept = 0;
  for (int64_t i = 0; i < length; ++i) {
    const bool valid = values.is_valid(i);
    if (valid) kept.as<int64_t>()[num_kept] = i;
    result.new_ids.as<int32_t>()[i] = valid ? num_kept++ : -1;
  }
  result.values = take(context, values, {Ids64{kept.as<int64_t>()}, num_kept});
  return result;
}

// One array's ids, of any integer type.
struct RawIds {
  const uint8_t* data;  // of row 0
  ImportEncoding::Integer type;
  const uint8_t* validity;  // null: all valid
  int64_t validity_offset;
  int64_t length;

  bool is_valid(int64_t i) const noexcept {
    return validity == nullptr || bits::get(validity, validity_offset + i);
  }
};

template <typename Id>
Id id_at(const RawIds& raw, int64_t i) noexcept {
  Id id;
  std::memcpy(&id, raw.data + i * static_cast<int64_t>(sizeof(Id)), sizeof(Id));
  return id;
}

template <typename Id>
[[noreturn]] void fail_id(Id id, int64_t row, int64_t num_values) {
  fail(ErrorCode::kCorruptData, "dictionary index outside the dictionary",
       "index {} in row {}, size {}", id, row, num_values);
}

// Whether every id, of null rows too, lies in [0, num_values); throws for one of a valid row that
// does not.
template <typename Id>
bool all_inside(const RawIds& raw, int64_t num_values) {
  const auto limit = static_cast<uint64_t>(num_values);
  bool inside = true;
  // A negative id becomes a huge number.
  for (int64_t i = 0; i < raw.length; ++i)
    inside &= static_cast<uint64_t>(id_at<Id>(raw, i)) < limit;
  if (inside) return true;
  for (int64_t i = 0; i < raw.length; ++i) {
    const Id id = id_at<Id>(raw, i);
    if (static_cast<uint64_t>(id) >= limit && raw.is_valid(i)) fail_id(id, i, num_values);
  }
  return false;
}

// The ids as int32, 0 in null rows; of dropped values too, whose rows become null in `validity`.
template <typename Id>
void normalise(const RawIds& raw, const int32_t* new_ids, int32_t* out, uint8_t* validity) {
  for (int64_t i = 0; i < raw.length; ++i) {
    out[i] = 0;
    if (!raw.is_valid(i)) continue;
    const auto id = static_cast<int32_t>(id_at<Id>(raw, i));
    const int32_t new_id = new_ids == nullptr ? id : new_ids[id];
    if (new_id >= 0) {
      out[i] = new_id;
    } else {
      bits::clear(validity, i);
    }
  }
}

template <typename Function>
auto with_id_type(ImportEncoding::Integer type, Function&& function) {
  using Integer = ImportEncoding::Integer;
  switch (type) {
    case Integer::kInt8:
      return function(int8_t{});
    case Integer::kInt16:
      return function(int16_t{});
    case Integer::kInt32:
      return function(int32_t{});
    case Integer::kInt64:
      return function(int64_t{});
    case Integer::kUInt8:
      return function(uint8_t{});
    case Integer::kUInt16:
      return function(uint16_t{});
    case Integer::kUInt32:
      return function(uint32_t{});
    case Integer::kUInt64:
      return function(uint64_t{});
  }
  fail(ErrorCode::kInternal, "unknown type of dictionary ids");
}

}  // namespace

ColumnPtr import_dictionary(const ImportScope& scope, const Field& field, const ArrowArray& array) {
  check_counts(array, 2, 0);
  if (array.dictionary == nullptr || array.dictionary->release == nullptr) {
    fail(ErrorCode::kCorruptData, "dictionary of an Arrow array is missing or released", "'{}'",
         field.name);
  }
  Field values_field = field;
  values_field.dictionary = false;
  values_field.import_encoding = {};
  ColumnPtr values = import_array(scope, values_field, *array.dictionary);
  if (values->length() > std::numeric_limits<int32_t>::max()) {
    fail(ErrorCode::kNotSupported, "dictionary too large for int32 ids", "'{}': {} values",
         field.name, values->length());
  }

  const ImportEncoding::Integer type = field.import_encoding.ids;
  const int64_t width = width_of(type);
  const int64_t offset = array.length == 0 ? 0 : array.offset;
  Buffer validity = import_validity(scope, array);
  const Buffer ids = import_buffer(scope, array, 1,
                                   checked_mul(offset + array.length, width, "ids"), width, "ids");
  const RawIds raw{ids.data() + offset * width, type, validity.empty() ? nullptr : validity.data(),
                   offset, array.length};

  ColumnParts parts;
  parts.type = field.type;
  parts.encoding = Encoding::kDictionary;
  parts.length = array.length;
  const bool inside =
      with_id_type(type, [&](auto id) { return all_inside<decltype(id)>(raw, values->length()); });
  const bool has_null_values = values->null_count() > 0;
  if (inside && !has_null_values && type == ImportEncoding::Integer::kInt32) {
    parts.offset = offset;
    parts.validity = std::move(validity);
    parts.values = ids;
  } else {
    std::optional<Compacted> compacted;
    MutableBuffer new_validity;
    if (has_null_values) {
      validate_unnamed(scope.context, values_field, *values, scope.validation);
      compacted = drop_null_values(scope.context, *values);
      values = compacted->values;
      new_validity = scope.context.memory->allocate_zeroed(bits::bytes_for(array.length));
      if (raw.validity == nullptr) {
        bits::fill(new_validity.data(), 0, array.length, true);
      } else {
        bits::copy(raw.validity, offset, array.length, new_validity.data(), 0);
      }
    }
    MutableBuffer new_ids = scope.context.memory->allocate(array.length * 4);
    with_id_type(type, [&](auto id) {
      normalise<decltype(id)>(raw, compacted ? compacted->new_ids.as<int32_t>() : nullptr,
                              new_ids.as<int32_t>(), new_validity.data());
    });
    parts.validity = has_null_values ? std::move(new_validity).freeze()
                                     : rebased_bits(scope.context, validity, offset, array.length);
    parts.values = std::move(new_ids).freeze();
  }
  parts.storage = values->storage();
  parts.byte_width = values->byte_width();
  parts.dictionary = Dictionary::make(std::move(values), false, false);
  return Column::make(std::move(parts));
}

}  // namespace colonnade::arrow
