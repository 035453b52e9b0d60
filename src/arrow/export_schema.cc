#include <colonnade/arrow.h>

#include <memory>
#include <string>
#include <vector>

#include "arrow/c_data.h"
#include "arrow/format.h"
#include "arrow/metadata.h"
#include "base/fail.h"
#include "base/json.h"

namespace colonnade::arrow {
namespace {

// What an exported ArrowSchema points to. Children that a consumer moved out are marked as released
// here and own their own node.
struct SchemaNode {
  std::string format;
  std::string name;
  std::string metadata;
  std::vector<SchemaOwner> children;
  std::vector<ArrowSchema*> child_pointers;
  SchemaOwner dictionary;
};

void release_schema(ArrowSchema* schema) {
  delete static_cast<SchemaNode*>(schema->private_data);
  schema->private_data = nullptr;
  schema->release = nullptr;
}

// `node` must have its format, name, metadata and children.
SchemaOwner make_schema(std::unique_ptr<SchemaNode> node, int64_t flags) {
  node->child_pointers.reserve(node->children.size());
  for (SchemaOwner& child : node->children) node->child_pointers.push_back(child.get());
  ArrowSchema schema{};
  schema.format = node->format.c_str();
  schema.name = node->name.c_str();
  schema.metadata = node->metadata.empty() ? nullptr : node->metadata.data();
  schema.flags = flags;
  schema.n_children = static_cast<int64_t>(node->child_pointers.size());
  schema.children = node->child_pointers.empty() ? nullptr : node->child_pointers.data();
  schema.dictionary = node->dictionary ? node->dictionary.get() : nullptr;
  schema.release = release_schema;
  schema.private_data = node.release();
  return SchemaOwner(&schema);
}

SchemaOwner schema_of(const Field& field);

// The schema of a field's values, without name, metadata and dictionary.
std::unique_ptr<SchemaNode> values_node(const Field& field) {
  auto node = std::make_unique<SchemaNode>();
  node->format = format_of(field);
  for (const Field& child : field.type.fields()) node->children.push_back(schema_of(child));
  return node;
}

int64_t type_flags(const DataType& type) noexcept {
  return type.id() == TypeId::kMap && type.keys_sorted() ? ARROW_FLAG_MAP_KEYS_SORTED : 0;
}

SchemaOwner schema_of(const Field& field) {
  std::unique_ptr<SchemaNode> node = values_node(field);
  int64_t flags = type_flags(field.type);
  if (field.dictionary) {
    SchemaOwner values = make_schema(std::move(node), flags | ARROW_FLAG_NULLABLE);
    node = std::make_unique<SchemaNode>();
    node->format = "i";
    node->dictionary = std::move(values);
    flags = field.dictionary_ordered ? ARROW_FLAG_DICTIONARY_ORDERED : 0;
  }
  // A C string would end there, and might then name another column.
  if (field.name.find('\0') != std::string::npos) {
    std::string shown;
    json::append_string(shown, field.name);
    fail(ErrorCode::kNotSupported, "a name with a zero byte cannot be given to Arrow", "field {}",
         shown);
  }
  node->name = field.name;
  node->metadata = encode_metadata(field.metadata);
  if (field.nullable) flags |= ARROW_FLAG_NULLABLE;
  return make_schema(std::move(node), flags);
}

}  // namespace

void export_schema(const Schema& schema, ArrowSchema* out) {
  auto node = std::make_unique<SchemaNode>();
  node->format = "+s";
  node->metadata = encode_metadata(schema.metadata());
  for (const Field& field : schema.fields()) node->children.push_back(schema_of(field));
  make_schema(std::move(node), 0).move_to(out);
}

void export_field(const Field& field, ArrowSchema* out) { schema_of(field).move_to(out); }

}  // namespace colonnade::arrow
