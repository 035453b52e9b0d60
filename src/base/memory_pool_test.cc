// The tree: budgets, free lists, accounting. Reclaimers and buffers have their own tests.
#include <colonnade/memory.h>

#include <atomic>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <colonnade/error.h>

#include "base/memory_node.h"
#include "base/testing/forked_child.h"

namespace colonnade {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kPadding = MutableBuffer::kPaddingBytes;

std::shared_ptr<MemoryPool> root_of(int64_t limit_bytes, int64_t max_cached_bytes = 512 * kMiB) {
  MemoryOptions options;
  options.limit_bytes = limit_bytes;
  options.max_cached_bytes = max_cached_bytes;
  return MemoryPool::make_root("root", options);
}

// What the root has given away, with what its nodes hold in advance.
int64_t held(const std::shared_ptr<MemoryPool>& pool) {
  return static_cast<MemoryNode&>(*pool).held_bytes();
}

template <typename Function>
std::string out_of_budget(Function function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget) << error.what();
    return error.what();
  }
  return "no error";
}

TEST(Memory, ReservationsCountAtEveryNode) {
  const auto root = root_of(10 * kMiB);
  const auto scan = root->child("scan");
  const auto decode = scan->child("decode");
  ASSERT_TRUE(decode->try_reserve(100));
  ASSERT_TRUE(scan->try_reserve(10));
  EXPECT_EQ(decode->used_bytes(), 100);
  EXPECT_EQ(scan->used_bytes(), 110);
  EXPECT_EQ(root->used_bytes(), 110);
  decode->release(60);
  EXPECT_EQ(root->used_bytes(), 50);
  decode->release(40);
  scan->release(10);
  for (const auto& pool : {root, scan, decode}) {
    EXPECT_EQ(pool->used_bytes(), 0);
    EXPECT_EQ(held(pool), 0);
  }
  EXPECT_EQ(decode->peak_bytes(), 100);
  EXPECT_GE(root->peak_bytes(), 110);
  EXPECT_LE(root->peak_bytes(), 110 + 3 * kMiB);
}

TEST(Memory, EveryNodesLimitBinds) {
  const auto root = root_of(1000);
  const auto scan = root->child("scan", 500);
  const auto decode = scan->child("decode", 300);
  EXPECT_FALSE(decode->try_reserve(301));
  EXPECT_TRUE(decode->try_reserve(300));
  EXPECT_FALSE(scan->try_reserve(201));
  EXPECT_TRUE(scan->try_reserve(200));
  EXPECT_FALSE(decode->try_reserve(1));
  EXPECT_FALSE(root->try_reserve(501));
  EXPECT_TRUE(root->try_reserve(500));
  EXPECT_FALSE(root->try_reserve(1));
  EXPECT_EQ(root->used_bytes(), 1000);
  root->release(500);
  scan->release(200);
  decode->release(300);
  EXPECT_EQ(held(root), 0);
}

TEST(Memory, AWholeBudgetCanBeReserved) {
  // More than a step, not a multiple of one, through three nodes.
  const int64_t limit = 5 * kMiB + 12345;
  const auto root = root_of(limit);
  const auto leaf = root->child("scan")->child("decode");
  int64_t reserved = 0;
  while (leaf->try_reserve(1001)) reserved += 1001;
  EXPECT_GT(reserved, limit - 1001);
  EXPECT_TRUE(leaf->try_reserve(limit - reserved));
  EXPECT_FALSE(leaf->try_reserve(1));
  EXPECT_EQ(root->used_bytes(), limit);
  leaf->release(limit);
  EXPECT_EQ(held(root), 0);
}

TEST(Memory, WhatSiblingsHoldInAdvanceIsNoReasonToRefuse) {
  const auto root = root_of(4 * kMiB);
  std::vector<std::shared_ptr<MemoryPool>> children;
  for (int i = 0; i < 4; ++i) children.push_back(root->child("c" + std::to_string(i)));
  for (const auto& child : children) ASSERT_TRUE(child->try_reserve(10));
  EXPECT_EQ(held(root), 4 * kMiB);
  EXPECT_EQ(root->used_bytes(), 40);
  EXPECT_TRUE(root->try_reserve(4 * kMiB - 40));
  EXPECT_EQ(root->used_bytes(), 4 * kMiB);
  root->release(4 * kMiB - 40);
  for (const auto& child : children) child->release(10);
  EXPECT_EQ(held(root), 0);
}

