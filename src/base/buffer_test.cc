#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <colonnade/error.h>
#include <colonnade/memory.h>

#include "base/address_sanitizer.h"

namespace colonnade {
namespace {

std::shared_ptr<MemoryPool> root_with(const MemoryTestMode& mode) {
  MemoryOptions options;
  options.test_mode = mode;
  return MemoryPool::make_root("root", options);
}

bool all_are(const uint8_t* data, int64_t size, uint8_t value) {
  return std::all_of(data, data + size, [value](uint8_t byte) { return byte == value; });
}

TEST(MemoryBuffer, WrapsAndReleasesItsOwner) {
  auto owner = std::make_shared<std::vector<int32_t>>(std::vector<int32_t>{1, 2, 3});
  const std::weak_ptr<std::vector<int32_t>> watched = owner;
  Buffer buffer = Buffer::wrap(owner->data(), 12, owner);
  owner.reset();
  Buffer slice = buffer.slice(4, 8);
  buffer = Buffer();
  ASSERT_EQ(slice.as<int32_t>().size(), 2u);
  EXPECT_EQ(slice.as<int32_t>()[1], 3);
  slice.charge_to_consumer();  // nothing to charge
  EXPECT_FALSE(watched.expired());
  slice = Buffer();
  EXPECT_TRUE(watched.expired());
  EXPECT_THROW(Buffer::wrap(nullptr, 1, nullptr), Error);
  EXPECT_THROW(Buffer::wrap("x", -1, nullptr), Error);
  EXPECT_TRUE(Buffer::wrap(nullptr, 0, nullptr).empty());
}

TEST(MemoryBuffer, SlicesLieInside) {
  const Buffer buffer = Buffer::wrap("0123456789", 10, nullptr);
  EXPECT_EQ(buffer.slice(0, 10).size(), 10);
  EXPECT_EQ(buffer.slice(10, 0).size(), 0);
  EXPECT_EQ(*buffer.slice(3, 4).slice(1, 3).data(), '4');
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (const auto& [offset, size] : std::vector<std::pair<int64_t, int64_t>>{
           {-1, 2}, {0, 11}, {10, 1}, {11, 0}, {5, -1}, {5, kMax}, {kMax, kMax}}) {
    EXPECT_THROW(buffer.slice(offset, size), Error) << offset << " " << size;
  }
  EXPECT_EQ(Buffer().slice(0, 0).size(), 0);
}

TEST(MemoryBuffer, GrowsAndKeepsItsBytes) {
  const auto pool = MemoryPool::make_root("root");
  MutableBuffer buffer = pool->allocate(0);
  int moves = 0;
  for (int64_t size = 1; size <= 100'000; ++size) {
    const uint8_t* const before = buffer.data();
    buffer.resize(size);
    moves += buffer.data() != before ? 1 : 0;
    buffer.data()[size - 1] = static_cast<uint8_t>(size * 7);
  }
  EXPECT_LE(moves, 25);  // log1.5(100,000 / 64) = 18, and classes
  for (int64_t i = 0; i < 100'000; ++i) {
    ASSERT_EQ(buffer.data()[i], static_cast<uint8_t>((i + 1) * 7));
  }
  const uint8_t* const data = buffer.data();
  buffer.resize(10);
  buffer.resize(100'000);
  EXPECT_EQ(buffer.data(), data);
  EXPECT_EQ(pool->used_bytes(), buffer.capacity() + MutableBuffer::kPaddingBytes);
}

TEST(MemoryBuffer, ARefusedGrowthChangesNothing) {
  MemoryOptions options;
  options.limit_bytes = 3000;
  const auto pool = MemoryPool::make_root("root", options);
  MutableBuffer buffer = pool->allocate(1000);
  std::memset(buffer.data(), 7, 1000);
  const uint8_t* const data = buffer.data();
  const int64_t used = pool->used_bytes();
  EXPECT_THROW(buffer.resize(5000), Error);
  EXPECT_THROW(buffer.resize(-1), Error);
  EXPECT_EQ(buffer.data(), data);
  EXPECT_EQ(buffer.size(), 1000);
  EXPECT_TRUE(all_are(buffer.data(), 1000, 7));
  EXPECT_EQ(pool->used_bytes(), used);
  // Half as much again does not fit beside the old block; what is asked for does.
  buffer.resize(1700);
  EXPECT_TRUE(all_are(buffer.data(), 1000, 7));
  EXPECT_EQ(buffer.size(), 1700);
}

TEST(MemoryBuffer, MovesLeaveNothingBehind) {
  const auto pool = MemoryPool::make_root("root");
  MutableBuffer a = pool->allocate(10);
  const uint8_t* const data = a.data();
  MutableBuffer b = std::move(a);
  EXPECT_EQ(b.data(), data);
  b = pool->allocate(2000);
  EXPECT_EQ(pool->used_bytes(), b.capacity() + MutableBuffer::kPaddingBytes);
  MutableBuffer empty;
  empty.resize(0);
  EXPECT_THROW(empty.resize(1), Error);
  EXPECT_TRUE(std::move(empty).freeze().empty());
  b = MutableBuffer();
  EXPECT_EQ(pool->used_bytes(), 0);
}

TEST(MemoryBuffer, FreezeZeroesTheSlack) {
  MemoryTestMode mode;
  mode.fill = true;
  const auto pool = root_with(mode);
  for (const int64_t size : {0, 1, 8, 63, 64, 65, 127, 1000, 3'000'001}) {
    MutableBuffer writable = pool->allocate(size);
    const Buffer buffer = std::move(writable).freeze();
    ASSERT_EQ(buffer.size(), size);
    EXPECT_TRUE(all_are(buffer.data(), size, mode.pattern));
    EXPECT_TRUE(all_are(buffer.data() + size, (64 - size % 64) % 64, 0)) << size;
  }
}

TEST(MemoryBuffer, ZeroedIsZero) {
  for (const bool fill : {false, true}) {
    MemoryTestMode mode;
    mode.fill = fill;
    const auto pool = root_with(mode);
    for (int round = 0; round < 2; ++round) {  // fresh, then recycled
      for (const int64_t size : {0, 1, 4096, 3'000'000}) {
        MutableBuffer buffer = pool->allocate_zeroed(size);
        EXPECT_TRUE(all_are(buffer.data(), size, 0));
        std::memset(buffer.data(), 0x55, static_cast<size_t>(size));
        buffer.fill_zero();
        EXPECT_TRUE(all_are(buffer.data(), size, 0));
        std::memset(buffer.data(), 0x55, static_cast<size_t>(size));
      }
    }
  }
}

TEST(MemoryTestMode, FillsWhatIsAllocatedAndWhatIsRecycled) {
  MemoryTestMode mode;
  mode.fill = true;
  mode.pattern = 0x3C;
  const auto pool = root_with(mode);
  for (const int64_t size : {100, 5000, 2'500'000}) {
    const uint8_t* data = nullptr;
    {
      MutableBuffer buffer = pool->allocate(size);
      EXPECT_TRUE(all_are(buffer.data(), size + MutableBuffer::kPaddingBytes, 0x3C));
      std::memset(buffer.data(), 1, static_cast<size_t>(size));
      data = buffer.data();
    }
#if !defined(COLONNADE_ASAN)  // it forbids the look
    EXPECT_TRUE(all_are(data, size, 0xC3));
#endif
    const MutableBuffer again = pool->allocate(size);
    EXPECT_EQ(again.data(), data);
    EXPECT_TRUE(all_are(again.data(), size, 0x3C));
  }
}

TEST(MemoryTestMode, FailsTheNthAllocationOnly) {
  for (int64_t n = 1; n <= 5; ++n) {
    MemoryTestMode mode;
    mode.fail_allocation = n;
    const auto root = root_with(mode);
    const auto pool = root->child("scan");
    std::vector<int64_t> failed;
    const auto attempt = [&failed](int64_t number, const auto& allocate) {
      try {
        allocate();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget);
        failed.push_back(number);
      }
    };
    MutableBuffer buffer;
    attempt(1, [&] { buffer = pool->allocate(10); });
    attempt(2, [&] { root->allocate_zeroed(10); });
    if (n > 1) {
      attempt(3, [&] { buffer.resize(100'000); });  // moves: one more allocation
      EXPECT_EQ(buffer.size(), n == 3 ? 10 : 100'000);
      attempt(4, [&] { pool->allocate(10); });  // recycled ones count as well
    }
    EXPECT_EQ(failed, n <= 4 ? std::vector<int64_t>{n} : std::vector<int64_t>{});
    buffer = MutableBuffer();
    EXPECT_EQ(root->used_bytes(), 0);
  }
}

#if defined(COLONNADE_ASAN)
TEST(MemoryTestMode, SlackIsPoisoned) {
  MemoryTestMode mode;
  mode.poison_slack = true;
  const auto pool = root_with(mode);
  MutableBuffer buffer = pool->allocate(1100);  // a class of 1,280
  ASSERT_EQ(buffer.capacity(), 1280);
  const auto poisoned = [&](int64_t i) {
    return __asan_address_is_poisoned(buffer.data() + i) != 0;
  };
  EXPECT_FALSE(poisoned(0));
  EXPECT_FALSE(poisoned(1100 + 63));
  EXPECT_TRUE(poisoned(1100 + 64));
  EXPECT_TRUE(poisoned(1280 + 63));
  buffer.resize(1200);
  EXPECT_FALSE(poisoned(1200 + 63));
  EXPECT_TRUE(poisoned(1200 + 64));
  buffer.resize(100);
  EXPECT_TRUE(poisoned(164));
}

TEST(MemoryTestMode, RecycledMemoryIsPoisoned) {
  const auto pool = MemoryPool::make_root("root");
  const uint8_t* data = nullptr;
  {
    MutableBuffer buffer = pool->allocate(100);
    data = buffer.data();
  }
  EXPECT_TRUE(__asan_address_is_poisoned(data));
  const MutableBuffer again = pool->allocate(100);
  EXPECT_EQ(again.data(), data);
  EXPECT_FALSE(__asan_address_is_poisoned(data));
}
#endif

}  // namespace
}  // namespace colonnade
