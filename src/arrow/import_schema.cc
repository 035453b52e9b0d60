#include <colonnade/arrow.h>

#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/c_data.h"
#include "arrow/format.h"
#include "arrow/metadata.h"
#include "base/fail.h"

namespace colonnade::arrow {
namespace {

// The same limit as pyarrow's: deeper types would exhaust the stack, and cyclic ones never end.
constexpr int kMaxDepth = 64;

Field parse_field(const ArrowSchema& schema, int depth);

std::string_view name_of(const ArrowSchema& schema) noexcept {
  return schema.name == nullptr ? std::string_view() : schema.name;
}

std::string_view format_text(const ArrowSchema& schema) {
  if (schema.format == nullptr) {
    fail(ErrorCode::kCorruptData, "Arrow schema without a format", "field '{}'", name_of(schema));
  }
  return schema.format;
}

void check_released(const ArrowSchema& schema) {
  if (schema.release == nullptr) {
    fail(ErrorCode::kInvalidArgument, "released Arrow schema was given to import");
  }
}

// The children of a schema; `expected` -1: any number.
std::vector<Field> parse_children(const ArrowSchema& schema, int64_t expected, int depth) {
  if (schema.n_children < 0 || (expected >= 0 && schema.n_children != expected)) {
    fail(ErrorCode::kCorruptData, "wrong number of children of an Arrow schema",
         "'{}' of field '{}': {}", schema.format, name_of(schema), schema.n_children);
  }
  if (schema.n_children > 0 && schema.children == nullptr) {
    fail(ErrorCode::kCorruptData, "children of an Arrow schema are missing", "'{}' of field '{}'",
         schema.format, name_of(schema));
  }
  std::vector<Field> fields;
  for (int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema* child = schema.children[i];
    if (child == nullptr || child->release == nullptr) {
      fail(ErrorCode::kCorruptData, "child of an Arrow schema is missing", "child {} of field '{}'",
           i, name_of(schema));
    }
    fields.push_back(parse_field(*child, depth + 1));
  }
  return fields;
}

Field parse_run_end_encoded(const ArrowSchema& schema, int depth) {
  std::vector<Field> fields = parse_children(schema, 2, depth);
  const ImportEncoding::Integer run_ends =
      parse_integer_format(schema.children[0]->format, name_of(schema));
  if (run_ends != ImportEncoding::Integer::kInt16 && run_ends != ImportEncoding::Integer::kInt32 &&
      run_ends != ImportEncoding::Integer::kInt64) {
    fail(ErrorCode::kCorruptData, "run ends of an unexpected type", "'{}' of field '{}'",
         schema.children[0]->format, name_of(schema));
  }
  Field values = std::move(fields[1]);
  if (values.import_encoding.run_ends) {
    fail(ErrorCode::kNotSupported, "run-end-encoded values of a run-end-encoded field",
         "field '{}'", name_of(schema));
  }
  values.import_encoding.run_ends = run_ends;
  return values;
}

Field parse_map(const ArrowSchema& schema, int depth) {
  std::vector<Field> fields = parse_children(schema, 1, depth);
  const DataType& entries = fields[0].type;
  const bool is_map = entries.id() == TypeId::kStruct && entries.fields().size() == 2 &&
                      !fields[0].nullable && !entries.fields()[0].nullable && !fields[0].dictionary;
  if (!is_map) {
    fail(ErrorCode::kCorruptData,
         "map whose entries are not required structs of a required key and a value",
         "field '{}': {}", name_of(schema), fields[0].to_string());
  }
  Field map;
  map.type = DataType::map_of_entries(std::move(fields[0]),
                                      (schema.flags & ARROW_FLAG_MAP_KEYS_SORTED) != 0);
  return map;
}

// Type, form and import encoding.
Field parse_values(const ArrowSchema& schema, int depth) {
  const ParsedFormat parsed = parse_format(format_text(schema), name_of(schema));
  Field field;
  switch (parsed.kind) {
    case ParsedFormat::Kind::kType:
      parse_children(schema, 0, depth);
      field.type = parsed.type;
      field.form = parsed.form;
      break;
    case ParsedFormat::Kind::kList:
    case ParsedFormat::Kind::kLargeList:
      field.type = DataType::list(std::move(parse_children(schema, 1, depth)[0]));
      if (parsed.kind == ParsedFormat::Kind::kLargeList) field.form = Form::kOffsets64;
      break;
    case ParsedFormat::Kind::kFixedSizeList:
      field.type = DataType::fixed_size_list(std::move(parse_children(schema, 1, depth)[0]),
                                             parsed.list_size);
      break;
    case ParsedFormat::Kind::kStruct:
      field.type = DataType::struct_of(parse_children(schema, -1, depth));
      break;
    case ParsedFormat::Kind::kMap:
      field = parse_map(schema, depth);
      break;
    case ParsedFormat::Kind::kRunEndEncoded:
      field = parse_run_end_encoded(schema, depth);
      break;
  }
  return field;
}

Field parse_field(const ArrowSchema& schema, int depth) {
  if (depth > kMaxDepth) {
    fail(ErrorCode::kNotSupported, "Arrow schema is nested too deeply", "more than {} levels",
         kMaxDepth);
  }
  const std::string_view format = format_text(schema);
  Field field;
  bool nullable = (schema.flags & ARROW_FLAG_NULLABLE) != 0;
  if (schema.dictionary != nullptr) {
    const ImportEncoding::Integer ids = parse_integer_format(format, name_of(schema));
    parse_children(schema, 0, depth);
    if (schema.dictionary->release == nullptr) {
      fail(ErrorCode::kCorruptData, "dictionary of an Arrow schema is missing", "field '{}'",
           name_of(schema));
    }
    if (schema.dictionary->dictionary != nullptr) {
      fail(ErrorCode::kNotSupported, "dictionary of dictionaries", "field '{}'", name_of(schema));
    }
    field = parse_values(*schema.dictionary, depth + 1);
    if (field.import_encoding.run_ends) {
      fail(ErrorCode::kNotSupported, "run-end-encoded dictionary", "field '{}'", name_of(schema));
    }
    if (field.type.id() == TypeId::kNull) {
      fail(ErrorCode::kNotSupported, "dictionary of the null type", "field '{}'", name_of(schema));
    }
    field.dictionary = true;
    field.dictionary_ordered = (schema.flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0;
    field.import_encoding.ids = ids;
  } else {
    field = parse_values(schema, depth);
    // What a run-end-encoded field holds may be null if either says so.
    if (field.import_encoding.run_ends) nullable = nullable || field.nullable;
  }
  field.name = name_of(schema);
  field.nullable = nullable;
  field.metadata = decode_metadata(schema.metadata);
  return field;
}

}  // namespace

Field import_field(ArrowSchema* schema) {
  const SchemaOwner owner(schema);
  check_released(*owner);
  return parse_field(*owner, 0);
}

SchemaPtr import_schema(ArrowSchema* schema) {
  const SchemaOwner owner(schema);
  check_released(*owner);
  if (format_text(*owner) != "+s" || owner->dictionary != nullptr) {
    fail(ErrorCode::kInvalidArgument, "Arrow schema of a stream or batch is not a struct", "'{}'",
         owner->format);
  }
  return std::make_shared<const Schema>(parse_children(*owner, -1, 0),
                                        decode_metadata(owner->metadata));
}

}  // namespace colonnade::arrow
