#include "base/memory_node.h"

#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "base/fail.h"

namespace colonnade {

MemoryNode::MemoryNode(std::string name, const MemoryOptions& options)
    : name_(std::move(name)),
      limit_(options.limit_bytes),
      owned_tree_(std::make_unique<MemoryTree>(options)),
      tree_(owned_tree_.get()) {}

MemoryNode::MemoryNode(std::string name, int64_t limit_bytes, std::shared_ptr<MemoryNode> parent)
    : name_(std::move(name)),
      limit_(limit_bytes),
      parent_(std::move(parent)),
      tree_(parent_->tree_) {}

MemoryNode::~MemoryNode() {
  if (parent_ == nullptr) return;
  {
    const std::lock_guard lock(tree_->structure());
    std::erase(parent_->children_, this);
  }
  // Nothing is left here unless somebody forgot to release; the parent must not suffer from that.
  const int64_t left = held_.load() + advance_.load();
  if (left > 0) parent_->shrink(left);
}

std::shared_ptr<MemoryPool> MemoryNode::child(std::string name, int64_t limit_bytes) {
  if (limit_bytes < 0) {
    fail(ErrorCode::kInvalidArgument, "negative memory limit", "memory pool '{}/{}': {} bytes",
         path(), name, limit_bytes);
  }
  auto node = std::make_shared<MemoryNode>(
      std::move(name), limit_bytes, std::static_pointer_cast<MemoryNode>(shared_from_this()));
  // Not in the constructor: others may only see a node that has its weak_from_this().
  const std::lock_guard lock(tree_->structure());
  children_.push_back(node.get());
  return node;
}

bool MemoryNode::try_reserve(int64_t bytes) noexcept {
  if (bytes <= 0) return bytes == 0;
  return grow_under_pressure(bytes, true) == nullptr;
}

void MemoryNode::reserve_or_throw(int64_t bytes, const char* purpose) {
  if (bytes < 0) {
    fail(ErrorCode::kInvalidArgument, "negative reservation", "memory pool '{}': {} bytes for {}",
         path(), bytes, purpose);
  }
  if (bytes == 0) return;
  if (const MemoryNode* refuser = grow_under_pressure(bytes, true)) refuse(bytes, purpose, refuser);
}

void MemoryNode::release(int64_t bytes) noexcept {
  if (bytes > 0) shrink(bytes);
}

MemoryPool::Reclaimer MemoryNode::add_reclaimer(ReclaimFunction function) {
  Reclaimer reclaimer;
  reclaimer.node_ = std::static_pointer_cast<MemoryNode>(shared_from_this());
  reclaimer.entry_ = tree_->reclaimers().add(this, std::move(function));
  return reclaimer;
}

void MemoryNode::remove_reclaimer(const std::shared_ptr<ReclaimerEntry>& entry) noexcept {
  tree_->reclaimers().remove(entry);
}

int64_t MemoryNode::trim() noexcept {
  const int64_t bytes = tree_->evict(MemoryOptions::kNoLimit);
#ifdef __GLIBC__
  malloc_trim(0);  // blocks of less than 2 MiB went back to malloc, which keeps them
#endif
  return bytes;
}

int64_t MemoryNode::used_bytes() const noexcept {
  // What nodes below hold in advance counts in every node above them.
  const std::lock_guard lock(tree_->structure());
  const auto advance_below = [](const MemoryNode* node, const auto& self) -> int64_t {
    int64_t sum = 0;
    for (const MemoryNode* child : node->children_) {
      sum += child->advance_.load(std::memory_order_relaxed) + self(child, self);
    }
    return sum;
  };
  return std::max<int64_t>(0, held_bytes() - advance_below(this, advance_below));
}

int64_t MemoryNode::peak_bytes() const noexcept { return peak_.load(std::memory_order_relaxed); }

bool MemoryNode::is_below(const MemoryNode* top) const noexcept {
  const MemoryNode* node = this;
  while (node != nullptr && node != top) node = node->parent_.get();
  return node != nullptr;
}

// ---- Counting ----------------------------------------------------------------------------------

void MemoryNode::note_peak(int64_t held) noexcept {
  int64_t peak = peak_.load(std::memory_order_relaxed);
  while (held > peak && !peak_.compare_exchange_weak(peak, held, std::memory_order_relaxed)) {
  }
}

bool MemoryNode::add(int64_t bytes) noexcept {
  int64_t held = held_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit_ - held) return false;
  } while (!held_.compare_exchange_weak(held, held + bytes, std::memory_order_acq_rel,
                                        std::memory_order_relaxed));
  note_peak(held + bytes);
  return true;
}

void MemoryNode::subtract(int64_t bytes) noexcept {
  // Whoever takes the count to zero hands back what is held in advance. All who added to `advance_`
  // did so before they took their own bytes off the count, so nothing is left behind.
  if (held_.fetch_sub(bytes, std::memory_order_acq_rel) == bytes) hand_back_advance();
}

