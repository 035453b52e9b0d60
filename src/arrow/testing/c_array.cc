#include "arrow/testing/c_array.h"

#include <utility>

namespace colonnade::arrow::testing {

struct CArray::Node {
  std::vector<std::unique_ptr<uint8_t[]>> memory;
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<ArrowArray>> children;
  std::vector<ArrowArray*> child_pointers;
  std::unique_ptr<ArrowArray> dictionary;
  int* released = nullptr;
};

CArray::CArray(int64_t length, int64_t null_count, int64_t offset)
    : node_(std::make_shared<Node>()) {
  array_.length = length;
  array_.null_count = null_count;
  array_.offset = offset;
  array_.release = release;
  finish();
}

CArray& CArray::null_buffer() {
  node_->buffers.push_back(nullptr);
  finish();
  return *this;
}

CArray& CArray::bytes(const void* data, size_t size_bytes) {
  node_->memory.push_back(std::make_unique<uint8_t[]>(size_bytes));
  if (size_bytes > 0) std::memcpy(node_->memory.back().get(), data, size_bytes);
  node_->buffers.push_back(node_->memory.back().get());
  finish();
  return *this;
}

CArray& CArray::child(CArray child) {
  node_->children.push_back(std::make_unique<ArrowArray>());
  child.move_to(node_->children.back().get(), nullptr);
  node_->child_pointers.push_back(node_->children.back().get());
  finish();
  return *this;
}

CArray& CArray::dictionary(CArray dictionary) {
  node_->dictionary = std::make_unique<ArrowArray>();
  dictionary.move_to(node_->dictionary.get(), nullptr);
  finish();
  return *this;
}

void CArray::finish() {
  array_.n_buffers = static_cast<int64_t>(node_->buffers.size());
  array_.buffers = node_->buffers.data();
  array_.n_children = static_cast<int64_t>(node_->child_pointers.size());
  array_.children = node_->child_pointers.data();
  array_.dictionary = node_->dictionary.get();
}

void CArray::move_to(ArrowArray* out, int* released) {
  node_->released = released;
  array_.private_data = new std::shared_ptr<Node>(node_);
  *out = std::exchange(array_, ArrowArray{});
}

void CArray::release(ArrowArray* array) {
  auto* holder = static_cast<std::shared_ptr<Node>*>(array->private_data);
  Node& node = **holder;
  for (const auto& child : node.children) {
    if (child->release != nullptr) child->release(child.get());
  }
  if (node.dictionary && node.dictionary->release != nullptr)
    node.dictionary->release(node.dictionary.get());
  if (node.released != nullptr) ++*node.released;
  delete holder;
  array->release = nullptr;
}

}  // namespace colonnade::arrow::testing
