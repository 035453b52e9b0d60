#include "requested_schema.h"

#include <optional>
#include <utility>
#include <vector>

#include <colonnade/arrow.h>
#include <colonnade/column.h>
#include <colonnade/error.h>

#include "capsule.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

// Whether columns of `field`'s type can be exported in its form: tried with one that has no rows.
bool can_take_form(const Context& context, const Field& field) {
  try {
    static_cast<void>(arrow::convert_to_form(context, field, Column::nulls(field.type, 0)));
    return true;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kOutOfBudget) throw;
    return false;
  }
}

// `own` in the form of `requested`, which is of an equal type, its children too.
Field in_form_of(const Field& requested, const Field& own) {
  Field field = own;
  field.form = requested.form;
  field.dictionary = requested.dictionary;
  field.dictionary_ordered = requested.dictionary && own.dictionary && own.dictionary_ordered;
  if (!own.type.is_nested()) return field;
  std::vector<Field> children;
  for (size_t i = 0; i < own.type.fields().size(); ++i)
    children.push_back(in_form_of(requested.type.fields()[i], own.type.fields()[i]));
  switch (own.type.id()) {
    case TypeId::kList:
      field.type = DataType::list(std::move(children[0]));
      break;
    case TypeId::kFixedSizeList:
      field.type = DataType::fixed_size_list(std::move(children[0]), own.type.list_size());
      break;
    case TypeId::kMap:
      field.type = DataType::map_of_entries(std::move(children[0]), own.type.keys_sorted());
      break;
    default:
      field.type = DataType::struct_of(std::move(children));
  }
  return field;
}

Field merged(const Context& context, const Field& own, const Field& requested) {
  if (!(own.type == requested.type)) return own;
  Field field = in_form_of(requested, own);
  return can_take_form(context, field) ? field : own;
}

}  // namespace

Schema requested_forms(const Context& context, const Schema& own, nb::handle requested) {
  if (requested.is_none()) return own;
  ArrowSchema copy = borrowed(*schema_in(requested));
  SchemaPtr wanted;
  try {
    wanted = arrow::import_schema(&copy);
  } catch (const Error&) {
    return own;  // a type that we do not have, so not one of ours
  }
  if (wanted->num_fields() != own.num_fields()) return own;
  std::vector<Field> fields;
  for (int32_t i = 0; i < own.num_fields(); ++i) {
    if (wanted->field(i).name != own.field(i).name) return own;
    fields.push_back(merged(context, own.field(i), wanted->field(i)));
  }
  return Schema(std::move(fields), own.metadata());
}

Field requested_form(const Context& context, const Field& own, nb::handle requested) {
  if (requested.is_none()) return own;
  ArrowSchema copy = borrowed(*schema_in(requested));
  try {
    return merged(context, own, arrow::import_field(&copy));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kOutOfBudget) throw;
    return own;
  }
}

parquet::StringForm string_form_for(const Schema& schema, parquet::StringForm fallback) {
  std::optional<parquet::StringForm> agreed;
  for (const Field& field : schema.fields()) {
    if (!field.type.is_bytes()) continue;
    parquet::StringForm form = parquet::StringForm::kOffsets32;
    if (field.form == Form::kOffsets64) form = parquet::StringForm::kOffsets64;
    if (field.form == Form::kViews) form = parquet::StringForm::kViews;
    if (field.dictionary) form = parquet::StringForm::kDictionary;
    if (agreed && *agreed != form) return fallback;
    agreed = form;
  }
  return agreed.value_or(fallback);
}

}  // namespace colonnade::python
