#include "base/reclaimers.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <colonnade/error.h>

#include "base/memory_node.h"

namespace colonnade {
namespace {

std::shared_ptr<MemoryPool> root_of(int64_t limit_bytes) {
  MemoryOptions options;
  options.limit_bytes = limit_bytes;
  return MemoryPool::make_root("root", options);
}

// Holds reserved bytes and gives them back when asked.
class Holder {
 public:
  Holder(std::shared_ptr<MemoryPool> pool, int64_t bytes) : pool_(std::move(pool)), bytes_(bytes) {
    pool_->reserve(bytes, "test");
    reclaimer_ = pool_->add_reclaimer([this](int64_t wanted) {
      asked.push_back(wanted);
      return give();
    });
  }
  ~Holder() {
    reclaimer_ = {};
    give();
  }
  int64_t give() {
    const int64_t given = std::exchange(bytes_, 0);
    pool_->release(given);
    return given;
  }

  std::vector<int64_t> asked;

 private:
  std::shared_ptr<MemoryPool> pool_;
  int64_t bytes_;
  MemoryPool::Reclaimer reclaimer_;
};

TEST(MemoryReclaimers, AreAskedForWhatIsMissing) {
  const auto root = root_of(1000);
  Holder holder(root->child("cache"), 700);
  const auto scan = root->child("scan");
  EXPECT_TRUE(scan->try_reserve(300));
  EXPECT_TRUE(holder.asked.empty());
  EXPECT_TRUE(scan->try_reserve(50));
  EXPECT_EQ(holder.asked, std::vector<int64_t>{50});
  EXPECT_EQ(root->used_bytes(), 350);
  scan->release(350);
}

TEST(MemoryReclaimers, FreeListsGoFirst) {
  const auto root = root_of(3000);
  Holder holder(root->child("cache"), 1000);
  {
    const MutableBuffer buffer = root->allocate(1024);
  }
  EXPECT_GT(root->cached_bytes(), 0);
  EXPECT_TRUE(root->try_reserve(2000));
  EXPECT_EQ(root->cached_bytes(), 0);
  EXPECT_TRUE(holder.asked.empty());
  root->release(2000);
}

TEST(MemoryReclaimers, TheLargestIsAskedFirstAndNoMoreThanNeeded) {
  const auto root = root_of(1000);
  Holder small(root->child("small"), 200);
  Holder large(root->child("large"), 700);
  EXPECT_TRUE(root->try_reserve(400));
  EXPECT_EQ(large.asked.size(), 1u);
  EXPECT_TRUE(small.asked.empty());
  EXPECT_TRUE(root->try_reserve(500));
  EXPECT_EQ(small.asked.size(), 1u);
  root->release(900);
}

TEST(MemoryReclaimers, OnlyThoseBelowTheRefusingNodeAreAsked) {
  const auto root = root_of(1000);
  const auto left = root->child("left", 300);
  Holder inside(left->child("inside"), 200);
  Holder outside(root->child("outside"), 200);
  EXPECT_TRUE(left->try_reserve(200));
  EXPECT_EQ(inside.asked.size(), 1u);
  EXPECT_TRUE(outside.asked.empty());
  left->release(200);
}

TEST(MemoryReclaimers, ARefusalComesAfterAllWereAsked) {
  const auto root = root_of(1000);
  Holder a(root->child("a"), 300);
  Holder b(root->child("b"), 300);
  int asked = 0;
  const auto unwilling = root->child("c")->add_reclaimer([&asked](int64_t) {
    ++asked;
    return int64_t{0};
  });
  ASSERT_TRUE(root->try_reserve(300));
  EXPECT_FALSE(root->try_reserve(800));
  EXPECT_EQ(root->used_bytes(), 300);  // a and b have given all they had
  EXPECT_EQ(asked, 1);
  EXPECT_LE(a.asked.size(), 2u);  // who gave something may be asked once more
  EXPECT_LE(b.asked.size(), 2u);
  root->release(300);
}

TEST(MemoryReclaimers, MayAllocateAndReserveThemselves) {
  const auto root = root_of(10'000);
  const auto sort = root->child("sort");
  MutableBuffer held = sort->allocate(8000);
  int depth = 0;
  const auto reclaimer = sort->add_reclaimer([&](int64_t) {
    EXPECT_EQ(++depth, 1);  // its own requests do not come back to it
    EXPECT_FALSE(sort->try_reserve(9000));
    const MutableBuffer scratch = sort->allocate(500);
    EXPECT_GT(root->used_bytes(), 8000);
    const int64_t bytes = held.capacity() + MutableBuffer::kPaddingBytes;
    held = MutableBuffer();
    --depth;
    return bytes;
  });
  EXPECT_TRUE(root->child("scan")->try_reserve(9000));
}

TEST(MemoryReclaimers, AnAllocationAsksThemToo) {
  const auto root = root_of(10'000);
  Holder holder(root->child("cache"), 9000);
  const MutableBuffer buffer = root->child("scan")->allocate(4096);
  EXPECT_EQ(buffer.size(), 4096);
  EXPECT_EQ(holder.asked.size(), 1u);
}

TEST(MemoryReclaimers, OneThatThrowsHasNothing) {
  const auto root = root_of(1000);
  const auto throwing =
      root->add_reclaimer([](int64_t) -> int64_t { throw Error(ErrorCode::kIo, "disk full"); });
  Holder holder(root->child("cache"), 800);
  EXPECT_TRUE(root->try_reserve(600));
  EXPECT_FALSE(root->try_reserve(600));
  root->release(600);
}

TEST(MemoryReclaimers, OneThatOnlyPromisesIsNotAskedForEver) {
  const auto root = root_of(1000);
  int asked = 0;
  const auto boasting = root->add_reclaimer([&asked](int64_t wanted) {
    ++asked;
    return wanted;
  });
  EXPECT_FALSE(root->try_reserve(2000));
  EXPECT_GT(asked, 0);
  EXPECT_LT(asked, 100);
}

TEST(MemoryReclaimers, ARemovedOneIsNotAsked) {
  const auto root = root_of(1000);
  int asked = 0;
  auto reclaimer = root->add_reclaimer([&asked](int64_t) {
    ++asked;
    return int64_t{0};
  });
  MemoryPool::Reclaimer moved = std::move(reclaimer);
  EXPECT_FALSE(root->try_reserve(2000));
  EXPECT_EQ(asked, 1);
  moved = {};
  EXPECT_FALSE(root->try_reserve(2000));
  EXPECT_EQ(asked, 1);
}

TEST(MemoryReclaimers, MayRemoveThemselves) {
  const auto root = root_of(1000);
  std::optional<MemoryPool::Reclaimer> reclaimer;
  int asked = 0;
  auto kept = std::make_shared<std::string>("what the function captured");
  reclaimer = root->add_reclaimer([&, kept](int64_t) {
    reclaimer.reset();
    asked += kept->size() > 5 ? 1 : 0;
    return int64_t{0};
  });
  EXPECT_FALSE(root->try_reserve(2000));
  EXPECT_FALSE(root->try_reserve(2000));
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(kept.use_count(), 1);
}

TEST(MemoryReclaimers, DestructionWaitsForACall) {
  const auto root = root_of(1000);
  std::atomic<bool> inside{false};
  std::atomic<bool> left{false};
  auto reclaimer = root->add_reclaimer([&](int64_t) {
    inside = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    left = true;
    return int64_t{0};
  });
  std::thread asking([&] { EXPECT_FALSE(root->try_reserve(2000)); });
  while (!inside) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  reclaimer = {};
  EXPECT_TRUE(left);
  asking.join();
}

TEST(MemoryReclaimers, CallsOfOneNeverOverlap) {
  const auto root = root_of(100'000);
  const auto cache = root->child("cache");
  std::atomic<int> inside{0};
  std::atomic<int> calls{0};
  std::atomic<int64_t> cached{0};
  const auto reclaimer = cache->add_reclaimer([&](int64_t) {
    EXPECT_EQ(++inside, 1);
    ++calls;
    const int64_t bytes = cached.exchange(0);
    cache->release(bytes);
    --inside;
    return bytes;
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        // One thread in need always gets its bytes: all others together leave that much.
        if (cache->try_reserve(20'000)) cached += 20'000;
        if (root->try_reserve(20'000)) root->release(20'000);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_GT(calls, 0);
  cache->release(cached.exchange(0));
  EXPECT_EQ(root->used_bytes(), 0);
  EXPECT_EQ(static_cast<MemoryNode&>(*root).held_bytes(), 0);
}

}  // namespace
}  // namespace colonnade
