// The one implementation of MemoryPool: a node that counts what is used and asks its parent for
// more.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <colonnade/memory.h>

#include "base/memory_block.h"
#include "base/memory_tree.h"

namespace colonnade {

// Counting takes no lock. `held_` is what was reserved through the node: by its users directly, and
// by its children, who hold up to 3 * kStepBytes more than they use (`advance_`), so that most of
// their reservations stay in the node. A node that is not used holds nothing in advance.
//
// Blocks that go between a buffer and the free lists of the root are counted at every node of the
// path exactly; new memory and reservations go up in steps.
class MemoryNode final : public MemoryPool {
 public:
  // Reservations below this are rounded up to it when a parent is asked, unless that is refused.
  static constexpr int64_t kStepBytes = int64_t{1} << 20;

  MemoryNode(std::string name, const MemoryOptions& options);  // a root
  MemoryNode(std::string name, int64_t limit_bytes, std::shared_ptr<MemoryNode> parent);
  ~MemoryNode() override;

  std::shared_ptr<MemoryPool> child(std::string name, int64_t limit_bytes) override;
  bool try_reserve(int64_t bytes) noexcept override;
  void release(int64_t bytes) noexcept override;
  Reclaimer add_reclaimer(ReclaimFunction function) override;
  int64_t trim() noexcept override;
  const std::string& name() const noexcept override { return name_; }
  int64_t limit_bytes() const noexcept override { return limit_; }
  int64_t used_bytes() const noexcept override;
  int64_t peak_bytes() const noexcept override;
  int64_t cached_bytes() const noexcept override { return tree_->cached(); }
  int64_t exported_bytes() const noexcept override { return tree_->exported(); }

  // What MemoryPool::reserve does.
  void reserve_or_throw(int64_t bytes, const char* purpose);
  // A block of at least `size_bytes` (>= 0), and of `wished_bytes` where the budget has them to
  // spare, that the caller gives back once. Throws kOutOfBudget. `zeroed` tells whether its bytes
  // are known to be zero.
  MemoryBlock take(int64_t size_bytes, int64_t wished_bytes, bool& zeroed);
  void give_back(const MemoryBlock& block) noexcept;
  // Moves a block that was taken here to the consumer's account, and gives back one that was moved.
  void charge_to_consumer(const MemoryBlock& block) noexcept;
  void give_back_charged(const MemoryBlock& block) noexcept;

  const MemoryTestMode& test_mode() const noexcept { return tree_->test_mode(); }
  // Used, with what the children hold in advance.
  int64_t held_bytes() const noexcept { return held_.load(std::memory_order_relaxed); }
  bool is_below(const MemoryNode* top) const noexcept;  // or the same
  void remove_reclaimer(const std::shared_ptr<ReclaimerEntry>& entry) noexcept;

 private:
  // Reservations. Each of these three returns the node that refused, and then nothing has changed;
  // null: the bytes are reserved. grow() does not ask twice; grow_under_pressure() takes back what
  // nodes hold in advance, empties free lists, and, when told so, asks the reclaimers.
  MemoryNode* grow(int64_t bytes) noexcept;
  MemoryNode* grow_under_pressure(int64_t bytes, bool ask_reclaimers) noexcept;
  // Counts a block from the free lists at every node, without asking for anything in advance.
  MemoryNode* charge_recycled(const MemoryBlock& block) noexcept;
  // Ends what grow() began, and what charge_recycled() began; the latter leaves the block's bytes
  // to the caller, in the tree's `held`.
  void shrink(int64_t bytes) noexcept;
  void discharge(int64_t bytes) noexcept;

  // Steps of the above at this node alone.
  bool add(int64_t bytes) noexcept;
  void subtract(int64_t bytes) noexcept;
  void note_peak(int64_t held) noexcept;
  bool use_advance(int64_t bytes) noexcept;
  void hand_back_advance() noexcept;
  void relieve(int64_t bytes) noexcept;
  int64_t room() const noexcept;  // bytes up to the limit

  MemoryNode* first_without_room(int64_t bytes) noexcept;
  int64_t room_on_path() const noexcept;
  void relieve_path(int64_t bytes) noexcept;
  std::vector<std::shared_ptr<MemoryNode>> children() const;

  std::string path() const;  // "root/child/grandchild"
  [[noreturn, gnu::cold]] void refuse(int64_t bytes, const char* purpose,
                                      const MemoryNode* refuser) const;
  MemoryBlock take_new(int64_t size_bytes, int64_t wished_bytes);

  const std::string name_;
  const int64_t limit_;
  const std::shared_ptr<MemoryNode> parent_;      // null: the root
  const std::unique_ptr<MemoryTree> owned_tree_;  // the root's
  MemoryTree* const tree_;
  std::atomic<int64_t> held_{0};
  std::atomic<int64_t> peak_{0};
  std::atomic<int64_t> advance_{0};    // reserved from the parent, not used
  std::vector<MemoryNode*> children_;  // guarded by tree_->structure()
};

}  // namespace colonnade
