#include "parquet/encoding/rle_bits.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/bits.h"
#include "parquet/encoding/testing/decoder_trials.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::ExactBytes;

std::vector<uint32_t> decode(std::span<const uint8_t> bytes, int64_t n, int64_t step,
                             int64_t bit_offset = 0) {
  RleBitsDecoder decoder;
  decoder.start(bytes, n);
  std::vector<uint8_t> bits(static_cast<size_t>(bits::bytes_for(bit_offset + n)));
  int64_t ones = 0;
  for (int64_t i = 0; i < n; i += step) {
    ones += decoder.decode(std::min(step, n - i), bits.data(), bit_offset + i);
  }
  std::vector<uint32_t> values;
  for (int64_t i = 0; i < n; ++i) values.push_back(bits::get(bits.data(), bit_offset + i));
  EXPECT_EQ(ones, std::count(values.begin(), values.end(), 1u));
  EXPECT_EQ(decoder.values_left(), 0);
  EXPECT_EQ(decoder.ones_left(), 0);
  return values;
}

std::vector<uint32_t> random_bits(std::mt19937& random, size_t n) {
  std::vector<uint32_t> values;
  while (values.size() < n) {
    const size_t count = 1 + random() % 200;
    if (random() % 2 == 0) {
      values.insert(values.end(), count, random() % 2);
    } else {
      for (size_t i = 0; i < count; ++i) values.push_back(random() % 2);
    }
  }
  values.resize(n);
  return values;
}

TEST(RleBits, ReadsRunsOfBothKinds) {
  // 10 ones, 3 zeros, and 8 bits of which 5 count.
  EXPECT_EQ(decode(Bytes{10 << 1, 1, 3 << 1, 0, 1 << 1 | 1, 0b11101001}, 18, 18),
            (std::vector<uint32_t>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0}));
}

TEST(RleBits, EveryStepAndOffsetEqualsWhatWasWritten) {
  std::mt19937 random(21);
  for (int round = 0; round < 10; ++round) {
    const std::vector<uint32_t> expected = random_bits(random, 4000);
    ExactBytes bytes(testing::hybrid(expected, 1));
    for (const int64_t step : {1, 7, 8, 63, 64, 1000, 4000}) {
      EXPECT_EQ(decode(bytes.span(), 4000, step, static_cast<int64_t>(random() % 70)), expected);
    }
  }
}

TEST(RleBits, OtherBitsStay) {
  std::vector<uint8_t> bits(4, 0xFF);
  const Bytes runs = {8 << 1, 0};
  RleBitsDecoder decoder;
  decoder.start(runs, 8);
  EXPECT_EQ(decoder.decode(8, bits.data(), 11), 0);
  EXPECT_EQ(bits, (std::vector<uint8_t>{0xFF, 0b00000111, 0b11111000, 0xFF}));
}

TEST(RleBits, CountsAheadAndSkips) {
  std::mt19937 random(22);
  const std::vector<uint32_t> expected = random_bits(random, 3000);
  ExactBytes bytes(testing::hybrid(expected, 1));
  RleBitsDecoder decoder;
  decoder.start(bytes.span(), 3000);
  for (size_t at = 0; at < expected.size();) {
    const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(at);
    EXPECT_EQ(decoder.values_left(), expected.end() - begin);
    EXPECT_EQ(decoder.ones_left(), std::count(begin, expected.end(), 1u));
    const size_t n = std::min<size_t>(random() % 90, expected.size() - at);
    EXPECT_EQ(decoder.skip(static_cast<int64_t>(n)),
              std::count(begin, begin + static_cast<std::ptrdiff_t>(n), 1u));
    at += n;
  }
}

TEST(RleBits, RunsMayBeLongerThanNeeded) {
  RleBitsDecoder decoder;
  decoder.start(Bytes{0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0x01}, (int64_t{1} << 31) - 1);
  EXPECT_EQ(decoder.ones_left(), (int64_t{1} << 31) - 1);
  EXPECT_EQ(decode(Bytes{2 << 1 | 1, 0xFF, 0xFF}, 5, 5), std::vector<uint32_t>(5, 1));
  EXPECT_THROW(decoder.start(Bytes{2 << 1 | 1, 0xFF}, 5),
               Error);  // claims a byte that is not there
}

TEST(RleBits, RefusesTooFewValuesBeforeAnyIsRead) {
  RleBitsDecoder decoder;
  EXPECT_THROW(decoder.start({}, 1), Error);
  EXPECT_THROW(decoder.start(Bytes{4 << 1, 1}, 5), Error);
  EXPECT_THROW(decoder.start(Bytes{4 << 1}, 4), Error);
  EXPECT_THROW(decoder.start(Bytes{1 << 1 | 1}, 1), Error);
  EXPECT_THROW(decoder.start(Bytes{4 << 1, 2}, 4), Error);
  EXPECT_NO_THROW(decoder.start({}, 0));
}

TEST(RleBits, SurvivesDamage) {
  std::mt19937 random(23);
  const Bytes bytes = testing::hybrid(random_bits(random, 900), 1);
  testing::expect_survives_damage(
      bytes, [](std::span<const uint8_t> damaged) { return decode(damaged, 900, 100); });
}

}  // namespace
}  // namespace colonnade::parquet
