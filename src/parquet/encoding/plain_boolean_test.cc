#include "parquet/encoding/plain_boolean.h"

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

std::vector<bool> decode(std::span<const uint8_t> bytes, int64_t n, int64_t step) {
  PlainBooleanDecoder decoder;
  decoder.start(bytes, n);
  std::vector<uint8_t> bits(static_cast<size_t>(bits::bytes_for(n)));
  for (int64_t i = 0; i < n; i += step) decoder.decode(std::min(step, n - i), bits.data(), i);
  std::vector<bool> values;
  for (int64_t i = 0; i < n; ++i) values.push_back(bits::get(bits.data(), i));
  return values;
}

TEST(PlainBoolean, LowestBitFirst) {
  EXPECT_EQ(decode(Bytes{0b01001101, 0b10}, 10, 10),
            (std::vector<bool>{true, false, true, true, false, false, true, false, false, true}));
}

TEST(PlainBoolean, EveryStepEqualsWhatWasWritten) {
  std::mt19937 random(41);
  std::vector<bool> expected;
  for (int i = 0; i < 1001; ++i) expected.push_back(random() % 2 == 0);
  ExactBytes bytes(testing::plain_boolean(expected));
  for (const int64_t step : {1, 7, 8, 65, 1001}) {
    EXPECT_EQ(decode(bytes.span(), 1001, step), expected);
  }
  PlainBooleanDecoder decoder;
  decoder.start(bytes.span(), 1001);
  decoder.skip(1000);
  uint8_t last = 0xF0;
  decoder.decode(1, &last, 0);
  EXPECT_EQ(last, 0xF0 | expected[1000]);
}

TEST(PlainBoolean, RefusesShortPages) {
  PlainBooleanDecoder decoder;
  EXPECT_THROW(decoder.start(Bytes{0xFF}, 9), Error);
  EXPECT_THROW(decoder.start({}, 1), Error);
  EXPECT_NO_THROW(decoder.start({}, 0));
}

TEST(PlainBoolean, SurvivesDamage) {
  testing::expect_survives_damage(
      Bytes{1, 2, 3, 4}, [](std::span<const uint8_t> damaged) { return decode(damaged, 27, 5); });
}

}  // namespace
}  // namespace colonnade::parquet
