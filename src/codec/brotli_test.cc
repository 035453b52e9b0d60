#include <gtest/gtest.h>

#include <string>

#include "codec/testing/decompression.h"

namespace colonnade::codec {
namespace {

using testing::Bytes;

// By pyarrow 26.
const Bytes kText = {0x1B, 0x1C, 0x00, 0x00, 0x04, 0x26, 0x72, 0xA4, 0xB1, 0xB6, 0xFD,
                     0x5A, 0x0D, 0x32, 0x4F, 0x29, 0xA7, 0x42, 0x50, 0xE5, 0x0E};

std::string decompressed(const Bytes& in, size_t size) {
  return testing::decompressed(Codec::kBrotli, in, size);
}
std::string refusal(const Bytes& in, size_t size) {
  return testing::refusal(Codec::kBrotli, in, size);
}

TEST(Brotli, ReadsTheBytesOfAnotherWriter) {
  EXPECT_EQ(decompressed(kText, 29), "colonnade colonnade colonnade");
}

TEST(Brotli, RefusesWhatIsBroken) {
  Bytes cut = kText;
  cut.pop_back();
  Bytes longer = kText;
  longer.push_back(0);
  EXPECT_NE(refusal(cut, 29).find("cut off"), std::string::npos);
  EXPECT_NE(refusal(longer, 29).find("1 of 22 bytes behind the end"), std::string::npos);
  EXPECT_NE(refusal(kText, 28).find("more than the 28 bytes stated"), std::string::npos);
  EXPECT_NE(refusal(kText, 30).find("29 bytes held, 30 stated"), std::string::npos);
  EXPECT_NE(refusal({0x11, 0xFF}, 1).find("brotli bytes are broken"), std::string::npos);
}

}  // namespace
}  // namespace colonnade::codec
