#include "parquet/encoding/rle_bit_packed.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "parquet/encoding/testing/decoder_trials.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::concat;
using testing::ExactBytes;

template <typename T = uint32_t>
std::vector<uint32_t> decode(std::span<const uint8_t> bytes, int32_t bit_width, int64_t n,
                             int64_t step) {
  RleBitPackedDecoder decoder;
  decoder.start(bytes, bit_width, n);
  std::vector<T> values(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; i += step) {
    decoder.decode(std::min(step, n - i), values.data() + i);
  }
  return {values.begin(), values.end()};
}

// Runs and loose values of all lengths.
std::vector<uint32_t> random_values(std::mt19937& random, int32_t bit_width, size_t n) {
  std::vector<uint32_t> values;
  while (values.size() < n) {
    const auto value = [&] {
      return bit_width == 0 ? 0 : static_cast<uint32_t>(random()) >> (32 - bit_width);
    };
    const size_t count = 1 + random() % 100;
    if (random() % 2 == 0) {
      values.insert(values.end(), count, value());
    } else {
      for (size_t i = 0; i < count; ++i) values.push_back(value());
    }
  }
  values.resize(n);
  return values;
}

TEST(RleBitPacked, ReadsTheSpecificationsRuns) {
  // 100 times 4 in 3 bits, then 0 to 7 bit-packed.
  const Bytes bytes = {0xC8, 0x01, 0x04, 0x03, 0b10001000, 0b11000110, 0b11111010};
  std::vector<uint32_t> expected(100, 4);
  for (uint32_t i = 0; i < 8; ++i) expected.push_back(i);
  EXPECT_EQ(decode(bytes, 3, 108, 108), expected);
}

TEST(RleBitPacked, ValuesOfRunsTakeAsManyBytesAsTheyNeed) {
  EXPECT_EQ(decode(Bytes{0x04, 0x01, 0x02}, 10, 2, 2), (std::vector<uint32_t>{513, 513}));
  EXPECT_EQ(decode(Bytes{0x02, 0xFF, 0xFF, 0x7F}, 23, 1, 1), (std::vector<uint32_t>{0x7FFFFF}));
  EXPECT_EQ(decode(Bytes{0x02, 0xFF, 0xFF, 0xFF, 0xFF}, 32, 1, 1),
            (std::vector<uint32_t>{0xFFFFFFFF}));
}

TEST(RleBitPacked, EveryWidthInEveryStepEqualsWhatWasWritten) {
  std::mt19937 random(11);
  for (int32_t bit_width = 0; bit_width <= 32; ++bit_width) {
    const std::vector<uint32_t> expected = random_values(random, bit_width, 3000);
    ExactBytes bytes(testing::hybrid(expected, bit_width));
    for (const int64_t step : {1, 3, 7, 8, 31, 32, 33, 100, 3000}) {
      EXPECT_EQ(decode(bytes.span(), bit_width, 3000, step), expected)
          << "bit width " << bit_width << ", step " << step;
      if (bit_width > 8) continue;  // as levels are read
      EXPECT_EQ(decode<uint8_t>(bytes.span(), bit_width, 3000, step), expected)
          << "to bytes: bit width " << bit_width << ", step " << step;
    }
  }
}

TEST(RleBitPacked, SkipsTakesAndCopiesKeepThePlace) {
  std::mt19937 random(12);
  for (const int32_t bit_width : {0, 1, 2, 5, 8, 13, 17, 24, 31, 32}) {
    const std::vector<uint32_t> expected = random_values(random, bit_width, 5000);
    ExactBytes bytes(testing::hybrid(expected, bit_width));
    RleBitPackedDecoder decoder;
    decoder.start(bytes.span(), bit_width, 5000);
    for (size_t at = 0; at < expected.size();) {
      const size_t n = std::min<size_t>(random() % 70, expected.size() - at);
      switch (random() % 4) {
        case 0:
          decoder.skip(static_cast<int64_t>(n));
          at += n;
          break;
        case 1: {
          RleBitPackedDecoder ahead = decoder;
          ahead.skip(static_cast<int64_t>(n));
          break;
        }
        case 2: {
          uint32_t value = 0;
          const int64_t repeated = decoder.take_repeated(static_cast<int64_t>(n) + 1, &value);
          ASSERT_LE(repeated, static_cast<int64_t>(n) + 1);
          for (int64_t i = 0; i < repeated; ++i) {
            if (at < expected.size()) {
              ASSERT_EQ(value, expected[at++]);
            }
          }
          break;
        }
        default: {
          std::vector<uint32_t> values(n);
          decoder.decode(static_cast<int64_t>(n), values.data());
          for (const uint32_t value : values) ASSERT_EQ(value, expected[at++]);
        }
      }
    }
  }
}

