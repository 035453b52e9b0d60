#include <colonnade/arrow.h>

#include <utility>
#include <vector>

#include "arrow/c_data.h"
#include "arrow/column_path.h"
#include "arrow/import_array.h"
#include "base/bits.h"
#include "base/fail.h"

namespace colonnade::arrow {
namespace {

ColumnPtr import_located(const ImportScope& scope, const Field& field, const ArrowArray& array) {
  ColumnPtr column = at_column(field.name, [&] {
    try {
      return import_array(scope, field, array);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInvalidArgument) throw;
      // What the layout check of a column refuses is the array's fault here, not the caller's.
      Error corrupt(ErrorCode::kCorruptData, error.what_happened(), error.values());
      corrupt.locate(error.place());
      throw corrupt;
    }
  });
  validate(scope.context, field, *column, scope.validation);
  return column;
}

}  // namespace

ColumnPtr import_column(const Context& context, const Field& field, ArrowArray* array,
                        Validation validation) {
  auto owner = std::make_shared<ArrayOwner>(array);
  if (!*owner) fail(ErrorCode::kInvalidArgument, "released Arrow array was given to import");
  return import_located({context, owner, validation}, field, **owner);
}

Batch import_batch(const Context& context, const SchemaPtr& schema, ArrowArray* array,
                   Validation validation) {
  auto owner = std::make_shared<ArrayOwner>(array);
  if (!*owner) fail(ErrorCode::kInvalidArgument, "released Arrow array was given to import");
  if (!schema) fail(ErrorCode::kInvalidArgument, "batch without a schema");
  const ArrowArray& batch = **owner;
  check_counts(batch, 1, schema->num_fields());
  if (batch.dictionary != nullptr)
    fail(ErrorCode::kCorruptData, "Arrow array of a batch has a dictionary");
  const ImportScope scope{context, owner, validation};
  const Buffer validity = import_validity(scope, batch);
  if (!validity.empty() &&
      bits::count(validity.data(), batch.offset, batch.length) < batch.length) {
    fail(ErrorCode::kNotSupported, "rows of a batch that are null as a whole");
  }
  std::vector<ColumnPtr> columns;
  for (int32_t i = 0; i < schema->num_fields(); ++i) {
    const Field& field = schema->field(i);
    const ColumnPtr column = import_located(scope, field, *batch.children[i]);
    if (column->length() < batch.offset + batch.length) {
      Error error(ErrorCode::kCorruptData, "column of an Arrow array is too short");
      error.locate(Place{{}, field.name});
      throw error;
    }
    columns.push_back(column->slice(batch.offset, batch.length));
  }
  return Batch(schema, batch.length, std::move(columns));
}

}  // namespace colonnade::arrow
