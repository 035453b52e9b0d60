#include <gtest/gtest.h>

#include <string>

#include "codec/testing/decompression.h"

namespace colonnade::codec {
namespace {

using testing::Bytes;
using testing::decompressed;
using testing::joined;
using testing::refusal;

// Blocks by pyarrow 26: "colonnade colonnade colonnade" and "colonnade".
const Bytes kText = {0xAA, 0x63, 0x6F, 0x6C, 0x6F, 0x6E, 0x6E, 0x61, 0x64, 0x65,
                     0x20, 0x0A, 0x00, 0x50, 0x6E, 0x6E, 0x61, 0x64, 0x65};
const Bytes kWord = {0x90, 0x63, 0x6F, 0x6C, 0x6F, 0x6E, 0x6E, 0x61, 0x64, 0x65};

Bytes word(size_t value) {
  return {static_cast<uint8_t>(value >> 24), static_cast<uint8_t>(value >> 16),
          static_cast<uint8_t>(value >> 8), static_cast<uint8_t>(value)};
}

TEST(Lz4, ABlockAloneIsReadAsEither) {
  for (const Codec codec : {Codec::kLz4Raw, Codec::kLz4Hadoop}) {
    EXPECT_EQ(decompressed(codec, kText, 29), "colonnade colonnade colonnade");
  }
}

TEST(Lz4, HadoopFramesHoldBlocksUntilTheirSizeCameOut) {
  const Bytes two_blocks = joined({word(38), word(kText.size()), kText, word(kWord.size()), kWord});
  EXPECT_EQ(decompressed(Codec::kLz4Hadoop, two_blocks, 38),
            "colonnade colonnade colonnadecolonnade");
  const Bytes frames = joined({two_blocks, word(0), word(9), word(kWord.size()), kWord});
  EXPECT_EQ(decompressed(Codec::kLz4Hadoop, frames, 47),
            "colonnade colonnade colonnadecolonnadecolonnade");
}

TEST(Lz4, RefusesWhatIsBroken) {
  const Bytes frame = joined({word(9), word(kWord.size()), kWord});
  EXPECT_EQ(decompressed(Codec::kLz4Hadoop, frame, 9), "colonnade");
  EXPECT_NE(refusal(Codec::kLz4Raw, frame, 9), "");
  const struct {
    const char* what;
    Bytes in;
    size_t size;
  } cases[] = {
      {"nothing", {}, 0},
      {"a frame of more than stated", frame, 8},
      {"a frame of less than stated", frame, 10},
      {"a frame without blocks", word(9), 9},
      {"a block longer than the bytes", joined({word(9), word(11), kWord}), 9},
      {"blocks that stop early", joined({word(18), word(kWord.size()), kWord}), 18},
      {"a block that holds more than its frame",
       joined({word(8), word(kWord.size()), kWord, word(1)}), 9},
      {"bytes behind the last frame", joined({frame, {0}}), 9},
      {"a size of 2^32 - 1", joined({word(0xFFFFFFFF), word(kWord.size()), kWord}), 9},
  };
  for (const auto& broken : cases) {
    SCOPED_TRACE(broken.what);
    EXPECT_NE(refusal(Codec::kLz4Hadoop, broken.in, broken.size), "");
  }
  for (const size_t size : {28, 30}) {
    EXPECT_NE(refusal(Codec::kLz4Raw, kText, size).find("or hold another size than stated"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace colonnade::codec
