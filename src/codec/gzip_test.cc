#include <gtest/gtest.h>

#include <string>

#include "codec/testing/decompression.h"

namespace colonnade::codec {
namespace {

using testing::Bytes;
using testing::joined;

// By Python's gzip: "colonnade colonnade colonnade", "colonnade " and nothing.
const Bytes kText = {0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4B,
                     0xCE, 0xCF, 0xC9, 0xCF, 0xCB, 0x4B, 0x4C, 0x49, 0x55, 0x48, 0xC6,
                     0x64, 0x01, 0x00, 0xFE, 0x98, 0xDE, 0x00, 0x1D, 0x00, 0x00, 0x00};
const Bytes kWord = {0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
                     0x4B, 0xCE, 0xCF, 0xC9, 0xCF, 0xCB, 0x4B, 0x4C, 0x49, 0x55,
                     0x00, 0x00, 0x3E, 0xFB, 0x66, 0x5B, 0x0A, 0x00, 0x00, 0x00};
const Bytes kNothing = {0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
                        0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};

std::string decompressed(const Bytes& in, size_t size) {
  return testing::decompressed(Codec::kGzip, in, size);
}
std::string refusal(const Bytes& in, size_t size) {
  return testing::refusal(Codec::kGzip, in, size);
}

TEST(Gzip, ReadsTheBytesOfAnotherWriter) {
  EXPECT_EQ(decompressed(kText, 29), "colonnade colonnade colonnade");
}

TEST(Gzip, ReadsMembersBehindOneAnother) {
  EXPECT_EQ(decompressed(joined({kWord, kNothing, kText, kNothing}), 39),
            "colonnade colonnade colonnade colonnade");
}

TEST(Gzip, RefusesWhatIsBroken) {
  Bytes wrong_checksum = kWord;
  wrong_checksum[22] ^= 1;
  Bytes wrong_size = kWord;
  wrong_size[26] ^= 1;
  EXPECT_NE(refusal(wrong_checksum, 10).find("gzip bytes are broken"), std::string::npos);
  EXPECT_NE(refusal(wrong_size, 10).find("gzip bytes are broken"), std::string::npos);
  EXPECT_NE(refusal({}, 0).find("gzip bytes are broken"), std::string::npos);
  EXPECT_NE(refusal(joined({kWord, {0}}), 10).find("member at byte 30 of 31"), std::string::npos);
  EXPECT_NE(refusal(joined({kWord, kText}), 38).find("more than the 38 bytes stated"),
            std::string::npos);
  EXPECT_NE(refusal(joined({kWord, kText}), 40).find("39 bytes held, 40 stated"),
            std::string::npos);
}

}  // namespace
}  // namespace colonnade::codec
