#include "parquet/encoding/byte_stream_split.h"

#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "parquet/encoding/testing/decoder_trials.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::ExactBytes;

TEST(ByteStreamSplit, ReadsTheSpecificationsExample) {
  // Encodings.md: three floats, AA BB CC DD, 00 11 22 33 and A3 B4 C5 D6.
  ExactBytes bytes(Bytes{0xAA, 0x00, 0xA3, 0xBB, 0x11, 0xB4, 0xCC, 0x22, 0xC5, 0xDD, 0x33, 0xD6});
  ByteStreamSplitDecoder decoder;
  decoder.start(bytes.span(), 3, 4);
  Bytes values(12);
  decoder.decode(3, values.data());
  EXPECT_EQ(values,
            (Bytes{0xAA, 0xBB, 0xCC, 0xDD, 0x00, 0x11, 0x22, 0x33, 0xA3, 0xB4, 0xC5, 0xD6}));
}

TEST(ByteStreamSplit, EveryWidthInPiecesAndSkipped) {
  std::mt19937 random(31);
  constexpr int64_t kValues = 50;
  for (int32_t width = 0; width <= 40; ++width) {
    Bytes written(static_cast<size_t>(width * kValues));
    for (uint8_t& byte : written) byte = static_cast<uint8_t>(random());
    ExactBytes bytes(testing::byte_stream_split(written, width));
    ByteStreamSplitDecoder whole;
    whole.start(bytes.span(), kValues, width);
    Bytes read(written.size());
    whole.decode(20, read.data());
    whole.decode(0, nullptr);
    whole.decode(30, read.data() + 20 * width);
    EXPECT_EQ(read, written);

    for (const int64_t skipped : {0, 1, 7, 49, 50}) {
      ByteStreamSplitDecoder decoder;
      decoder.start(bytes.span(), kValues, width);
      decoder.skip(skipped);
      Bytes rest(static_cast<size_t>(width * (kValues - skipped)));
      decoder.decode(kValues - skipped, rest.data());
      EXPECT_EQ(rest, Bytes(written.begin() + width * skipped, written.end()));
    }
  }
}

TEST(ByteStreamSplit, RefusesPagesOfAnotherSize) {
  const Bytes bytes(16);
  ByteStreamSplitDecoder decoder;
  EXPECT_NO_THROW(decoder.start(bytes, 4, 4));
  EXPECT_NO_THROW(decoder.start({}, 0, 4));
  EXPECT_NO_THROW(decoder.start({}, 1000, 0));
  EXPECT_THROW(decoder.start(bytes, 1, 0), Error);
  EXPECT_THROW(decoder.start(bytes, 3, 4), Error);
  EXPECT_THROW(decoder.start(bytes, 5, 4), Error);
  EXPECT_THROW(decoder.start(bytes, 5, 3), Error);
  EXPECT_THROW(decoder.start(bytes, int64_t{1} << 62, 8), Error);
  EXPECT_THROW(decoder.start(bytes, 1, std::numeric_limits<int32_t>::max()), Error);
}

TEST(ByteStreamSplit, SurvivesDamage) {
  testing::expect_survives_damage(testing::byte_stream_split(testing::plain_int64({1, -2, 3}), 8),
                                  [](std::span<const uint8_t> damaged) {
                                    ByteStreamSplitDecoder decoder;
                                    decoder.start(damaged, 3, 8);
                                    std::vector<uint8_t> values(24);
                                    decoder.decode(3, values.data());
                                    return values;
                                  });
}

}  // namespace
}  // namespace colonnade::parquet
