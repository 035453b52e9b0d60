#include <cstring>

#include "arrow/format.h"
#include "arrow/import_array.h"
#include "arrow/row_selection.h"
#include "arrow/take.h"
#include "arrow/validate_values.h"
#include "base/checked.h"
#include "base/fail.h"

namespace colonnade::arrow {
namespace {

int64_t run_end_at(const Buffer& run_ends, int64_t run, int32_t width) noexcept {
  const uint8_t* data = run_ends.data() + run * width;
  switch (width) {
    case 2: {
      int16_t end;
      std::memcpy(&end, data, sizeof(end));
      return end;
    }
    case 4: {
      int32_t end;
      std::memcpy(&end, data, sizeof(end));
      return end;
    }
    default: {
      int64_t end;
      std::memcpy(&end, data, sizeof(end));
      return end;
    }
  }
}

}  // namespace

ColumnPtr import_run_ends(const ImportScope& scope, const Field& field, const ArrowArray& array) {
  check_counts(array, 0, 2);
  const ArrowArray& ends = *array.children[0];
  check_counts(ends, 2, 0);
  if (ends.null_count > 0) {
    fail(ErrorCode::kCorruptData, "nulls among the run ends of an Arrow array", "'{}': {}",
         field.name, ends.null_count);
  }
  Field values_field = field;
  values_field.import_encoding.run_ends.reset();
  const ColumnPtr values = import_array(scope, values_field, *array.children[1]);
  validate_unnamed(scope.context, values_field, *values, scope.validation);
  if (values->length() < ends.length) {
    fail(ErrorCode::kCorruptData, "fewer values than run ends in an Arrow array",
         "'{}': {} values, {} run ends", field.name, values->length(), ends.length);
  }
  const int32_t width = width_of(*field.import_encoding.run_ends);
  const Buffer run_ends = import_buffer(
      scope, ends, 1, checked_mul(ends.offset + ends.length, width, "run ends"), width, "run ends");

  // subscript = row, value = its run
  MutableBuffer runs = scope.context.memory->allocate(checked_mul(array.length, 8, "rows of runs"));
  int64_t row = 0;
  int64_t previous_end = 0;
  for (int64_t run = 0; run < ends.length; ++run) {
    const int64_t end = run_end_at(run_ends, ends.offset + run, width);
    if (end <= previous_end) {
      fail(ErrorCode::kCorruptData, "run ends of an Arrow array do not increase",
           "'{}': run {} ends at {} after {}", field.name, run, end, previous_end);
    }
    previous_end = end;
    while (row < array.length && array.offset + row < end) runs.as<int64_t>()[row++] = run;
  }
  if (row < array.length) {
    fail(ErrorCode::kCorruptData, "run ends of an Arrow array end before its rows",
         "'{}': {}, {} rows", field.name, previous_end, array.offset + array.length);
  }
  return take(scope.context, *values, {Ids64{runs.as<int64_t>()}, array.length});
}

}  // namespace colonnade::arrow
