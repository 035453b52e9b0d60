#include <colonnade/type.h>

#include "base/fail.h"
#include "column/no_such_column.h"

namespace colonnade {

std::string Field::to_string() const {
  std::string text = name + ": " + type.to_string();
  if (!nullable) text += " not null";
  return text;
}

bool operator==(const Field& a, const Field& b) noexcept {
  return a.nullable == b.nullable && a.name == b.name && a.type == b.type;
}

Schema::Schema(std::vector<Field> fields, std::vector<KeyValue> metadata)
    : fields_(std::move(fields)), metadata_(std::move(metadata)) {}

const Field& Schema::field(int32_t index) const {
  if (index < 0 || index >= num_fields())
    fail(ErrorCode::kInvalidArgument, "no such field", "field {} of {}", index, num_fields());
  return fields_[static_cast<size_t>(index)];
}

std::optional<int32_t> Schema::index_of(std::string_view name) const noexcept {
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].name == name) return static_cast<int32_t>(i);
  }
  return std::nullopt;
}

Error no_such_column(const Schema& schema, std::string_view name) {
  constexpr int32_t kMaxNames = 20;
  std::string there = schema.num_fields() == 0 ? "there are no columns" : "there are ";
  for (int32_t i = 0; i < schema.num_fields(); ++i) {
    if (i > 0) there += ", ";
    if (i == kMaxNames) {
      there += "...";
      break;
    }
    there += "'" + schema.field(i).name + "'";
  }
  Error error(ErrorCode::kNotFound, "no such column", there);
  error.locate({.column = std::string(name)});
  return error;
}

std::string Schema::to_string() const {
  std::string text;
  for (const Field& field : fields_) {
    text += field.to_string();
    text += '\n';
  }
  return text;
}

bool operator==(const Schema& a, const Schema& b) noexcept { return a.fields_ == b.fields_; }

}  // namespace colonnade
