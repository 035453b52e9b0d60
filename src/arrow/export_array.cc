#include <colonnade/arrow.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "arrow/c_data.h"
#include "arrow/convert.h"
#include "base/fail.h"

namespace colonnade::arrow {
namespace {

// What an exported ArrowArray points to. Each level keeps its own column alive, so that a child or
// a dictionary that a consumer moved out lives on after its parent was released.
struct ArrayNode {
  ColumnPtr column;  // null for a batch
  std::vector<const void*> buffers;
  std::vector<int64_t> view_buffer_sizes;  // the last buffer of views, in bytes
  std::vector<ArrayOwner> children;
  std::vector<ArrowArray*> child_pointers;
  ArrayOwner dictionary;
};

void release_array(ArrowArray* array) {
  delete static_cast<ArrayNode*>(array->private_data);
  array->private_data = nullptr;
  array->release = nullptr;
}

ArrayOwner make_array(std::unique_ptr<ArrayNode> node, int64_t length, int64_t offset,
                      int64_t null_count) {
  node->child_pointers.reserve(node->children.size());
  for (ArrayOwner& child : node->children) node->child_pointers.push_back(child.get());
  ArrowArray array{};
  array.length = length;
  array.null_count = null_count;
  array.offset =
      length == 0 ? 0 : offset;  // pyarrow takes views of no rows for too small otherwise
  array.n_buffers = static_cast<int64_t>(node->buffers.size());
  array.n_children = static_cast<int64_t>(node->child_pointers.size());
  array.buffers = node->buffers.empty() ? nullptr : node->buffers.data();
  array.children = node->child_pointers.empty() ? nullptr : node->child_pointers.data();
  array.dictionary = node->dictionary ? node->dictionary.get() : nullptr;
  array.release = release_array;
  array.private_data = node.release();
  return ArrayOwner(&array);
}

// Consumers may refuse null pointers even for buffers without bytes.
const void* address_of(const Buffer& buffer) noexcept {
  alignas(64) static constexpr uint8_t kNothing[64] = {};
  return buffer.data() == nullptr ? kNothing : buffer.data();
}

// A flat or dictionary column as it lies.
ArrayOwner array_of(const ColumnPtr& column) {
  const ColumnParts& parts = column->parts();
  auto node = std::make_unique<ArrayNode>();
  node->column = column;
  const int64_t null_count = column->null_count();
  if (parts.storage != Storage::kNone) {
    node->buffers.push_back(null_count == 0 || parts.validity.empty() ? nullptr
                                                                      : parts.validity.data());
  }
  if (parts.encoding == Encoding::kDictionary) {
    node->buffers.push_back(address_of(parts.values));
    node->dictionary = array_of(parts.dictionary->values);
    return make_array(std::move(node), parts.length, parts.offset, null_count);
  }
  switch (parts.storage) {
    case Storage::kBits:
    case Storage::kFixed:
      node->buffers.push_back(address_of(parts.values));
      break;
    case Storage::kOffsets32:
    case Storage::kOffsets64:
      node->buffers.push_back(address_of(parts.offsets));
      node->buffers.push_back(address_of(parts.bytes));
      break;
    case Storage::kViews:
      node->buffers.push_back(address_of(parts.values));
      for (const Buffer& buffer : parts.view_buffers) {
        node->buffers.push_back(address_of(buffer));
        node->view_buffer_sizes.push_back(buffer.size());
      }
      // The sizes themselves are a buffer that must not be null.
      node->view_buffer_sizes.reserve(1);
      node->buffers.push_back(node->view_buffer_sizes.data());
      break;
    case Storage::kList32:
    case Storage::kList64:
      node->buffers.push_back(address_of(parts.offsets));
      break;
    case Storage::kNone:
    case Storage::kFixedSizeList:
    case Storage::kStruct:
      break;
  }
  for (const ColumnPtr& child : parts.children) node->children.push_back(array_of(child));
  return make_array(std::move(node), parts.length, parts.offset, null_count);
}

void charge_to_consumer(const Column& column) noexcept {
  const ColumnParts& parts = column.parts();
  parts.validity.charge_to_consumer();
  parts.values.charge_to_consumer();
  parts.offsets.charge_to_consumer();
  parts.bytes.charge_to_consumer();
  for (const Buffer& buffer : parts.view_buffers) buffer.charge_to_consumer();
  for (const ColumnPtr& child : parts.children) charge_to_consumer(*child);
  if (parts.dictionary) charge_to_consumer(*parts.dictionary->values);
}

}  // namespace

void export_column(const Context& context, const Field& field, const ColumnPtr& column,
                   ArrowArray* out) {
  const ColumnPtr converted = convert_to_form(context, field, column);
  ArrayOwner array = array_of(converted);
  charge_to_consumer(*converted);
  array.move_to(out);
}

void export_batch(const Context& context, const Schema& schema, const Batch& batch,
                  ArrowArray* out) {
  if (schema.num_fields() != batch.num_columns()) {
    fail(ErrorCode::kInvalidArgument,
         "batch has another number of columns than the schema it shall leave in",
         "{} columns, {} fields", batch.num_columns(), schema.num_fields());
  }
  auto node = std::make_unique<ArrayNode>();
  node->buffers.push_back(nullptr);
  std::vector<ColumnPtr> converted;
  for (int32_t i = 0; i < batch.num_columns(); ++i) {
    converted.push_back(convert_to_form(context, schema.field(i), batch.column(i)));
    node->children.push_back(array_of(converted.back()));
  }
  ArrayOwner array = make_array(std::move(node), batch.num_rows(), 0, 0);
  for (const ColumnPtr& column : converted) charge_to_consumer(*column);
  array.move_to(out);
}

}  // namespace colonnade::arrow
