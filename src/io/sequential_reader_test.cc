#include "io/sequential_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <string>

#include "io/testing/error_of.h"
#include "io/testing/faulty_file.h"
#include "io/testing/patterned_bytes.h"

namespace colonnade::io {
namespace {

using testing::are_bytes_at;
using testing::code_of;
using testing::FaultyFile;
using testing::FileFaults;
using Reads = std::vector<std::pair<int64_t, int64_t>>;

constexpr int64_t kFileBytes = 100'000;
constexpr int64_t kWindow = 1'000;
// The range begins somewhere in the file, so that offsets and positions cannot be mixed up.
constexpr int64_t kBegin = 50;
constexpr int64_t kLength = kFileBytes - 150;
constexpr int64_t kEnd = kBegin + kLength;
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

class SequentialReaderTest : public ::testing::Test {
 protected:
  SequentialReaderTest() { context_.memory = pool_; }
  ~SequentialReaderTest() override { EXPECT_EQ(pool_->used_bytes(), 0); }

  SequentialReader open(FileFaults faults = {}) {
    static const auto bytes =
        std::make_shared<const std::string>(testing::patterned_bytes(kFileBytes));
    file_ = std::make_shared<FaultyFile>(
        open_memory_file(Buffer::wrap(bytes->data(), kFileBytes, bytes), "file"),
        std::move(faults));
    return ReadPlan(context_, file_, {{kBegin, kLength}}, {.window_bytes = kWindow}).open(0);
  }

