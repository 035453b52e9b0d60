#include "parquet/format/schema_tree.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"

namespace colonnade::parquet {

namespace {

using thrift::Field;
using thrift::Reader;
using thrift::WireType;

void parse_decimal(Reader& reader, LogicalType& type) {
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        type.scale = reader.i32(field, "scale");
        break;
      case 2:
        type.precision = reader.i32(field, "precision");
        break;
      default:
        reader.skip(field);
    }
  }
}

// A union of empty structs. A unit that this version does not know makes the type one that it does
// not know.
void parse_unit(Reader& reader, LogicalType& type) {
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        type.unit = TimeUnit::kMilli;
        break;
      case 2:
        type.unit = TimeUnit::kMicro;
        break;
      case 3:
        type.unit = TimeUnit::kNano;
        break;
      default:
        type.kind = LogicalType::Kind::kUnrecognised;
    }
    reader.skip(field);
  }
}

void parse_time(Reader& reader, LogicalType& type) {
  bool has_unit = false;
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        type.adjusted_to_utc = reader.boolean(field, "isAdjustedToUTC");
        break;
      case 2:
        reader.begin_struct(field, "unit");
        parse_unit(reader, type);
        has_unit = true;
        break;
      default:
        reader.skip(field);
    }
  }
  if (!has_unit) reader.fail_missing("unit");
}

void parse_integer(Reader& reader, LogicalType& type) {
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        type.bit_width = reader.i8(field, "bitWidth");
        break;
      case 2:
        type.is_signed = reader.boolean(field, "isSigned");
        break;
      default:
        reader.skip(field);
    }
  }
  if (type.bit_width != 8 && type.bit_width != 16 && type.bit_width != 32 && type.bit_width != 64) {
    fail(ErrorCode::kCorruptData, "integer type of an impossible width", "{} bits", type.bit_width);
  }
}

LogicalType parse_logical_type(Reader& reader) {
  using Kind = LogicalType::Kind;
  LogicalType type;
  for (Field field; reader.next(field);) {
    type = LogicalType{};
    const bool known =
        field.id >= 1 && field.id <= static_cast<int16_t>(Kind::kFile) && field.id != 9;
    type.kind = known ? static_cast<Kind>(field.id) : Kind::kUnrecognised;
    if (known) reader.begin_struct(field, "logicalType");
    switch (type.kind) {
      case Kind::kDecimal:
        parse_decimal(reader, type);
        break;
      case Kind::kTime:
      case Kind::kTimestamp:
        parse_time(reader, type);
        break;
      case Kind::kInteger:
        parse_integer(reader, type);
        break;
      case Kind::kNone:
      case Kind::kString:
      case Kind::kMap:
      case Kind::kList:
      case Kind::kEnum:
      case Kind::kDate:
      case Kind::kUnknown:
      case Kind::kJson:
      case Kind::kBson:
      case Kind::kUuid:
      case Kind::kFloat16:
      case Kind::kVariant:
      case Kind::kGeometry:
      case Kind::kGeography:
      case Kind::kFile:
      case Kind::kUnrecognised:
        reader.skip(field);
    }
  }
  return type;
}

std::optional<ConvertedType> converted_type(int32_t number) noexcept {
  if (number < 0 || number > static_cast<int32_t>(ConvertedType::kInterval)) return std::nullopt;
  return static_cast<ConvertedType>(number);
}

SchemaElement parse_element(Reader& reader, MetadataAccount& account) {
  SchemaElement element;
  bool has_name = false;
  std::optional<int32_t> type;
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        type = reader.i32(field, "type");
        break;
      case 2:
        element.type_length = reader.i32(field, "type_length");
        break;
      case 3: {
        const int32_t number = reader.i32(field, "repetition_type");
        element.repetition = repetition(number);
        if (!element.repetition) {
          fail(ErrorCode::kCorruptData, "unknown repetition in the schema", "repetition_type is {}",
               number);
        }
        break;
      }
      case 4:
        element.name = reader.string(field, "name");
        has_name = true;
        break;
      case 5:
        element.num_children = reader.i32(field, "num_children");
        break;
      case 6:
        element.converted_type = converted_type(reader.i32(field, "converted_type"));
        break;
      case 7:
        element.scale = reader.i32(field, "scale");
        break;
      case 8:
        element.precision = reader.i32(field, "precision");
        break;
      case 9:
        element.field_id = reader.i32(field, "field_id");
        break;
      case 10:
        reader.begin_struct(field, "logicalType");
        element.logical_type = parse_logical_type(reader);
        break;
      default:
        reader.skip(field);
    }
  }
  if (!has_name) reader.fail_missing("name");
  if (type) {
    element.type = physical_type(*type);
    if (!element.type) {
      // A later version of the format may add a type, but none below zero.
      throw Error(*type < 0 ? ErrorCode::kCorruptData : ErrorCode::kNotSupported,
                  "unknown physical type in the schema", fmt::format("type {}", *type))
          .locate({.column = element.name});
    }
  }
  account.charge_text(element.name.size(), "names in the schema");
  return element;
}

