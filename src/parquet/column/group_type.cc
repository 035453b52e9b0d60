#include "parquet/column/group_type.h"

#include <utility>

#include "base/fail.h"
#include "parquet/column/leaf_type.h"

namespace colonnade::parquet {

namespace {

using Kind = LogicalType::Kind;

constexpr const char* kFieldIdKey = "PARQUET:field_id";
constexpr const char* kLogicalTypeKey = "PARQUET:logical_type";

// A field, and what the rules for lists and maps ask of it.
struct Node {
  Field field;  // of the element without its repetition: a repeated one is not a list yet
  Shape shape;  // likewise
  bool repeated = false;
  bool is_group = false;
  uint8_t definition_level = 0;
  uint8_t repetition_level = 0;
  std::string refusal;
};

struct Source {
  const Footer& footer;
  TimeUnit int96_unit;
};

// `above`: the group around it.
Node make_node(const Source& source, const Node& above, int32_t& index);

std::vector<KeyValue> field_metadata(const SchemaElement& element) {
  std::vector<KeyValue> metadata;
  if (element.field_id) metadata.emplace_back(kFieldIdKey, std::to_string(*element.field_id));
  const std::string_view annotation = annotation_beyond_type(element);
  if (!annotation.empty()) metadata.emplace_back(kLogicalTypeKey, annotation);
  return metadata;
}

Shape list_of(const Node& repeated, Shape element) {
  Shape list;
  list.kind = Shape::Kind::kList;
  list.element_level = repeated.definition_level;
  list.repetition_level = repeated.repetition_level;
  list.num_leaves = element.num_leaves;
  list.children.push_back(std::move(element));
  return list;
}

// A repeated element that no LIST or MAP is wrapped around: a list of required elements.
void resolve_repetition(Node& node) {
  if (!node.repeated) return;
  Field list{node.field.name, DataType::list(node.field), false};
  list.metadata = node.field.metadata;
  node.field = std::move(list);
  node.shape = list_of(node, std::move(node.shape));
}

bool is_repeated_struct(const Node& node) {
  return node.is_group && node.shape.kind == Shape::Kind::kStruct;
}

// https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#lists, with its rules for
// what was written before: a repeated group of one field is the wrapper around the element, unless
// its name says that it is the element.
bool is_list_wrapper(const Node& repeated, const std::string& list_name) {
  return is_repeated_struct(repeated) && repeated.shape.children.size() == 1 &&
         repeated.field.name != "array" && repeated.field.name != list_name + "_tuple";
}

// A repeated struct of a key and, where it is no set of keys, a value.
bool is_key_value(const Node& repeated) {
  return is_repeated_struct(repeated) &&
         (repeated.shape.children.size() == 1 || repeated.shape.children.size() == 2);
}

// The type and shape of a group; its own validity is not in the shape yet.
void resolve_group(const Kind kind, std::vector<Node>& children, Node& group) {
  const bool wraps_repeated = children.size() == 1 && children[0].repeated;
  if (kind == Kind::kList && wraps_repeated) {
    Node& repeated = children[0];
    const bool wrapper = is_list_wrapper(repeated, group.field.name);
    group.field.type = DataType::list(wrapper ? repeated.field.type.fields()[0] : repeated.field);
    group.shape = list_of(repeated, wrapper ? repeated.shape.children[0] : repeated.shape);
    return;
  }
  if (kind == Kind::kMap && wraps_repeated && is_key_value(children[0])) {
    Node& repeated = children[0];
    const std::vector<Field>& entry = repeated.field.type.fields();
    Field key = entry[0];
    key.nullable = false;
    const bool is_set = entry.size() == 1;
    group.field.type = is_set ? DataType::list(std::move(key)) : DataType::map(key, entry[1]);
    group.shape = list_of(repeated, is_set ? repeated.shape.children[0] : repeated.shape);
    return;
  }
  std::vector<Field> fields;
  fields.reserve(children.size());
  group.shape.kind = Shape::Kind::kStruct;
  group.shape.num_leaves = 0;
  for (Node& child : children) {
    resolve_repetition(child);
    fields.push_back(std::move(child.field));
    group.shape.num_leaves += child.shape.num_leaves;
    group.shape.children.push_back(std::move(child.shape));
  }
  group.field.type = DataType::struct_of(std::move(fields));
}

void make_leaf(const Source& source, int32_t index, Node& node) {
  const Footer& footer = source.footer;
  const SchemaElement& element = footer.schema()[static_cast<size_t>(index)];
  try {
    LeafType leaf = leaf_type(element, source.int96_unit);
    node.field.type = std::move(leaf.type);
    node.refusal = std::move(leaf.refusal);
  } catch (Error& error) {
    error.locate({.column = footer.dotted_path(index)});
    throw;
  }
}

void make_group(const Source& source, const SchemaElement& element, int32_t& index, Node& node) {
  node.is_group = true;
  if (element.num_children == 0) node.refusal = "structs without fields are not read";
  std::vector<Node> children;
  for (int32_t i = 0; i < element.num_children; ++i) {
    children.push_back(make_node(source, node, index));
    if (node.refusal.empty()) node.refusal = children.back().refusal;
  }
  resolve_group(effective_logical_type(element).kind, children, node);
}

// The tree is well formed and at most Footer::kMaxSchemaDepth deep: so is this recursion.
Node make_node(const Source& source, const Node& above, int32_t& index) {
  static_assert(Footer::kMaxSchemaDepth <= 255);
  const SchemaElement& element = source.footer.schema()[static_cast<size_t>(index++)];
  Node node;
  node.field.name = element.name;
  node.field.nullable = element.repetition == Repetition::kOptional;
  node.field.metadata = field_metadata(element);
  node.repeated = element.repetition == Repetition::kRepeated;
  node.definition_level =
      static_cast<uint8_t>(above.definition_level + (node.repeated || node.field.nullable ? 1 : 0));
  node.repetition_level = static_cast<uint8_t>(above.repetition_level + (node.repeated ? 1 : 0));
  if (element.type) {
    make_leaf(source, index - 1, node);
  } else {
    make_group(source, element, index, node);
  }
  if (node.field.nullable) node.shape.valid_level = node.definition_level;
  return node;
}

}  // namespace

NamedField make_field(const Footer& footer, TimeUnit int96_unit, int32_t& index) {
  Node node = make_node({footer, int96_unit}, {}, index);
  resolve_repetition(node);
  return {std::move(node.field), std::move(node.shape), std::move(node.refusal)};
}

}  // namespace colonnade::parquet