TEST(Memory, LargeReleasesReachTheParentAtOnce) {
  const auto root = root_of(MemoryOptions::kNoLimit);
  const auto child = root->child("scan");
  ASSERT_TRUE(child->try_reserve(100 * kMiB));
  child->release(99 * kMiB);
  EXPECT_LE(held(root), 3 * kMiB);
  child->release(kMiB);
  EXPECT_EQ(held(root), 0);
}

TEST(Memory, ADestroyedNodeHandsBackEverything) {
  const auto root = root_of(kMiB);
  auto child = root->child("forgetful");
  ASSERT_TRUE(child->try_reserve(1000));
  child.reset();
  EXPECT_EQ(held(root), 0);
}

TEST(Memory, StrangeSizes) {
  const auto root = root_of(MemoryOptions::kNoLimit);
  const auto child = root->child("scan");
  EXPECT_TRUE(child->try_reserve(0));
  EXPECT_FALSE(child->try_reserve(-1));
  child->release(0);
  child->release(-5);
  EXPECT_THROW(child->reserve(-1, "x"), Error);
  EXPECT_THROW(child->allocate(-1), Error);
  EXPECT_THROW(root->child("negative", -1), Error);
  // Sums that would pass 2^63 are refused, not wrapped around.
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_TRUE(child->try_reserve(kMax - 10));
  EXPECT_FALSE(child->try_reserve(kMax - 10));
  EXPECT_FALSE(child->try_reserve(11));
  child->release(kMax - 10);
  EXPECT_EQ(held(root), 0);
  // A pool of nothing gives nothing.
  const auto empty = root->child("empty", 0);
  EXPECT_FALSE(empty->try_reserve(1));
  EXPECT_NE(out_of_budget([&] { empty->allocate(0); }), "no error");
}

TEST(Memory, ErrorsNamePoolSizesAndPurpose) {
  const auto root = MemoryPool::make_root("scan", [] {
    MemoryOptions options;
    options.limit_bytes = 1000;
    return options;
  }());
  ASSERT_TRUE(root->try_reserve(200));
  EXPECT_EQ(out_of_budget([&] { root->allocate(1048576); }),
            "out of budget: memory pool 'scan': asked 1048576 bytes, used 200 of 1000");
  EXPECT_EQ(out_of_budget([&] { root->reserve(801, "levels"); }),
            "out of budget: memory pool 'scan': asked 801 bytes for levels, used 200 of 1000");
  const auto child = root->child("decode", 5000);
  ASSERT_TRUE(child->try_reserve(1));
  EXPECT_EQ(out_of_budget([&] { child->reserve(1200, "levels"); }),
            "out of budget: memory pool 'scan/decode': asked 1200 bytes for levels, "
            "used 201 of 1000 in 'scan'");
  child->release(1);
  root->release(200);
}

TEST(Memory, ImpossibleSizesAreOutOfBudget) {
  const auto root = root_of(MemoryOptions::kNoLimit);
  const auto child = root->child("scan");
  for (const int64_t size : {int64_t{1} << 46, (int64_t{1} << 46) + 1, int64_t{1} << 62,
                             std::numeric_limits<int64_t>::max()}) {
    EXPECT_NE(out_of_budget([&] { child->allocate(size); }), "no error") << size;
    EXPECT_EQ(held(root), 0);
  }
}

// Every size near a power of two and a class border.
TEST(Memory, BlocksAreLargeEnoughAndCountedWhole) {
  const auto root = root_of(MemoryOptions::kNoLimit, 0);
  for (int k = 0; k <= 26; ++k) {
    for (const int64_t base : {int64_t{4}, int64_t{5}, int64_t{6}, int64_t{7}}) {
      for (int64_t delta = -1; delta <= 1; ++delta) {
        const int64_t size = (base << k) / 4 + delta;
        if (size < 0) continue;
        const MutableBuffer buffer = root->allocate(size);
        EXPECT_EQ(buffer.size(), size);
        EXPECT_GE(buffer.capacity(), size);
        EXPECT_LE(buffer.capacity(), size + size / 4 + 4096);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
        if (size >= 2 * kMiB) {
          EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % (2 * kMiB), 0u);
        }
        EXPECT_EQ(root->used_bytes(), buffer.capacity() + kPadding);
      }
    }
  }
  EXPECT_EQ(root->used_bytes(), 0);
  EXPECT_EQ(root->cached_bytes(), 0);
  EXPECT_EQ(root->allocate(1 << 16).capacity(), 1 << 16);  // powers of two fit exactly
}