bool MemoryNode::use_advance(int64_t bytes) noexcept {
  int64_t advance = advance_.load(std::memory_order_relaxed);
  do {
    if (bytes > advance) return false;
  } while (!advance_.compare_exchange_weak(advance, advance - bytes, std::memory_order_acq_rel,
                                           std::memory_order_relaxed));
  return true;
}

void MemoryNode::hand_back_advance() noexcept {
  if (parent_ == nullptr) return;
  const int64_t advance = advance_.exchange(0, std::memory_order_acq_rel);
  if (advance > 0) parent_->shrink(advance);
}

int64_t MemoryNode::room() const noexcept {
  return limit_ - (parent_ == nullptr ? tree_->held() : held_bytes());
}

int64_t MemoryNode::room_on_path() const noexcept {
  int64_t least = MemoryOptions::kNoLimit;
  for (const MemoryNode* node = this; node != nullptr; node = node->parent_.get()) {
    least = std::min(least, node->room());
  }
  return least;
}

MemoryNode* MemoryNode::first_without_room(int64_t bytes) noexcept {
  for (MemoryNode* node = this; node != nullptr; node = node->parent_.get()) {
    if (node->room() < bytes) return node;
    if (node->advance_.load(std::memory_order_relaxed) >= bytes) break;  // nobody else is asked
  }
  return nullptr;
}

MemoryNode* MemoryNode::grow(int64_t bytes) noexcept {
  if (parent_ == nullptr) {
    if (!tree_->hold(bytes)) return this;
    note_peak(held_.fetch_add(bytes, std::memory_order_acq_rel) + bytes);
    return nullptr;
  }
  if (!add(bytes)) return this;
  if (use_advance(bytes)) return nullptr;
  if (bytes < kStepBytes && parent_->room_on_path() >= kStepBytes &&
      parent_->grow(kStepBytes) == nullptr) {
    advance_.fetch_add(kStepBytes - bytes, std::memory_order_acq_rel);
    return nullptr;
  }
  MemoryNode* const refuser = parent_->grow(bytes);
  if (refuser != nullptr) subtract(bytes);
  return refuser;
}

void MemoryNode::shrink(int64_t bytes) noexcept {
  if (parent_ == nullptr) {
    held_.fetch_sub(bytes, std::memory_order_acq_rel);
    tree_->drop(bytes);
    return;
  }
  int64_t advance = advance_.fetch_add(bytes, std::memory_order_acq_rel) + bytes;
  subtract(bytes);
  // Between one and two steps are kept, so that taking and releasing in turn does not ask the
  // parent each time.
  while (advance > 2 * kStepBytes) {
    if (advance_.compare_exchange_weak(advance, kStepBytes, std::memory_order_acq_rel)) {
      parent_->shrink(advance - kStepBytes);
      break;
    }
  }
}

MemoryNode* MemoryNode::charge_recycled(const MemoryBlock& block) noexcept {
  const int64_t bytes = block.bytes();
  for (MemoryNode* node = this; node->parent_ != nullptr; node = node->parent_.get()) {
    if (node->add(bytes)) continue;
    for (MemoryNode* done = this; done != node; done = done->parent_.get()) done->subtract(bytes);
    return node;
  }
  // At the root the bytes only change from cached to used.
  MemoryNode* root = this;
  while (root->parent_ != nullptr) root = root->parent_.get();
  root->note_peak(root->held_.fetch_add(bytes, std::memory_order_acq_rel) + bytes);
  tree_->taken(block);
  return nullptr;
}

void MemoryNode::discharge(int64_t bytes) noexcept {
  for (MemoryNode* node = this; node != nullptr; node = node->parent_.get()) node->subtract(bytes);
}

// ---- Pressure ----------------------------------------------------------------------------------

std::vector<std::shared_ptr<MemoryNode>> MemoryNode::children() const {
  std::vector<std::shared_ptr<MemoryNode>> nodes;
  const std::lock_guard lock(tree_->structure());
  nodes.reserve(children_.size());
  for (MemoryNode* child : children_) {
    // A child that is being destroyed hands back everything itself.
    if (auto node = std::static_pointer_cast<MemoryNode>(child->weak_from_this().lock())) {
      nodes.push_back(std::move(node));
    }
  }
  return nodes;
}

// Takes back what nodes below hold in advance, from the leaves up, and at the root as many cached
// bytes as `bytes` need.
void MemoryNode::relieve(int64_t bytes) noexcept {
  try {
    for (const auto& child : children()) {
      child->relieve(bytes);
      child->hand_back_advance();
    }
  } catch (const std::bad_alloc&) {
    // Without memory for the list the advances stay where they are.
  }
  if (parent_ == nullptr) {
    if (const int64_t missing = bytes - room(); missing > 0) tree_->evict(missing);
  }
}

void MemoryNode::relieve_path(int64_t bytes) noexcept {
  for (MemoryNode* node = this; node != nullptr; node = node->parent_.get()) {
    if (node->room() < bytes) node->relieve(bytes);
  }
}

