#include "parquet/column/leaf.h"

#include <utility>

#include "base/fail.h"
#include "parquet/column/group_type.h"
#include "parquet/column/leaf_type.h"

namespace colonnade::parquet {

namespace {

constexpr const char* kArrowSchemaKey = "ARROW:schema";

// Bytes charged to a pool until the last copy goes.
class Charge {
 public:
  Charge(std::shared_ptr<MemoryPool> pool, int64_t bytes) : pool_(std::move(pool)), bytes_(bytes) {
    pool_->reserve(bytes_, "the schema of a file");
  }
  ~Charge() { pool_->release(bytes_); }
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;

 private:
  std::shared_ptr<MemoryPool> pool_;
  int64_t bytes_;
};

// Bytes of a string outside of its object.
int64_t text_bytes(size_t length) {
  return length > std::string().capacity() ? static_cast<int64_t>(length) + 1 : 0;
}

// What a FileSchema takes. A field is there twice (in `fields` and in the schema), a nested one
// more often while it is made; a leaf holds its path twice, name by name and with dots.
int64_t schema_bytes(const Footer& footer) {
  constexpr int64_t kFieldBytes = sizeof(FileField) + 2 * sizeof(Field);
  int64_t bytes = 0;
  struct OpenGroup {
    int32_t children_left;
    int64_t path_bytes;  // of its leaves
  };
  std::vector<OpenGroup> open;
  for (const SchemaElement& element : footer.schema()) {
    while (!open.empty() && open.back().children_left == 0) open.pop_back();
    int64_t path_bytes = 0;
    if (!open.empty()) {
      --open.back().children_left;
      const auto length = static_cast<int64_t>(element.name.size());
      path_bytes =
          open.back().path_bytes + static_cast<int64_t>(sizeof(std::string)) + 2 * (length + 1);
    }
    bytes += kFieldBytes + 3 * text_bytes(element.name.size());
    if (!annotation_beyond_type(element).empty())
      bytes += 2 * static_cast<int64_t>(sizeof(KeyValue) + 24);
    if (element.field_id) bytes += 2 * static_cast<int64_t>(sizeof(KeyValue) + 24);
    if (element.type) {
      bytes += static_cast<int64_t>(sizeof(Leaf)) + path_bytes;
    } else {
      open.push_back({element.num_children, path_bytes});
    }
  }
  for (const auto& [key, value] : footer.key_value_metadata()) {
    bytes +=
        static_cast<int64_t>(sizeof(KeyValue)) + text_bytes(key.size()) + text_bytes(value.size());
  }
  return bytes;
}

// A long name around many columns is in the path of each: what is bounded by the number of elements
// alone is not bounded by the footer's size.
int64_t checked_schema_bytes(const Footer& footer) {
  constexpr int64_t kFixedBytes = int64_t{1} << 20;
  constexpr int64_t kBytesPerByte = 64;
  const int64_t bytes = schema_bytes(footer);
  if (bytes > kFixedBytes + kBytesPerByte * footer.size_bytes()) {
    fail(ErrorCode::kOutOfBudget,
         "the schema asks for more memory than the footer's size justifies",
         "{} bytes for a footer of {}", bytes, footer.size_bytes());
  }
  return bytes;
}

// Where a walk through the elements is: the groups around the next one.
struct OpenGroup {
  int32_t children_left = 0;
  int16_t definition_level = 0;
  int16_t repetition_level = 0;
};

std::vector<Leaf> make_leaves(const Footer& footer) {
  std::vector<Leaf> leaves;
  leaves.reserve(static_cast<size_t>(footer.num_leaves()));
  std::vector<OpenGroup> open;
  std::vector<std::string> path;  // of the open groups without the root
  for (const SchemaElement& element : footer.schema()) {
    while (!open.empty() && open.back().children_left == 0) {
      open.pop_back();
      if (!path.empty()) path.pop_back();
    }
    OpenGroup node;
    if (!open.empty()) {
      --open.back().children_left;
      const bool repeated = element.repetition == Repetition::kRepeated;
      const bool optional = element.repetition == Repetition::kOptional;
      node.definition_level =
          static_cast<int16_t>(open.back().definition_level + (repeated || optional ? 1 : 0));
      node.repetition_level =
          static_cast<int16_t>(open.back().repetition_level + (repeated ? 1 : 0));
      path.push_back(element.name);
    }
    if (!element.type) {
      node.children_left = element.num_children;
      open.push_back(node);
      continue;
    }
    Leaf leaf;
    leaf.index = static_cast<int32_t>(leaves.size());
    leaf.path = path;
    for (const std::string& name : path) {
      if (!leaf.dotted_path.empty()) leaf.dotted_path += '.';
      leaf.dotted_path += name;
    }
    leaf.physical_type = *element.type;
    leaf.type_length = element.type == PhysicalType::kFixedLenByteArray ? element.type_length : 0;
    leaf.max_definition_level = node.definition_level;
    leaf.max_repetition_level = node.repetition_level;
    leaves.push_back(std::move(leaf));
    path.pop_back();
  }
  return leaves;
}

std::vector<KeyValue> schema_metadata(const Footer& footer) {
  std::vector<KeyValue> metadata;
  for (const KeyValue& key_value : footer.key_value_metadata()) {
    if (key_value.first != kArrowSchemaKey) metadata.push_back(key_value);
  }
  return metadata;
}

}  // namespace

FileSchema make_file_schema(const Footer& footer, TimeUnit int96_unit) {
  FileSchema file_schema;
  file_schema.charge = std::make_shared<Charge>(footer.memory(), checked_schema_bytes(footer));
  file_schema.leaves = make_leaves(footer);

  const std::vector<SchemaElement>& schema = footer.schema();
  const auto num_fields = static_cast<size_t>(schema[0].num_children);
  file_schema.fields.reserve(num_fields);
  std::vector<Field> fields;
  fields.reserve(num_fields);
  int32_t first_leaf = 0;
  for (int32_t index = 1; index < static_cast<int32_t>(schema.size());) {
    NamedField named = make_field(footer, int96_unit, index);
    fields.push_back(named.field);
    FileField file_field;
    file_field.field = std::move(named.field);
    file_field.first_leaf = first_leaf;
    file_field.shape = std::move(named.shape);
    file_field.refusal = std::move(named.refusal);
    first_leaf += file_field.shape.num_leaves;
    file_schema.fields.push_back(std::move(file_field));
  }
  file_schema.schema = std::make_shared<Schema>(std::move(fields), schema_metadata(footer));
  return file_schema;
}

}  // namespace colonnade::parquet
