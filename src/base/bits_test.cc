#include "base/bits.h"

#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace colonnade::bits {
namespace {

// Random ranges over buffers that end exactly where the range may, so that AddressSanitizer sees a
// byte read or written too far.
struct Range {
  int64_t offset;
  int64_t length;
};

class BitsTest : public ::testing::Test {
 protected:
  Range random_range() {
    const int64_t longest = std::uniform_int_distribution<int>(0, 3)(random_) == 0 ? 700 : 80;
    return {std::uniform_int_distribution<int64_t>(0, 70)(random_),
            std::uniform_int_distribution<int64_t>(0, longest)(random_)};
  }

  // Bits with long runs half of the time.
  std::vector<uint8_t> random_bits(int64_t num_bits) {
    std::vector<uint8_t> bytes(static_cast<size_t>(bytes_for(num_bits)));
    const bool runs = (random_() & 1) != 0;
    bool value = false;
    for (int64_t i = 0; i < 8 * static_cast<int64_t>(bytes.size()); ++i) {
      if (runs ? std::uniform_int_distribution<int>(0, 60)(random_) == 0 : true) {
        value = runs ? !value : (random_() & 1) != 0;
      }
      if (value) set(bytes.data(), i);
    }
    return bytes;
  }

  std::mt19937 random_{20240229};
};

constexpr int kRounds = 3000;

TEST_F(BitsTest, SizesRoundUp) {
  EXPECT_EQ(bytes_for(0), 0);
  EXPECT_EQ(bytes_for(1), 1);
  EXPECT_EQ(bytes_for(8), 1);
  EXPECT_EQ(bytes_for(9), 2);
  EXPECT_EQ(round_up(0, 64), 0);
  EXPECT_EQ(round_up(1, 64), 64);
  EXPECT_EQ(round_up(64, 64), 64);
}

TEST_F(BitsTest, LoadTakesTheBitsAndNothingAbove) {
  for (int round = 0; round < kRounds; ++round) {
    const int64_t offset = random_range().offset;
    const int64_t length = std::uniform_int_distribution<int64_t>(0, 64)(random_);
    const auto bytes = random_bits(offset + length);
    uint64_t expected = 0;
    for (int64_t i = 0; i < length; ++i) {
      expected |= uint64_t{get(bytes.data(), offset + i)} << i;
    }
    EXPECT_EQ(load(bytes.data(), offset, length), expected) << offset << " " << length;
  }
}

TEST_F(BitsTest, FillChangesTheRangeOnly) {
  for (int round = 0; round < kRounds; ++round) {
    const auto [offset, length] = random_range();
    const auto before = random_bits(offset + length);
    auto bytes = before;
    const bool value = (round & 1) != 0;
    fill(bytes.data(), offset, length, value);
    for (int64_t i = 0; i < 8 * static_cast<int64_t>(bytes.size()); ++i) {
      const bool inside = i >= offset && i < offset + length;
      ASSERT_EQ(get(bytes.data(), i), inside ? value : get(before.data(), i)) << i;
    }
  }
}

TEST_F(BitsTest, CountIsTheSumOfTheBits) {
  for (int round = 0; round < kRounds; ++round) {
    const auto [offset, length] = random_range();
    const auto bytes = random_bits(offset + length);
    int64_t expected = 0;
    for (int64_t i = 0; i < length; ++i) expected += get(bytes.data(), offset + i);
    ASSERT_EQ(count(bytes.data(), offset, length), expected) << offset << " " << length;
  }
}

TEST_F(BitsTest, CopyMovesTheRangeOnly) {
  for (int round = 0; round < kRounds; ++round) {
    const auto [offset, length] = random_range();
    const int64_t out_offset = random_range().offset;
    const auto in = random_bits(offset + length);
    const auto before = random_bits(out_offset + length);
    auto out = before;
    copy(in.data(), offset, length, out.data(), out_offset);
    for (int64_t i = 0; i < 8 * static_cast<int64_t>(out.size()); ++i) {
      const bool inside = i >= out_offset && i < out_offset + length;
      const bool expected =
          inside ? get(in.data(), offset + i - out_offset) : get(before.data(), i);
      ASSERT_EQ(get(out.data(), i), expected) << offset << " " << length << " " << out_offset;
    }
  }
}

TEST_F(BitsTest, RunsAreMaximalAndInOrder) {
  for (int round = 0; round < kRounds; ++round) {
    const auto [offset, length] = random_range();
    const auto bytes = random_bits(offset + length);
    std::vector<std::pair<int64_t, int64_t>> expected;
    for (int64_t i = 0; i < length; ++i) {
      if (!get(bytes.data(), offset + i)) continue;
      if (!expected.empty() && expected.back().first + expected.back().second == i) {
        ++expected.back().second;
      } else {
        expected.emplace_back(i, 1);
      }
    }
    std::vector<std::pair<int64_t, int64_t>> runs;
    for_each_run(bytes.data(), offset, length,
                 [&](int64_t start, int64_t n) { runs.emplace_back(start, n); });
    ASSERT_EQ(runs, expected) << offset << " " << length;
  }
}

TEST_F(BitsTest, NothingIsTouchedForNoBits) {
  fill(nullptr, 0, 0, true);
  EXPECT_EQ(count(nullptr, 0, 0), 0);
  copy(nullptr, 0, 0, nullptr, 0);
  for_each_run(nullptr, 0, 0, [](int64_t, int64_t) { FAIL(); });
}

}  // namespace
}  // namespace colonnade::bits
