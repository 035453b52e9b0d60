#include "parquet/encoding/plain_fixed.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "parquet/encoding/testing/decoder_trials.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::ExactBytes;

TEST(PlainFixed, GivesTheBytesAsTheyAre) {
  ExactBytes bytes(testing::plain_int32({1, -2, 3, 4}));
  PlainFixedDecoder decoder;
  decoder.start(bytes.span(), 4, 4);
  int32_t values[2];
  decoder.decode(2, reinterpret_cast<uint8_t*>(values));
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[1], -2);
  decoder.skip(1);
  EXPECT_EQ(decoder.take(1), bytes.span().data() + 12);
}

TEST(PlainFixed, EveryWidth) {
  std::mt19937 random(31);
  for (int32_t width = 0; width <= 40; ++width) {
    Bytes written(static_cast<size_t>(width) * 50);
    for (uint8_t& byte : written) byte = static_cast<uint8_t>(random());
    ExactBytes bytes(written);
    PlainFixedDecoder decoder;
    decoder.start(bytes.span(), 50, width);
    Bytes read(written.size());
    decoder.decode(20, read.data());
    decoder.decode(30, read.data() + 20 * width);
    EXPECT_EQ(read, written);
  }
}

TEST(PlainFixed, RefusesShortPagesAndIgnoresLongOnes) {
  const Bytes bytes(16);
  PlainFixedDecoder decoder;
  EXPECT_THROW(decoder.start(bytes, 5, 4), Error);
  EXPECT_THROW(decoder.start(bytes, int64_t{1} << 62, 8), Error);  // 2^65 bytes
  EXPECT_NO_THROW(decoder.start(bytes, 3, 4));
  EXPECT_NO_THROW(decoder.start(bytes, 1000, 0));
}

TEST(PlainFixed, SurvivesDamage) {
  testing::expect_survives_damage(testing::plain_int64({1, 2, 3, 4, 5}),
                                  [](std::span<const uint8_t> damaged) {
                                    PlainFixedDecoder decoder;
                                    decoder.start(damaged, 5, 8);
                                    std::vector<uint8_t> values(40);
                                    decoder.decode(5, values.data());
                                    return values;
                                  });
}

}  // namespace
}  // namespace colonnade::parquet