TEST(Memory, RecyclesTheSameMemory) {
  const auto root = root_of(MemoryOptions::kNoLimit);
  const auto scan = root->child("scan");
  const auto other = root->child("other");
  for (const int64_t size : {int64_t{1}, int64_t{1000}, kMiB, 3 * kMiB}) {
    const uint8_t* data = nullptr;
    int64_t block = 0;
    {
      const MutableBuffer buffer = scan->allocate(size);
      data = buffer.data();
      block = buffer.capacity() + kPadding;
    }
    EXPECT_EQ(root->cached_bytes(), block);
    EXPECT_EQ(root->used_bytes(), 0);
    EXPECT_EQ(held(scan), 0);
    {
      const MutableBuffer buffer = other->allocate(size);
      EXPECT_EQ(buffer.data(), data);
      EXPECT_EQ(root->cached_bytes(), 0);
      EXPECT_EQ(root->used_bytes(), block);
      EXPECT_EQ(other->used_bytes(), block);
      EXPECT_EQ(scan->used_bytes(), 0);
    }
    EXPECT_EQ(root->trim(), block);
    EXPECT_EQ(root->cached_bytes(), 0);
  }
  EXPECT_EQ(scan->trim(), 0);
}

TEST(Memory, ARecycledBlockIsNeverRefusedForItsOwnBytes) {
  // The budget is one block of 4 KiB, to the byte.
  const auto root = root_of(4096 + kPadding);
  const auto scan = root->child("scan");
  const uint8_t* data = nullptr;
  for (int i = 0; i < 3; ++i) {
    const MutableBuffer buffer = scan->allocate(4096);
    EXPECT_TRUE(data == nullptr || data == buffer.data());
    data = buffer.data();
    EXPECT_EQ(root->used_bytes(), 4096 + kPadding);
  }
  EXPECT_EQ(root->cached_bytes(), 4096 + kPadding);
}

TEST(Memory, CachedBytesGoFirst) {
  const auto root = root_of(10 * kMiB);
  const auto scan = root->child("scan");
  {
    const MutableBuffer buffer = scan->allocate(6 * kMiB);
  }
  const int64_t cached = root->cached_bytes();
  EXPECT_GT(cached, 6 * kMiB);
  // Fits beside them: they stay.
  ASSERT_TRUE(scan->try_reserve(kMiB));
  EXPECT_EQ(root->cached_bytes(), cached);
  // Does not: they go.
  ASSERT_TRUE(scan->try_reserve(9 * kMiB));
  EXPECT_EQ(root->cached_bytes(), 0);
  EXPECT_EQ(root->used_bytes(), 10 * kMiB);
  scan->release(10 * kMiB);
}

TEST(Memory, OnlyAsMuchIsEvictedAsIsMissing) {
  const auto root = root_of(16 * kMiB);
  {
    const MutableBuffer large = root->allocate(4 * kMiB), small = root->allocate(kMiB);
  }
  ASSERT_TRUE(root->try_reserve(14 * kMiB));
  EXPECT_EQ(root->cached_bytes(), kMiB + kPadding);
  root->release(14 * kMiB);
}

TEST(Memory, FreeListsKeepNoMoreThanTheyMay) {
  const auto root = root_of(MemoryOptions::kNoLimit, 3 * (1024 + kPadding));
  {
    std::vector<MutableBuffer> buffers;
    for (int i = 0; i < 10; ++i) buffers.push_back(root->allocate(1024));
  }
  EXPECT_EQ(root->cached_bytes(), 3 * (1024 + kPadding));
  EXPECT_EQ(root->used_bytes(), 0);
  const auto none = root_of(MemoryOptions::kNoLimit, 0);
  {
    const MutableBuffer buffer = none->allocate(10);
  }
  EXPECT_EQ(none->cached_bytes(), 0);
}