  std::shared_ptr<MemoryPool> pool_ = MemoryPool::make_root("test");
  std::shared_ptr<FaultyFile> file_;
  Context context_;
};

TEST_F(SequentialReaderTest, ReadsWindowByWindow) {
  SequentialReader reader = open();
  EXPECT_EQ(reader.left(), kLength);
  EXPECT_EQ(reader.position(), kBegin);
  for (int i = 0; i < 4; ++i) {
    const auto bytes = reader.peek(500);
    EXPECT_EQ(bytes.size(), 500u);
    EXPECT_TRUE(are_bytes_at(kBegin + i * 500, bytes));
    reader.skip(500);
  }
  EXPECT_EQ(file_->ranges_read(), (Reads{{50, 1'000}, {1'050, 1'000}}));
}

TEST_F(SequentialReaderTest, PeekingPassesNothing) {
  SequentialReader reader = open();
  const uint8_t* first = reader.peek(10).data();
  EXPECT_EQ(reader.peek(1'000).data(), first);
  EXPECT_EQ(reader.position(), kBegin);
  EXPECT_EQ(file_->num_reads(), 1);
}

TEST_F(SequentialReaderTest, CarriesTheTailOverTheBorder) {
  SequentialReader reader = open();
  reader.peek(1);
  reader.skip(700);
  const auto bytes = reader.peek(600);
  ASSERT_EQ(bytes.size(), 600u);
  EXPECT_TRUE(are_bytes_at(kBegin + 700, bytes));
  // 300 bytes were there; the window is filled up.
  EXPECT_EQ(file_->ranges_read(), (Reads{{50, 1'000}, {1'050, 700}}));
}

TEST_F(SequentialReaderTest, ALongSpanIsReadExactly) {
  SequentialReader reader = open();
  reader.peek(1);
  reader.skip(900);
  const auto bytes = reader.peek(5'000);
  ASSERT_EQ(bytes.size(), 5'000u);
  EXPECT_TRUE(are_bytes_at(kBegin + 900, bytes));
  EXPECT_EQ(file_->ranges_read(), (Reads{{50, 1'000}, {1'050, 4'900}}));
  reader.skip(5'000);
  EXPECT_EQ(pool_->used_bytes(), 0);
}

TEST_F(SequentialReaderTest, SkippedBytesAreNotRead) {
  SequentialReader reader = open();
  reader.skip(20'000);
  EXPECT_TRUE(are_bytes_at(kBegin + 20'000, reader.peek(10)));
  reader.skip(30'000);
  EXPECT_EQ(pool_->used_bytes(), 0);
  EXPECT_TRUE(are_bytes_at(kBegin + 50'000, reader.peek(10)));
  reader.skip(reader.left());
  EXPECT_EQ(reader.position(), kEnd);
  EXPECT_EQ(file_->ranges_read(), (Reads{{20'050, 1'000}, {50'050, 1'000}}));
}

TEST_F(SequentialReaderTest, EndsWithItsRange) {
  SequentialReader reader = open();
  reader.skip(kLength - 10);
  const auto bytes = reader.peek(100);
  EXPECT_EQ(bytes.size(), 10u);
  EXPECT_TRUE(are_bytes_at(kEnd - 10, bytes));
  EXPECT_EQ(reader.peek(kMost).size(), 10u);
  // Bytes behind the range are none of its business.
  EXPECT_EQ(file_->ranges_read(), (Reads{{kEnd - 10, 10}}));
  reader.skip(10);
  EXPECT_TRUE(reader.peek(1).empty());
  EXPECT_EQ(reader.left(), 0);
}

TEST_F(SequentialReaderTest, RefusesMoreThanThereIs) {
  SequentialReader reader = open();
  reader.skip(kLength - 10);
  for (const int64_t n : {int64_t{11}, int64_t{-1}, kMost, std::numeric_limits<int64_t>::min()}) {
    EXPECT_EQ(code_of([&] { reader.skip(n); }), ErrorCode::kCorruptData);
    EXPECT_EQ(code_of([&] { reader.take(n); }), ErrorCode::kCorruptData);
  }
  EXPECT_EQ(code_of([&] { reader.peek(-1); }), ErrorCode::kCorruptData);
  const auto error = testing::error_of([&] { reader.take(11); });
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->what(),
               "bytes wanted past the end of their range: file 'file': 11 bytes at 99890, 10 left");
  EXPECT_EQ(reader.position(), kEnd - 10);
  EXPECT_TRUE(are_bytes_at(kEnd - 10, reader.take(10)));
}

TEST_F(SequentialReaderTest, TakenBytesOutliveTheReader) {
  Buffer a, b, c, d;
  {
    SequentialReader reader = open();
    a = reader.take(400);
    b = reader.take(500);
    c = reader.take(3'000);  // begins in the first window
    reader.skip(5);
    d = reader.take(900);
    EXPECT_EQ(reader.position(), kBegin + 4'805);
  }
  EXPECT_EQ(a.size(), 400);
  EXPECT_TRUE(are_bytes_at(kBegin, a));
  EXPECT_TRUE(are_bytes_at(kBegin + 400, b));
  EXPECT_EQ(c.size(), 3'000);
  EXPECT_TRUE(are_bytes_at(kBegin + 900, c));
  EXPECT_TRUE(are_bytes_at(kBegin + 3'905, d));
  // Slices of one window share it.
  EXPECT_EQ(a.owner(), b.owner());
  EXPECT_EQ(a.data() + 400, b.data());
  EXPECT_NE(b.owner(), c.owner());
}

TEST_F(SequentialReaderTest, FewBytesDoNotKeepAWindowAlive) {
  Buffer few;
  {
    SequentialReader reader = open();
    few = reader.take(8);
    EXPECT_TRUE(are_bytes_at(kBegin, few));
    const Buffer many = reader.take(200);
    EXPECT_TRUE(are_bytes_at(kBegin + 8, many));
    EXPECT_NE(few.owner(), many.owner());
    // Also when the window was shared before.
    const Buffer few_more = reader.take(8);
    EXPECT_TRUE(are_bytes_at(kBegin + 208, few_more));
    EXPECT_NE(few_more.owner(), many.owner());
    EXPECT_TRUE(are_bytes_at(kBegin + 216, reader.peek(100)));
  }
  EXPECT_LT(pool_->used_bytes(), kWindow);
}

TEST_F(SequentialReaderTest, HoldsOneWindow) {
  SequentialReader reader = open();
  std::mt19937_64 random(3);
  while (reader.left() > 0) {
    reader.peek(1 + static_cast<int64_t>(random() % (kWindow / 2)));
    reader.skip(std::min<int64_t>(reader.left(), 1 + static_cast<int64_t>(random() % kWindow)));
  }
  // Buffers come in sizes of their own, with padding.
  EXPECT_LE(pool_->peak_bytes(), 2 * kWindow + 512);
}

TEST_F(SequentialReaderTest, LargeLooksAheadWithSmallStepsReadEachByteOnce) {
  SequentialReader reader = open();
  while (reader.left() > 0) {
    const auto bytes = reader.peek(kWindow);
    ASSERT_TRUE(are_bytes_at(reader.position(), bytes.first(1)));
    ASSERT_TRUE(
        are_bytes_at(reader.position() + static_cast<int64_t>(bytes.size()) - 1, bytes.last(1)));
    reader.skip(1);
  }
  EXPECT_EQ(file_->read_bytes(), kLength);
  // Not one read for each step.
  EXPECT_LE(file_->num_reads(), 2 + kLength / (kWindow - 1));
}

TEST_F(SequentialReaderTest, MovesKeepThePlace) {
  SequentialReader first = open();
  first.skip(123);
  first.peek(5);
  SequentialReader second = std::move(first);
  EXPECT_EQ(second.position(), kBegin + 123);
  first = std::move(second);
  EXPECT_TRUE(are_bytes_at(kBegin + 123, first.peek(2'000)));
}

TEST_F(SequentialReaderTest, AnyOrderOfCallsGivesTheSameBytes) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 100; ++round) {
    SequentialReader reader = open();
    int64_t position = kBegin;
    std::vector<std::pair<int64_t, Buffer>> taken;
    while (reader.left() > 0) {
      const int64_t scale = random() % 8 == 0 ? 5'000 : 700;
      const int64_t n = static_cast<int64_t>(random() % static_cast<uint64_t>(scale));
      const int64_t inside = std::min(n, reader.left());
      switch (random() % 4) {
        case 0:
          reader.skip(inside);
          position += inside;
          break;
        case 1:
          taken.emplace_back(position, reader.take(inside));
          position += inside;
          break;
        default:
          const auto bytes = reader.peek(n);
          ASSERT_EQ(static_cast<int64_t>(bytes.size()), inside);
          ASSERT_TRUE(are_bytes_at(position, bytes));
      }
      ASSERT_EQ(reader.position(), position);
      ASSERT_EQ(reader.left(), kEnd - position);
    }
    EXPECT_EQ(pool_->used_bytes() > 0, !taken.empty());
    for (const auto& [offset, bytes] : taken) ASSERT_TRUE(are_bytes_at(offset, bytes));
  }
}

// What is done to a reader in the sweeps below: each way in which it reads.
void use(SequentialReader& reader) {
  const auto look = [&](int64_t n) {
    ASSERT_TRUE(are_bytes_at(reader.position(), reader.peek(n)));
  };
  const auto take = [&](int64_t n) {
    const int64_t position = reader.position();
    ASSERT_TRUE(are_bytes_at(position, reader.take(n)));
  };
  look(10);
  reader.skip(800);
  look(600);  // moves the tail within the window
  take(500);
  look(900);  // carries the tail out of a window that is shared by now
  reader.skip(5'000);
  take(7'000);
  look(990);
  reader.skip(10);
  look(1'000);  // grows the window
  look(4'000);  // leaves the window
  reader.skip(reader.left() - 10);
  take(10);
}

TEST_F(SequentialReaderTest, EveryFailingReadIsAnErrorAfterWhichItGoesOn) {
  SequentialReader counting = open();
  use(counting);
  const int64_t num_reads = file_->num_reads();
  ASSERT_GE(num_reads, 7);
  for (int64_t failing = 1; failing <= num_reads; ++failing) {
    SequentialReader reader = open({.fail_read = failing});
    const auto error = testing::error_of([&] { use(reader); });
    ASSERT_TRUE(error) << failing;
    EXPECT_EQ(error->code(), ErrorCode::kIo);
    EXPECT_EQ(error->system_errno(), EIO);
    // The reader stands where it stood.
    EXPECT_TRUE(are_bytes_at(reader.position(), reader.peek(1)));
    while (reader.left() > 0) {
      const auto bytes = reader.peek(1'300);
      ASSERT_TRUE(are_bytes_at(reader.position(), bytes));
      reader.skip(static_cast<int64_t>(bytes.size()));
    }
  }
}

TEST_F(SequentialReaderTest, AShrinkingFileIsAnError) {
  SequentialReader counting = open();
  use(counting);
  const int64_t num_reads = file_->num_reads();
  for (int64_t shrinking = 1; shrinking <= num_reads; ++shrinking) {
    SequentialReader reader = open({.shrink_read = shrinking, .shrunk_bytes = 60});
    const FileIdentity before = file_->identity();
    EXPECT_EQ(code_of([&] { use(reader); }), ErrorCode::kIo) << shrinking;
    EXPECT_NE(file_->identity(), before);
  }
}

TEST_F(SequentialReaderTest, EachReadLooksAtTheCancelToken) {
  SequentialReader counting = open();
  use(counting);
  const int64_t num_reads = file_->num_reads();
  for (int64_t last = 1; last < num_reads; ++last) {
    context_.cancel = CancelToken();
    SequentialReader reader = open({.before_read = [&](int64_t read) {
      if (read == last) context_.cancel.cancel();
    }});
    EXPECT_EQ(code_of([&] { use(reader); }), ErrorCode::kCancelled);
    EXPECT_EQ(file_->num_reads(), last);
  }
}

TEST_F(SequentialReaderTest, EveryBudgetEndsInSuccessOrOutOfBudget) {
  {
    SequentialReader counting = open();
    use(counting);
  }
  const int64_t peak_bytes = pool_->peak_bytes();
  int num_refused = 0;
  for (int64_t k = 0; k <= 64; ++k) {
    const auto pool = MemoryPool::make_root("small", {.limit_bytes = peak_bytes * k / 64});
    context_.memory = pool;
    {
      SequentialReader reader = open();
      const auto code = code_of([&] { use(reader); });
      EXPECT_TRUE(!code || code == ErrorCode::kOutOfBudget);
      if (code) {
        ++num_refused;
        EXPECT_GE(reader.left(), 0);
      }
    }
    EXPECT_EQ(pool->used_bytes(), 0);
  }
  EXPECT_GT(num_refused, 10);
  EXPECT_LE(num_refused, 64);
}

TEST_F(SequentialReaderTest, EveryFailingAllocationIsOutOfBudget) {
  for (int64_t failing = 1;; ++failing) {
    ASSERT_LT(failing, 100);
    MemoryOptions options;
    options.test_mode.fail_allocation = failing;
    const auto pool = MemoryPool::make_root("failing", options);
    context_.memory = pool;
    std::optional<ErrorCode> code;
    {
      SequentialReader reader = open();
      code = code_of([&] { use(reader); });
      if (code) {
        EXPECT_EQ(code, ErrorCode::kOutOfBudget);
        // The next allocation works: the reader goes on where it stands.
        EXPECT_TRUE(are_bytes_at(reader.position(), reader.peek(10)));
      }
    }
    EXPECT_EQ(pool->used_bytes(), 0);
    if (!code) break;
  }
}

TEST_F(SequentialReaderTest, AGroupSurvivesEachOfItsFailures) {
  const std::vector<ByteSpan> ranges = {{0, 500}, {500, 500}, {1'000, 500}};
  // A failing read: who opens next tries again.
  open({.fail_read = 1});
  ReadPlan plan(context_, file_, ranges, {.window_bytes = kWindow});
  EXPECT_EQ(code_of([&] { plan.open(1); }), ErrorCode::kIo);
  EXPECT_EQ(pool_->used_bytes(), 0);
  EXPECT_TRUE(are_bytes_at(500, plan.open(1).peek(500)));
  EXPECT_TRUE(are_bytes_at(0, plan.open(0).peek(500)));
  EXPECT_EQ(file_->num_reads(), 2);

  // No budget for it.
  context_.memory = MemoryPool::make_root("small", {.limit_bytes = 1'000});
  ReadPlan poor(context_, file_, ranges, {.window_bytes = kWindow});
  EXPECT_EQ(code_of([&] { poor.open(1); }), ErrorCode::kOutOfBudget);
  EXPECT_EQ(context_.memory->used_bytes(), 0);

  // Cancelled.
  context_.memory = pool_;
  context_.cancel.cancel();
  ReadPlan cancelled(context_, file_, ranges, {.window_bytes = kWindow});
  EXPECT_EQ(code_of([&] { cancelled.open(1); }), ErrorCode::kCancelled);
}

}  // namespace
}  // namespace colonnade::io
