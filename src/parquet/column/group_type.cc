#include "parquet/column/group_type.h"

#include <utility>

#include "base/fail.h"
#include "parquet/column/leaf_type.h"

namespace colonnade::parquet {

namespace {

using Kind = LogicalType::Kind;

constexpr const char* kFieldIdKey = "PARQUET:field_id";

// A field, and what the rules for lists and maps ask of it.
struct Node {
  Field field;  // of the element without its repetition: a repeated one is not a list yet
  bool repeated = false;
  bool is_group = false;
  std::vector<Field> children;  // of a group, as a struct
  int32_t num_leaves = 0;
  std::string refusal;
};

Node make_node(const Footer& footer, int32_t& index);

std::vector<KeyValue> field_metadata(const SchemaElement& element) {
  if (!element.field_id) return {};
  return {{kFieldIdKey, std::to_string(*element.field_id)}};
}

// A repeated element that no LIST or MAP is wrapped around: a list of required elements.
Field resolve_repetition(Node& node) {
  if (!node.repeated) return std::move(node.field);
  Field list{node.field.name, DataType::list(node.field), false};
  list.metadata = node.field.metadata;
  return list;
}

// https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#lists, with its rules for
// what was written before: a repeated group of one field is the wrapper around the element, unless
// its name says that it is the element.
Field list_element(const Node& repeated, const std::string& list_name) {
  const bool is_wrapper =
      repeated.is_group && repeated.children.size() == 1 && repeated.field.name != "array" &&
      repeated.field.name != list_name + "_tuple" && repeated.field.type.id() == TypeId::kStruct;
  return is_wrapper ? repeated.children[0] : repeated.field;
}

// A repeated struct of a key and, where it is no set of keys, a value.
bool is_key_value(const Node& repeated) {
  return repeated.is_group && repeated.field.type.id() == TypeId::kStruct &&
         (repeated.children.size() == 1 || repeated.children.size() == 2);
}

DataType group_type(const Kind kind, const std::string& name, std::vector<Node>& children) {
  const bool wraps_repeated = children.size() == 1 && children[0].repeated;
  if (kind == Kind::kList && wraps_repeated) return DataType::list(list_element(children[0], name));
  if (kind == Kind::kMap && wraps_repeated && is_key_value(children[0])) {
    Field key = children[0].children[0];
    key.nullable = false;
    if (children[0].children.size() == 1) return DataType::list(std::move(key));
    return DataType::map(std::move(key), children[0].children[1]);
  }
  std::vector<Field> fields;
  fields.reserve(children.size());
  for (Node& child : children) fields.push_back(resolve_repetition(child));
  return DataType::struct_of(std::move(fields));
}

const char* group_refusal(const Kind kind, const DataType& type) {
  if (kind == Kind::kVariant) return "VARIANT columns are not read yet";
  switch (type.id()) {
    case TypeId::kList:
      return "lists are not read yet";
    case TypeId::kMap:
      return "maps are not read yet";
    default:
      return "structs are not read yet";
  }
}

void make_leaf(const Footer& footer, int32_t index, Node& node) {
  const SchemaElement& element = footer.schema()[static_cast<size_t>(index)];
  try {
    LeafType leaf = leaf_type(element);
    node.field.type = std::move(leaf.type);
    node.refusal = std::move(leaf.refusal);
  } catch (Error& error) {
    error.locate({.column = footer.dotted_path(index)});
    throw;
  }
  node.num_leaves = 1;
}

void make_group(const Footer& footer, const SchemaElement& element, int32_t& index, Node& node) {
  std::vector<Node> children;
  for (int32_t i = 0; i < element.num_children; ++i) {
    children.push_back(make_node(footer, index));
    node.num_leaves += children.back().num_leaves;
  }
  const Kind kind = effective_logical_type(element).kind;
  node.is_group = true;
  node.field.type = group_type(kind, element.name, children);
  node.refusal = group_refusal(kind, node.field.type);
  if (node.field.type.id() == TypeId::kStruct) node.children = node.field.type.fields();
}

// The tree is well formed and at most Footer::kMaxSchemaDepth deep: so is this recursion.
Node make_node(const Footer& footer, int32_t& index) {
  const SchemaElement& element = footer.schema()[static_cast<size_t>(index++)];
  Node node;
  node.field.name = element.name;
  node.field.nullable = element.repetition == Repetition::kOptional;
  node.field.metadata = field_metadata(element);
  node.repeated = element.repetition == Repetition::kRepeated;
  if (element.type) {
    make_leaf(footer, index - 1, node);
  } else {
    make_group(footer, element, index, node);
  }
  return node;
}

}  // namespace

NamedField make_field(const Footer& footer, int32_t& index) {
  Node node = make_node(footer, index);
  NamedField named;
  named.num_leaves = node.num_leaves;
  named.refusal = node.repeated ? "lists are not read yet" : std::move(node.refusal);
  named.field = resolve_repetition(node);
  return named;
}

}  // namespace colonnade::parquet