MemoryNode* MemoryNode::grow_under_pressure(int64_t bytes, bool ask_reclaimers) noexcept {
  // Looking first keeps hopeless requests from being counted, if only for a moment, where they
  // would be in the way of others.
  const auto attempt = [this, bytes] {
    MemoryNode* const refuser = first_without_room(bytes);
    return refuser != nullptr ? refuser : grow(bytes);
  };
  MemoryNode* refuser = attempt();
  if (refuser == nullptr) return nullptr;
  Reclaimers::Request request(tree_->reclaimers());
  for (;;) {
    relieve_path(bytes);
    refuser = attempt();
    if (refuser == nullptr || !ask_reclaimers) return refuser;
    const int64_t missing = std::max<int64_t>(1, bytes - refuser->room());
    try {
      if (!request.ask_next(refuser, missing)) return refuser;
    } catch (const std::bad_alloc&) {
      return refuser;
    }
  }
}

void MemoryNode::refuse(int64_t bytes, const char* purpose, const MemoryNode* refuser) const {
  const std::string for_what = purpose == nullptr ? "" : fmt::format(" for {}", purpose);
  const std::string by = refuser == this ? "" : fmt::format(" in '{}'", refuser->path());
  fail(ErrorCode::kOutOfBudget, "out of budget",
       "memory pool '{}': asked {} bytes{}, used {} of {}{}", path(), bytes, for_what,
       refuser->used_bytes(), refuser->limit_, by);
}

std::string MemoryNode::path() const {
  return parent_ == nullptr ? name_ : parent_->path() + "/" + name_;
}

// ---- Blocks ------------------------------------------------------------------------------------

MemoryBlock MemoryNode::take(int64_t size_bytes, int64_t wished_bytes, bool& zeroed) {
  zeroed = false;
  if (tree_->fails_allocation()) {
    fail(ErrorCode::kOutOfBudget, "out of budget",
         "memory pool '{}': asked {} bytes, allocation {} fails by test mode", path(), size_bytes,
         test_mode().fail_allocation);
  }
  if (size_bytes > size_class::kMaxBytes) {
    fail(ErrorCode::kOutOfBudget, "out of budget",
         "memory pool '{}': asked {} bytes, more than any process can have", path(), size_bytes);
  }
  wished_bytes = std::clamp(wished_bytes, size_bytes, size_class::kMaxBytes);
  MemoryBlock block = tree_->take(size_class::of_size(wished_bytes));
  if (block.data != nullptr && charge_recycled(block) != nullptr) {
    tree_->put_back(block);
    block = {};
  }
  if (block.data == nullptr) {
    block = take_new(size_bytes, wished_bytes);
    zeroed = is_fresh_block_zero(block.capacity);
  }
  poison_beyond(block, block.bytes());
  if (test_mode().fill) {
    zeroed = false;
    std::memset(block.data, test_mode().pattern, static_cast<size_t>(block.bytes()));
  }
  return block;
}

MemoryBlock MemoryNode::take_new(int64_t size_bytes, int64_t wished_bytes) {
  // A block that can be recycled where the budget has room for one, else one of the very size.
  const MemoryBlock exact{nullptr, size_class::exact_capacity(size_bytes)};
  MemoryBlock wanted{nullptr, size_class::capacity(size_class::of_size(wished_bytes))};
  const bool is_exact = wanted.capacity == exact.capacity;
  const MemoryNode* refuser = grow_under_pressure(wanted.bytes(), is_exact);
  if (refuser != nullptr && !is_exact) {
    wanted = exact;
    refuser = grow_under_pressure(wanted.bytes(), true);
  }
  if (refuser != nullptr) refuse(size_bytes, nullptr, refuser);

  MemoryBlock block = allocate_block(wanted.capacity);
  if (block.data == nullptr) {
    tree_->evict(MemoryOptions::kNoLimit);
    block = allocate_block(wanted.capacity);
  }
  if (block.data == nullptr) {
    shrink(wanted.bytes());
    fail(ErrorCode::kOutOfBudget, "the system has no memory",
         "memory pool '{}': asked {} bytes, used {}", path(), size_bytes, used_bytes());
  }
  return block;
}

void MemoryNode::give_back(const MemoryBlock& block) noexcept {
  if (tree_->may_cache(block)) {
    discharge(block.bytes());
    tree_->cache(block);
  } else {
    free_block(block);
    shrink(block.bytes());
  }
}

void MemoryNode::charge_to_consumer(const MemoryBlock& block) noexcept {
  discharge(block.bytes());
  tree_->drop(block.bytes());
  tree_->export_bytes(block.bytes());
}

void MemoryNode::give_back_charged(const MemoryBlock& block) noexcept {
  tree_->unexport_bytes(block.bytes());
  if (tree_->hold(block.bytes())) {
    if (tree_->may_cache(block)) {
      tree_->cache(block);
      return;
    }
    tree_->drop(block.bytes());
  }
  free_block(block);
}

}  // namespace colonnade
