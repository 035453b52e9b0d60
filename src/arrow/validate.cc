#include <colonnade/arrow.h>

#include "arrow/column_path.h"
#include "arrow/row_blocks.h"
#include "arrow/string_storage.h"
#include "arrow/validate_values.h"
#include "base/bits.h"
#include "base/fail.h"
#include "column/layout.h"

namespace colonnade::arrow {
namespace {

void check_null_count(const Column& column) {
  const ColumnParts& parts = column.parts();
  if (parts.null_count < 0 || parts.encoding == Encoding::kConstant ||
      parts.storage == Storage::kNone)
    return;
  const int64_t nulls =
      parts.validity.empty()
          ? 0
          : parts.length - bits::count(parts.validity.data(), parts.offset, parts.length);
  if (nulls != parts.null_count) {
    fail(ErrorCode::kCorruptData, "null count of a column differs from its validity",
         "{}, counted {}", parts.null_count, nulls);
  }
}

// The ends of what the offsets span; those between in full validation.
void check_span(const ColumnParts& parts, int64_t limit, const char* what) {
  const auto [begin, end] = spanned_range(parts);
  if (begin < 0 || end < begin || end > limit) {
    fail(ErrorCode::kCorruptData, "offsets of a column are outside what they point into",
         "{} to {}, {} {}", begin, end, limit, what);
  }
}

void check_dictionary(const Context& context, const Field& field, const Column& column,
                      Validation validation) {
  const ColumnParts& parts = column.parts();
  const Column& values = *parts.dictionary->values;
  Field values_field = field;
  values_field.dictionary = false;
  validate_unnamed(context, values_field, values, validation);
  if (validation != Validation::kFull || parts.encoding != Encoding::kDictionary) return;
  const int32_t* ids = parts.values.as<int32_t>().data() + parts.offset;
  for_each_block(context.cancel, parts.length, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (column.is_valid(i) && (ids[i] < 0 || ids[i] >= values.length())) {
        fail(ErrorCode::kCorruptData, "dictionary index outside the dictionary",
             "index {} in row {}, size {}", ids[i], i, values.length());
      }
    }
  });
}

void check_map(const Column& column) {
  const Column& entries = *column.parts().children[0];
  if (entries.null_count() > 0) {
    fail(ErrorCode::kCorruptData, "null entries of a map", "{}", entries.null_count());
  }
  const ColumnParts& parts = entries.parts();
  const ColumnPtr& keys = parts.encoding == Encoding::kFlat
                              ? parts.children[0]
                              : parts.dictionary->values->parts().children[0];
  if (keys->null_count() > 0)
    fail(ErrorCode::kCorruptData, "null keys of a map", "{}", keys->null_count());
}

void check_flat(const Context& context, const Column& column, Validation validation) {
  const ColumnParts& parts = column.parts();
  const bool full = validation == Validation::kFull;
  switch (parts.storage) {
    case Storage::kNone:
    case Storage::kBits:
      break;
    case Storage::kFixed:
      if (full) validate_fixed(context.cancel, column);
      break;
    case Storage::kOffsets32:
    case Storage::kOffsets64:
      check_span(parts, parts.bytes.size(), "bytes");
      if (full) {
        validate_offsets(context.cancel, parts, parts.bytes.size());
        validate_strings(context.cancel, column);
      }
      break;
    case Storage::kViews:
      if (full) validate_views(context.cancel, column);
      break;
    case Storage::kList32:
    case Storage::kList64:
      check_span(parts, parts.children[0]->length(), "elements");
      if (full) validate_offsets(context.cancel, parts, parts.children[0]->length());
      break;
    case Storage::kFixedSizeList:
    case Storage::kStruct:
      break;
  }
  const std::vector<Field>& fields = parts.type.fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    at_column(fields[i].name,
              [&] { validate_unnamed(context, fields[i], *parts.children[i], validation); });
  }
  if (parts.type.id() == TypeId::kMap) check_map(column);
}

}  // namespace

void validate_unnamed(const Context& context, const Field& field, const Column& column,
                      Validation validation) {
  if (validation == Validation::kFull) check_null_count(column);
  if (column.encoding() == Encoding::kFlat) {
    check_flat(context, column, validation);
  } else {
    check_dictionary(context, field, column, validation);
  }
}

void validate(const Context& context, const Field& field, const Column& column,
              Validation validation) {
  if (!(column.type() == field.type)) {
    fail(ErrorCode::kInvalidArgument, "column of another type than its field", "{}: {}",
         field.to_string(), column.type().to_string());
  }
  at_column(field.name, [&] { validate_unnamed(context, field, column, validation); });
}

}  // namespace colonnade::arrow