// polars#13883, GH-47981: 60 values of 2 bits in one bit-packed run of 8 groups, but 15 bytes of
// the 16.
TEST(RleBitPacked, LastRunMayBeCutShort) {
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < 60; ++i) expected.push_back(i % 3 + 1);
  Bytes bytes = testing::bit_packed_run(expected, 2);
  ASSERT_EQ(bytes.size(), 17u);
  bytes.pop_back();
  ExactBytes cut(bytes);
  for (const int64_t step : {1, 7, 60}) EXPECT_EQ(decode(cut.span(), 2, 60, step), expected);
  EXPECT_THROW(decode(cut.span(), 2, 61, 61), Error);
}

// GH-43605: a dictionary of one entry has a bit width of 0; some writers leave the runs out.
TEST(RleBitPacked, WidthOfZeroNeedsNoBytes) {
  EXPECT_EQ(decode({}, 0, 44, 44), std::vector<uint32_t>(44, 0));
  EXPECT_EQ(decode(Bytes{44 << 1}, 0, 44, 44), std::vector<uint32_t>(44, 0));
  RleBitPackedDecoder decoder;
  decoder.start({}, 0, 1000);
  uint32_t value = 7;
  EXPECT_EQ(decoder.take_repeated(1000000, &value), 1000000);
  EXPECT_EQ(value, 0u);
}

TEST(RleBitPacked, RunsMayBeLongerThanNeeded) {
  // 2^31 - 1 values in 6 bytes.
  const Bytes repeated = {0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0x05};
  RleBitPackedDecoder decoder;
  decoder.start(repeated, 3, 1000);
  decoder.skip((int64_t{1} << 31) - 3);
  uint32_t values[2];
  decoder.decode(2, values);
  EXPECT_EQ(values[1], 5u);
  EXPECT_THROW(decoder.skip(1), Error);
}

TEST(RleBitPacked, TheLastRunMayBeCutBehindItsValuesOnly) {
  Bytes packed = {2 << 1 | 1, 0b10001000, 0b11000110, 0b11111010, 0b10001000};
  EXPECT_EQ(decode(packed, 3, 10, 10), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 0, 1}));
  packed[0] = 3 << 1 | 1;  // 24 values where 10 are wanted and 10 are there
  EXPECT_THROW(decode(packed, 3, 10, 10), Error);
}

TEST(RleBitPacked, EmptyRunsAreSteppedOver) {
  EXPECT_EQ(decode(Bytes{0x00, 0x01, 0x01, 0x00, 0x02, 0x04, 0x03}, 3, 2, 2),
            (std::vector<uint32_t>{3, 3}));
}

TEST(RleBitPacked, RefusesWhatNoWriterWrites) {
  RleBitPackedDecoder decoder;
  EXPECT_THROW(decoder.start({}, 33, 1), Error);
  EXPECT_THROW(decoder.start({}, -1, 1), Error);
  EXPECT_THROW(decode({}, 1, 1, 1), Error);
  EXPECT_THROW(decode(Bytes{0x02, 0x08}, 3, 1, 1), Error);  // 8 in 3 bits
  EXPECT_THROW(decode(Bytes{0x80, 0x80, 0x80, 0x80, 0x80, 0x01}, 3, 1, 1), Error);
}

TEST(RleBitPacked, SurvivesDamage) {
  std::mt19937 random(13);
  for (const int32_t bit_width : {1, 3, 8, 11, 20, 32}) {
    const Bytes bytes = testing::hybrid(random_values(random, bit_width, 300), bit_width);
    testing::expect_survives_damage(bytes, [&](std::span<const uint8_t> damaged) {
      return decode(damaged, bit_width, 300, 50);
    });
  }
}

}  // namespace
}  // namespace colonnade::parquet