TEST(Memory, NearTheLimitABlockIsCutToSize) {
  // 1100 bytes round to a class of 1280; only 1152 + padding fit.
  const auto root = root_of(1152 + kPadding);
  {
    const MutableBuffer buffer = root->allocate(1100);
    EXPECT_EQ(buffer.capacity(), 1152);
    EXPECT_EQ(root->used_bytes(), root->limit_bytes());
  }
  EXPECT_EQ(root->used_bytes(), 0);
  EXPECT_EQ(root->cached_bytes(), 0);  // no class: not kept
  // The same for mapped blocks.
  const auto large = root_of(4 * kMiB + 200'000);
  EXPECT_EQ(large->allocate(4 * kMiB + 100'000).size(), 4 * kMiB + 100'000);
  EXPECT_EQ(large->used_bytes(), 0);
}

TEST(Memory, BuffersKeepTheirPoolsAlive) {
  std::weak_ptr<MemoryPool> watched;
  Buffer kept;
  {
    const auto root = root_of(MemoryOptions::kNoLimit);
    const auto scan = root->child("scan");
    watched = root;
    MutableBuffer buffer = scan->allocate_zeroed(100);
    kept = std::move(buffer).freeze();
  }
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(kept.data()[99], 0);
  kept = Buffer();
  EXPECT_TRUE(watched.expired());
}

TEST(Memory, ChargedBytesLeaveTheWholePathOnce) {
  const auto root = root_of(MemoryOptions::kNoLimit);
  const auto scan = root->child("scan");
  const auto decode = scan->child("decode");
  MutableBuffer writable = decode->allocate(1024);
  Buffer buffer = std::move(writable).freeze();
  Buffer slice = buffer.slice(10, 20);
  const int64_t block = 1024 + kPadding;
  EXPECT_EQ(root->used_bytes(), block);
  slice.charge_to_consumer();
  buffer.charge_to_consumer();
  for (const auto& pool : {root, scan, decode}) {
    EXPECT_EQ(pool->used_bytes(), 0);
    EXPECT_EQ(held(pool), 0);
    EXPECT_EQ(pool->exported_bytes(), block);
  }
  buffer = Buffer();
  EXPECT_EQ(root->exported_bytes(), block);
  slice = Buffer();
  EXPECT_EQ(root->exported_bytes(), 0);
  EXPECT_EQ(root->cached_bytes(), block);  // and may be used again
  EXPECT_EQ(decode->allocate(1000).size(), 1000);
  EXPECT_EQ(root->used_bytes(), 0);
}

TEST(Memory, ChargedMemoryComesBackOnlyWhereTheBudgetHasRoom) {
  const auto root = root_of(1500);
  MutableBuffer writable = root->allocate(1024);
  Buffer buffer = std::move(writable).freeze();
  buffer.charge_to_consumer();
  ASSERT_TRUE(root->try_reserve(1400));  // the consumer pays for the rest
  buffer = Buffer();
  EXPECT_EQ(root->exported_bytes(), 0);
  EXPECT_EQ(root->cached_bytes(), 0);
  root->release(1400);
  EXPECT_EQ(held(root), 0);
}

TEST(Memory, TheProcesssRootHasNoLimit) {
  const auto& process = MemoryPool::process();
  EXPECT_EQ(process->name(), "process");
  EXPECT_EQ(process->limit_bytes(), MemoryOptions::kNoLimit);
  EXPECT_EQ(process, MemoryPool::process());
  MutableBuffer buffer = process->child("test")->allocate(100);
  EXPECT_GE(process->used_bytes(), 100);
}

TEST(Memory, OptionsAreChecked) {
  MemoryOptions options;
  options.limit_bytes = -1;
  EXPECT_THROW(MemoryPool::make_root("x", options), Error);
  options.limit_bytes = 1;
  options.max_cached_bytes = -1;
  EXPECT_THROW(MemoryPool::make_root("x", options), Error);
}

// Random work on a tree that is always short of memory: whatever the order, the sums stay within
// the limits and end at zero.
TEST(Memory, ThreadsAddUpToZero) {
  const int64_t limit = 6 * kMiB;
  const auto root = root_of(limit, 2 * kMiB);
  const auto left = root->child("left", 4 * kMiB);
  const auto right = root->child("right");
  const std::vector<std::shared_ptr<MemoryPool>> pools = {left, right, left->child("a"),
                                                          left->child("b"), right->child("c")};
  std::vector<std::thread> threads;
  std::atomic<int64_t> refused{0};
  std::atomic<int64_t> succeeded{0};
  for (uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      const auto pick = [&random](int64_t below) {
        return static_cast<int64_t>(random() % static_cast<uint64_t>(below));
      };
      std::vector<std::pair<std::shared_ptr<MemoryPool>, int64_t>> reservations;
      std::vector<Buffer> buffers;
      for (int i = 0; i < 2000; ++i) {
        const auto& pool = pools[static_cast<size_t>(pick(static_cast<int64_t>(pools.size())))];
        switch (pick(6)) {
          case 0:
          case 1:
            if (const int64_t bytes = pick(kMiB); pool->try_reserve(bytes)) {
              reservations.emplace_back(pool, bytes);
              ++succeeded;
            } else {
              ++refused;
            }
            break;
          case 2:
            if (!reservations.empty()) {
              reservations.back().first->release(reservations.back().second);
              reservations.pop_back();
            }
            break;
          case 3:
          case 4:
            try {
              MutableBuffer buffer = pool->child("short-lived")->allocate(1 + pick(kMiB / 2));
              buffer.data()[0] = static_cast<uint8_t>(t);
              buffers.push_back(std::move(buffer).freeze());
              if (pick(4) == 0) buffers.back().charge_to_consumer();
              ++succeeded;
            } catch (const Error&) {
              ++refused;
            }
            break;
          default:
            if (!buffers.empty()) {
              ASSERT_EQ(buffers.front().data()[0], static_cast<uint8_t>(t));
              buffers.erase(buffers.begin());
            }
            if (pick(50) == 0) root->trim();
            EXPECT_LE(root->used_bytes(), limit);
            EXPECT_LE(left->used_bytes(), 4 * kMiB);
        }
        if (reservations.size() > 8) {
          reservations.front().first->release(reservations.front().second);
          reservations.erase(reservations.begin());
        }
      }
      for (const auto& [pool, bytes] : reservations) pool->release(bytes);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_GT(refused, 0);
  EXPECT_GT(succeeded, 0);
  for (const auto& pool : pools) {
    EXPECT_EQ(pool->used_bytes(), 0);
    EXPECT_EQ(held(pool), 0);
    EXPECT_LE(pool->peak_bytes(), pool->limit_bytes());
  }
  EXPECT_EQ(held(root), 0);
  EXPECT_EQ(root->exported_bytes(), 0);
  EXPECT_LE(root->peak_bytes(), limit);
  EXPECT_LE(root->cached_bytes(), 2 * kMiB);
  root->trim();
  EXPECT_EQ(root->cached_bytes(), 0);
  EXPECT_TRUE(root->try_reserve(limit));  // not a byte was lost
  root->release(limit);
}

// The locks of the tree are held by whoever is inside it at the fork: the child must find them
// free.
TEST(Memory, ForkedChildrenFindATreeThatWorks) {
  if (!colonnade::testing::kAllocatorSurvivesFork)
    GTEST_SKIP() << "the sanitizer's allocator does not";
  MemoryOptions options;
  options.limit_bytes = 64 * kMiB;
  const auto root = MemoryPool::make_root("root", options);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      while (!stop) {
        const auto scan = root->child("scan");
        const auto reclaimer = scan->add_reclaimer([](int64_t) { return int64_t{0}; });
        const MutableBuffer small = scan->allocate(100), large = scan->allocate(kMiB);
        std::this_thread::yield();
      }
    });
  }
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(colonnade::testing::holds_in_child([&root] {
      const auto scan = root->child("child");
      const MutableBuffer small = scan->allocate(100), large = scan->allocate(kMiB);
      return !scan->try_reserve(65 * kMiB) && root->used_bytes() > kMiB && root->trim() >= 0;
    }));
  }
  stop = true;
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(held(root), 0);
}

}  // namespace
}  // namespace colonnade
