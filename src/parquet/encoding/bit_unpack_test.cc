#include "parquet/encoding/bit_unpack.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;

TEST(BitUnpack, TakesTheLowestBitsFirst) {
  // 0, 1, 2, ..., 7 in 3 bits, as the specification's example packs them.
  Bytes bytes = {0b10001000, 0b11000110, 0b11111010};
  bytes.resize(4 * 3 + kUnpackOverread);
  std::vector<uint32_t> values(kUnpackBlock);
  unpack_function(3)(bytes.data(), values.data());
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(values[i], i);
  for (size_t i = 8; i < values.size(); ++i) EXPECT_EQ(values[i], 0u);
}

TEST(BitUnpack, EveryWidthEqualsBitByBit) {
  std::mt19937 random(7);
  for (int32_t bit_width = 0; bit_width <= 32; ++bit_width) {
    std::vector<uint32_t> expected(kUnpackBlock);
    for (int round = 0; round < 20; ++round) {
      for (uint32_t& value : expected) {
        value = bit_width == 0 ? 0 : static_cast<uint32_t>(random()) >> (32 - bit_width);
        if (round == 0) value = bit_width == 0 ? 0 : ~uint32_t{0} >> (32 - bit_width);
      }
      // Behind the run's header, of one byte here.
      Bytes bytes = testing::bit_packed_run(expected, bit_width);
      bytes.resize(bytes.size() + kUnpackOverread, 0xFF);
      std::vector<uint32_t> values(kUnpackBlock, 0xDEADBEEF);
      unpack_function(bit_width)(bytes.data() + 1, values.data());
      EXPECT_EQ(values, expected) << "bit width " << bit_width;
    }
  }
}

}  // namespace
}  // namespace colonnade::parquet