[[noreturn, gnu::cold]] void fail_element(const SchemaTree& tree, int32_t element,
                                          const char* what_happened, std::string values) {
  Error error(ErrorCode::kCorruptData, what_happened, std::move(values));
  if (element != 0) error.locate({.column = tree.dotted_path(element)});
  throw error;
}

void check_decimal(const SchemaTree& tree, int32_t index, int32_t precision, int32_t scale) {
  if (precision >= 1 && scale >= 0 && scale <= precision) return;
  fail_element(tree, index, "decimal of an impossible precision or scale",
               fmt::format("precision {}, scale {}", precision, scale));
}

// What can be said of a leaf without its logical type's rules.
void check_leaf(const SchemaTree& tree, int32_t index) {
  const SchemaElement& element = tree.elements[static_cast<size_t>(index)];
  if (element.type == PhysicalType::kFixedLenByteArray && element.type_length <= 0) {
    fail_element(tree, index, "fixed-length type without a length",
                 fmt::format("type_length is {}", element.type_length));
  }
  if (element.logical_type.kind == LogicalType::Kind::kDecimal) {
    check_decimal(tree, index, element.logical_type.precision, element.logical_type.scale);
  } else if (element.converted_type == ConvertedType::kDecimal) {
    check_decimal(tree, index, element.precision, element.scale);
  }
}

}  // namespace

std::vector<std::string> SchemaTree::path(int32_t element) const {
  std::vector<std::string> names;
  for (; element > 0; element = parents[static_cast<size_t>(element)]) {
    names.push_back(elements[static_cast<size_t>(element)].name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

std::string SchemaTree::dotted_path(int32_t element) const {
  std::string dotted;
  for (const std::string& name : path(element)) {
    if (!dotted.empty()) dotted += '.';
    dotted += name;
  }
  return dotted;
}

std::vector<SchemaElement> parse_schema_elements(Reader& reader, const Field& field,
                                                 MetadataAccount& account) {
  constexpr const char* kPurpose = "the schema's elements";
  // The list is short beside the rest of the footer: passing over it first gives the number of
  // elements that are really there, so that the list, the largest part of the index, never has to
  // move.
  Reader counting = reader;
  const int64_t claimed = counting.begin_list(field, WireType::kStruct, "schema");
  for (int64_t i = 0; i < claimed; ++i) counting.skip_struct();

  const int64_t num_elements = reader.begin_list(field, WireType::kStruct, "schema");
  std::vector<SchemaElement> elements;
  account.reserve(elements, static_cast<size_t>(num_elements), kPurpose);
  for (int64_t i = 0; i < num_elements; ++i) elements.push_back(parse_element(reader, account));
  return elements;
}

SchemaTree make_schema_tree(std::vector<SchemaElement> elements, MetadataAccount& account) {
  constexpr const char* kPurpose = "the schema's tree";
  if (elements.empty()) fail(ErrorCode::kCorruptData, "the schema has no root");
  SchemaTree tree;
  tree.elements = std::move(elements);
  const auto num_elements = static_cast<int32_t>(tree.elements.size());
  account.reserve(tree.parents, tree.elements.size(), kPurpose);

  // The groups that the next element lies in, and how many of their children are still to come.
  struct OpenGroup {
    int32_t element;
    int32_t children_left;
  };
  std::vector<OpenGroup> open;
  for (int32_t index = 0; index < num_elements; ++index) {
    while (!open.empty() && open.back().children_left == 0) open.pop_back();
    const SchemaElement& element = tree.elements[static_cast<size_t>(index)];
    if (index != 0 && open.empty()) {
      fail(ErrorCode::kCorruptData, "the schema has elements outside of its root",
           "{} elements, the tree ends with {}", num_elements, index);
    }
    tree.parents.push_back(open.empty() ? -1 : open.back().element);
    if (index != 0) {
      --open.back().children_left;
      if (!element.repetition) fail_element(tree, index, "column without repetition", {});
    } else if (element.type) {
      fail(ErrorCode::kCorruptData, "the schema's root is a column");
    }
    if (element.num_children < 0 || element.num_children > num_elements - 1 - index) {
      fail_element(tree, index, "group with an impossible number of children",
                   fmt::format("{} children, {} elements follow", element.num_children,
                               num_elements - 1 - index));
    }
    if (element.type) {
      if (element.num_children != 0) {
        fail_element(tree, index, "column with children",
                     fmt::format("{} children", element.num_children));
      }
      check_leaf(tree, index);
      account.make_room(tree.leaves, kPurpose);
      tree.leaves.push_back(index);
    } else {
      if (open.size() >= static_cast<size_t>(Footer::kMaxSchemaDepth)) {
        fail(ErrorCode::kCorruptData, "the schema is nested too deeply",
             "more than {} groups inside one another", Footer::kMaxSchemaDepth);
      }
      open.push_back({index, element.num_children});
    }
  }
  while (!open.empty() && open.back().children_left == 0) open.pop_back();
  if (!open.empty()) {
    fail_element(tree, open.back().element, "the schema ends before its last child",
                 fmt::format("{} children are missing", open.back().children_left));
  }
  return tree;
}

}  // namespace colonnade::parquet
