#include <colonnade/memory.h>

#include <utility>

#include "base/fail.h"
#include "base/memory_node.h"
#include "base/reclaimers.h"

namespace colonnade {

namespace {

// MemoryNode is the only class that derives from MemoryPool.
MemoryNode& node_of(MemoryPool& pool) noexcept { return static_cast<MemoryNode&>(pool); }

}  // namespace

std::shared_ptr<MemoryPool> MemoryPool::make_root(std::string name, const MemoryOptions& options) {
  if (options.limit_bytes < 0 || options.max_cached_bytes < 0) {
    fail(ErrorCode::kInvalidArgument, "negative memory limit",
         "memory pool '{}': {} bytes, {} bytes cached", name, options.limit_bytes,
         options.max_cached_bytes);
  }
  return std::make_shared<MemoryNode>(std::move(name), options);
}

const std::shared_ptr<MemoryPool>& MemoryPool::process() {
  static const auto& root = *new std::shared_ptr<MemoryPool>(make_root("process"));
  return root;
}

void MemoryPool::reserve(int64_t bytes, const char* purpose) {
  node_of(*this).reserve_or_throw(bytes, purpose);
}

MemoryPool::Reclaimer::Reclaimer(Reclaimer&&) noexcept = default;

MemoryPool::Reclaimer& MemoryPool::Reclaimer::operator=(Reclaimer&& other) noexcept {
  Reclaimer old(std::move(*this));
  node_ = std::move(other.node_);
  entry_ = std::move(other.entry_);
  return *this;
}

MemoryPool::Reclaimer::~Reclaimer() {
  if (entry_ != nullptr) node_->remove_reclaimer(entry_);
}

}  // namespace colonnade
