#include "parquet/column/value_reader.h"

#include <algorithm>

#include "base/bits.h"
#include "parquet/column/boolean_values.h"
#include "parquet/column/dictionary_values.h"
#include "parquet/column/fixed_values.h"
#include "parquet/column/null_values.h"
#include "parquet/column/offset_values.h"
#include "parquet/column/view_values.h"

namespace colonnade::parquet {
namespace {

std::unique_ptr<ValueReader> make_string_reader(const Context& context, const DataType& type,
                                                StringForm strings) {
  switch (strings) {
    case StringForm::kOffsets32:
      return std::make_unique<OffsetValues<int32_t>>(context, type);
    case StringForm::kOffsets64:
      return std::make_unique<OffsetValues<int64_t>>(context, type);
    case StringForm::kViews:
      return std::make_unique<ViewValues>(context, type);
    case StringForm::kDictionary:
      return std::make_unique<DictionaryValues>(context, type);
  }
  fail(ErrorCode::kInternal, "unknown string form", "form {}", static_cast<int>(strings));
}

}  // namespace

std::unique_ptr<ValueReader> make_value_reader(const Context& context, const Leaf& leaf,
                                               const DataType& type, StringForm strings,
                                               bool int96_wraps) {
  if (type.id() == TypeId::kNull) return std::make_unique<NullValues>();
  if (type.is_bytes() && leaf.physical_type == PhysicalType::kByteArray) {
    return make_string_reader(context, type, strings);
  }
  if (type.id() == TypeId::kBool && leaf.physical_type == PhysicalType::kBoolean) {
    return std::make_unique<BooleanValues>(context);
  }
  return std::make_unique<FixedValues>(context, fixed_layout(leaf, type), type, int96_wraps);
}

int64_t bytes_to_reserve(int64_t rows, int64_t bits_per_row, int64_t max_bytes) noexcept {
  int64_t limit = kMaxReservedAheadBytes;
  if (max_bytes > 0) limit = std::min(limit, max_bytes);
  if (bits_per_row > 0 && rows > limit * 8 / bits_per_row) return limit;
  return bits::bytes_for(rows * bits_per_row);
}

}  // namespace colonnade::parquet
