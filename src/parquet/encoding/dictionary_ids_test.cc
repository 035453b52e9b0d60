#include "parquet/encoding/dictionary_ids.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "parquet/encoding/testing/decoder_trials.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::ExactBytes;

std::vector<uint32_t> decode(std::span<const uint8_t> bytes, int64_t n, int64_t dictionary_size,
                             int64_t step) {
  DictionaryIdDecoder decoder;
  decoder.start(bytes, n, dictionary_size);
  std::vector<uint32_t> ids(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; i += step) decoder.decode(std::min(step, n - i), ids.data() + i);
  return ids;
}

TEST(DictionaryIds, BitWidthThenRuns) {
  EXPECT_EQ(decode(Bytes{2, 3 << 1, 1, 1 << 1 | 1, 0b11100100, 0b00011011}, 11, 4, 11),
            (std::vector<uint32_t>{1, 1, 1, 0, 1, 2, 3, 3, 2, 1, 0}));
}

TEST(DictionaryIds, EveryWidthEqualsWhatWasWritten) {
  std::mt19937 random(61);
  for (int bit_width = 0; bit_width <= 32; ++bit_width) {
    std::vector<uint32_t> expected;
    for (int i = 0; i < 1000; ++i) {
      const uint32_t id = bit_width == 0 ? 0 : static_cast<uint32_t>(random()) >> (32 - bit_width);
      expected.insert(expected.end(), i % 10 == 0 ? 30 : 1, id);
    }
    const int64_t n = static_cast<int64_t>(expected.size());
    ExactBytes bytes(testing::dictionary_ids(expected, bit_width));
    for (const int64_t step : {1, 7, 512}) {
      EXPECT_EQ(decode(bytes.span(), n, int64_t{1} << bit_width, step), expected);
    }
  }
}

TEST(DictionaryIds, RefusesIdsOutsideTheDictionary) {
  const Bytes packed = testing::dictionary_ids({0, 1, 2, 5, 4, 3}, 3);
  EXPECT_THROW(decode(packed, 6, 5, 6), Error);
  EXPECT_NO_THROW(decode(packed, 6, 6, 6));
  EXPECT_NO_THROW(decode(packed, 3, 5, 3));
  const Bytes repeated = testing::dictionary_ids(std::vector<uint32_t>(20, 5), 3);
  EXPECT_THROW(decode(repeated, 20, 5, 20), Error);
  DictionaryIdDecoder decoder;
  decoder.start(repeated, 20, 5);
  uint32_t id;
  EXPECT_THROW(decoder.take_repeated(1, &id), Error);
}

// parquet-java#1419, pgcolumnar#676: a page of nulls has no ids, perhaps not even a bit width.
TEST(DictionaryIds, NoValuesNeedNoBytesAndNoDictionary) {
  EXPECT_TRUE(decode({}, 0, 0, 1).empty());
  EXPECT_TRUE(decode(Bytes{0}, 0, 0, 1).empty());
  EXPECT_THROW(decode({}, 1, 5, 1), Error);
  EXPECT_THROW(decode(Bytes{0, 1 << 1}, 1, 0, 1), Error);  // id 0 of an empty dictionary
}

TEST(DictionaryIds, RefusesWidthsAbove32) {
  EXPECT_THROW(decode(Bytes{33, 1 << 1, 0, 0, 0, 0, 0}, 1, 5, 1), Error);
}

TEST(DictionaryIds, SurvivesDamage) {
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < 200; ++i) ids.push_back(i % 37);
  ids.insert(ids.end(), 50, 36);
  testing::expect_survives_damage(
      testing::dictionary_ids(ids, 6),
      [](std::span<const uint8_t> damaged) { return decode(damaged, 250, 37, 64); });
}

}  // namespace
}  // namespace colonnade::parquet
