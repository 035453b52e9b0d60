#include "io/read_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "io/testing/error_of.h"
#include "io/testing/faulty_file.h"
#include "io/testing/patterned_bytes.h"

namespace colonnade::io {
namespace {

using testing::are_bytes_at;
using testing::code_of;
using testing::FaultyFile;
using Reads = std::vector<std::pair<int64_t, int64_t>>;

constexpr int64_t kFileBytes = 1'000'000;

class ReadPlanTest : public ::testing::Test {
 protected:
  ReadPlanTest() { context_.memory = pool_; }
  ~ReadPlanTest() override { EXPECT_EQ(pool_->used_bytes(), 0); }

  static FilePtr patterned_file() {
    static const auto bytes =
        std::make_shared<const std::string>(testing::patterned_bytes(kFileBytes));
    return open_memory_file(Buffer::wrap(bytes->data(), kFileBytes, bytes), "file");
  }
  // Windows of 10,000 bytes, gaps of 1,000, groups of 30,000.
  static ReadPlanOptions options() {
    return {.window_bytes = 10'000, .max_gap_bytes = 1'000, .max_group_bytes = 30'000};
  }
  ReadPlan plan(std::vector<ByteSpan> ranges) {
    return ReadPlan(context_, file_, std::move(ranges), options());
  }
  int64_t metric(const char* name) const {
    const Metrics::Snapshot values = context_.metrics->snapshot();
    const auto value = values.find(name);
    return value == values.end() ? 0 : value->second;
  }

  const std::shared_ptr<MemoryPool> pool_ = MemoryPool::make_root("test");
  const std::shared_ptr<FaultyFile> file_ = std::make_shared<FaultyFile>(patterned_file());
  Context context_;
};

// Reads all of it, in bites of `bite`.
bool reads_rightly(SequentialReader reader, int64_t bite = 777) {
  while (reader.left() > 0) {
    const int64_t position = reader.position();
    const std::span<const uint8_t> bytes = reader.peek(bite);
    if (static_cast<int64_t>(bytes.size()) != std::min(bite, reader.left())) return false;
    if (!are_bytes_at(position, bytes)) return false;
    reader.skip(static_cast<int64_t>(bytes.size()));
  }
  return true;
}

TEST_F(ReadPlanTest, ReadsNeighboursTogether) {
  ReadPlan together = plan({{100, 5'000}, {5'100, 5'000}, {11'000, 2'000}});
  EXPECT_EQ(file_->num_reads(), 0);
  EXPECT_EQ(pool_->used_bytes(), 0);
  EXPECT_TRUE(reads_rightly(together.open(1)));
  EXPECT_EQ(file_->ranges_read(), (Reads{{100, 12'900}}));
  EXPECT_TRUE(reads_rightly(together.open(0)));
  EXPECT_TRUE(reads_rightly(together.open(2)));
  EXPECT_EQ(file_->num_reads(), 1);
  EXPECT_EQ(metric("reads"), 1);
  EXPECT_EQ(metric("read_bytes"), 12'900);
}

TEST_F(ReadPlanTest, TheOrderOfTheRangesDoesNotMatter) {
  ReadPlan together = plan({{11'000, 2'000}, {100, 5'000}, {5'100, 5'000}});
  for (const size_t i : {0u, 1u, 2u}) EXPECT_TRUE(reads_rightly(together.open(i)));
  EXPECT_EQ(file_->ranges_read(), (Reads{{100, 12'900}}));
}

TEST_F(ReadPlanTest, GapsAndGroupsHaveTheirBorders) {
  // A gap of 1,000 is read over, one of 1,001 is not.
  ReadPlan gaps = plan({{0, 1'000}, {2'000, 1'000}, {4'001, 1'000}});
  for (const size_t i : {0u, 1u, 2u}) EXPECT_TRUE(reads_rightly(gaps.open(i), 2'000));
  EXPECT_EQ(file_->ranges_read(), (Reads{{0, 3'000}, {4'001, 1'000}}));
}

TEST_F(ReadPlanTest, AGroupIsNoLargerThanItsLimit) {
  ReadPlan groups = plan({{0, 10'000}, {10'000, 10'000}, {20'000, 10'000}, {30'000, 1}});
  for (const size_t i : {3u, 2u, 1u, 0u}) EXPECT_TRUE(reads_rightly(groups.open(i), 20'000));
  EXPECT_EQ(file_->ranges_read(), (Reads{{30'000, 1}, {0, 30'000}}));
}

TEST_F(ReadPlanTest, LongRangesAreReadAloneInWindows) {
  ReadPlan long_ones = plan({{0, 500}, {500, 10'001}, {10'501, 500}});
  EXPECT_TRUE(reads_rightly(long_ones.open(0), 10'001));
  EXPECT_TRUE(reads_rightly(long_ones.open(1), 1'000));
  EXPECT_TRUE(reads_rightly(long_ones.open(2), 10'001));
  EXPECT_EQ(file_->ranges_read(), (Reads{{0, 500}, {500, 10'000}, {10'500, 1}, {10'501, 500}}));
}

TEST_F(ReadPlanTest, ALoneRangeIsReadWhenItIsNeeded) {
  ReadPlan lone = plan({{0, 5'000}, {100'000, 5'000}});
  SequentialReader first = lone.open(0);
  SequentialReader second = lone.open(1);
  EXPECT_EQ(file_->num_reads(), 0);
  EXPECT_EQ(first.left(), 5'000);
  EXPECT_EQ(second.position(), 100'000);
  EXPECT_TRUE(are_bytes_at(100'000, second.peek(1)));
  EXPECT_EQ(file_->ranges_read(), (Reads{{100'000, 5'000}}));
}

TEST_F(ReadPlanTest, RangesMayOverlapOrHoldNothing) {
  ReadPlan mixed = plan({{0, 9'000},
                         {0, 9'000},
                         {100, 50},
                         {8'000, 9'000},
                         {0, 25'000},
                         {50, 0},
                         {kFileBytes, 0},
                         {kFileBytes - 1, 1},
                         {0, kFileBytes}});
  for (size_t i = 0; i < 9; ++i) {
    SCOPED_TRACE(i);
    SequentialReader reader = mixed.open(i);
    EXPECT_TRUE(reader.peek(0).empty());
    EXPECT_TRUE(reader.take(0).empty());
    EXPECT_TRUE(reads_rightly(std::move(reader)));
  }
}

TEST_F(ReadPlanTest, RefusesRangesOutsideTheFile) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  for (const ByteSpan& span : std::initializer_list<ByteSpan>{{-1, 1},
                                                              {0, -1},
                                                              {kFileBytes, 1},
                                                              {kFileBytes + 1, 0},
                                                              {kMost, kMost},
                                                              {1, kMost},
                                                              {-kMost, kMost}}) {
    const auto error = testing::error_of([&] { plan({{0, 1}, span}); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::kCorruptData);
    EXPECT_EQ(error->place().file, "file");
  }
}

TEST_F(ReadPlanTest, RefusesSizesThatMakeNoSense) {
  for (const ReadPlanOptions& bad : std::initializer_list<ReadPlanOptions>{
           {.window_bytes = 0}, {.max_gap_bytes = -1}, {.max_group_bytes = -1}}) {
    EXPECT_EQ(code_of([&] { ReadPlan(context_, file_, {}, bad); }), ErrorCode::kInvalidArgument);
  }
}

TEST_F(ReadPlanTest, TakesSizesOfEveryMagnitude) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  for (const int64_t window : {int64_t{1}, int64_t{3}, kMost}) {
    for (const int64_t gap : {int64_t{0}, kMost}) {
      for (const int64_t group : {int64_t{0}, int64_t{100}, kMost}) {
        ReadPlan extreme(context_, file_, {{0, 50}, {60, 50}, {200, 1'000}},
                         {.window_bytes = window, .max_gap_bytes = gap, .max_group_bytes = group});
        for (const size_t i : {0u, 1u, 2u}) EXPECT_TRUE(reads_rightly(extreme.open(i), 13));
      }
    }
  }
}

TEST_F(ReadPlanTest, EachRangeIsOpenedOnce) {
  ReadPlan once = plan({{0, 10}, {10, 10}});
  SequentialReader reader = once.open(0);
  EXPECT_EQ(code_of([&] { once.open(0); }), ErrorCode::kInternal);
  EXPECT_EQ(code_of([&] { once.open(2); }), ErrorCode::kInternal);
  EXPECT_TRUE(reads_rightly(once.open(1)));
}

TEST_F(ReadPlanTest, BytesOfAGroupLiveUntilItsLastReaderIsDone) {
  auto group = std::make_unique<ReadPlan>(plan({{0, 9'000}, {9'000, 9'000}, {18'000, 9'000}}));
  {
    SequentialReader first = group->open(0);
    EXPECT_GE(pool_->used_bytes(), 27'000);
    EXPECT_TRUE(reads_rightly(std::move(first)));
  }
  EXPECT_GE(pool_->used_bytes(), 27'000);  // two were not opened
  SequentialReader second = group->open(1);
  SequentialReader third = group->open(2);
  second.skip(9'000);
  EXPECT_GE(pool_->used_bytes(), 27'000);
  third.skip(8'999);
  EXPECT_GE(pool_->used_bytes(), 27'000);
  EXPECT_TRUE(are_bytes_at(26'999, third.peek(1)));
  third.skip(1);
  EXPECT_EQ(pool_->used_bytes(), 0);  // all were passed, though readers and plan still live
}

TEST_F(ReadPlanTest, BytesOfAGroupGoWithThePlanWhenNobodyOpensThem) {
  auto group = std::make_unique<ReadPlan>(plan({{0, 9'000}, {9'000, 9'000}}));
  SequentialReader first = group->open(0);
  group.reset();
  EXPECT_TRUE(reads_rightly(std::move(first)));
  EXPECT_EQ(pool_->used_bytes(), 0);
}

TEST_F(ReadPlanTest, ReadersLiveLongerThanTheirPlan) {
  auto short_lived = std::make_unique<ReadPlan>(plan({{0, 50'000}, {60'000, 100}, {60'100, 100}}));
  SequentialReader windowed = short_lived->open(0);
  SequentialReader grouped = short_lived->open(1);
  EXPECT_TRUE(are_bytes_at(0, windowed.peek(5)));
  short_lived.reset();
  EXPECT_TRUE(reads_rightly(std::move(windowed)));
  EXPECT_TRUE(reads_rightly(std::move(grouped)));
}

TEST_F(ReadPlanTest, TellsTheFileWhatComesNext) {
  ReadPlan hinting = plan({{500'000, 25'000}, {0, 100}, {100, 100}, {600'000, 5}});
  EXPECT_EQ(file_->hints(), (Reads{{0, 200}, {500'000, 10'000}, {600'000, 5}}));
  SequentialReader reader = hinting.open(0);
  reader.peek(1);
  reader.skip(10'000);
  reader.peek(1);
  reader.skip(10'000);
  reader.peek(1);
  EXPECT_EQ(
      file_->hints(),
      (Reads{{0, 200}, {500'000, 10'000}, {600'000, 5}, {510'000, 10'000}, {520'000, 5'000}}));
}

TEST_F(ReadPlanTest, ThreadsShareOneReadOfAGroup) {
  for (int round = 0; round < 20; ++round) {
    const auto file = std::make_shared<FaultyFile>(patterned_file());
    std::vector<ByteSpan> ranges;
    for (int64_t i = 0; i < 8; ++i) ranges.push_back({i * 1'000, 1'000});
    for (int64_t i = 0; i < 8; ++i) ranges.push_back({100'000 + i * 50'000, 40'000});
    ReadPlan shared(context_, file, ranges, options());
    std::vector<std::thread> threads;
    std::atomic<int> num_right = 0;
    std::atomic<size_t> next = 0;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (size_t i = next++; i < ranges.size(); i = next++) {
          if (reads_rightly(shared.open(i))) ++num_right;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(num_right, 16);
    const Reads reads = file->ranges_read();
    EXPECT_EQ(std::count(reads.begin(), reads.end(), std::pair<int64_t, int64_t>{0, 8'000}), 1);
  }
}

TEST_F(ReadPlanTest, RandomPlansGiveTheRightBytes) {
  std::mt19937_64 random(11);
  const auto below = [&](int64_t limit) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  };
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    std::vector<ByteSpan> ranges;
    for (int64_t i = below(20); i >= 0; --i) {
      const int64_t offset = below(kFileBytes);
      ranges.push_back({offset, below(std::min<int64_t>(kFileBytes - offset, 40'000) + 1)});
    }
    ReadPlan any(context_, file_, ranges,
                 {.window_bytes = 1 + below(20'000),
                  .max_gap_bytes = below(100'000),
                  .max_group_bytes = below(200'000)});
    std::vector<size_t> order(ranges.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    for (const size_t i : order) EXPECT_TRUE(reads_rightly(any.open(i), 1 + below(30'000)));
  }
}

}  // namespace
}  // namespace colonnade::io
