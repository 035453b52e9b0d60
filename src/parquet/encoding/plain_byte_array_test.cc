#include "parquet/encoding/plain_byte_array.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <colonnade/error.h>

#include "parquet/encoding/testing/decoder_trials.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::ExactBytes;

std::vector<std::string> decode(std::span<const uint8_t> bytes, int64_t n, int64_t step) {
  PlainByteArrayDecoder decoder;
  decoder.start(bytes, n);
  std::vector<std::string> values;
  for (int64_t i = 0; i < n; i += step) {
    std::vector<ByteSlice> slices(static_cast<size_t>(std::min(step, n - i)));
    int64_t sum = decoder.decode(static_cast<int64_t>(slices.size()), slices.data());
    for (const ByteSlice& slice : slices) {
      const auto* text = reinterpret_cast<const char*>(bytes.data()) + slice.offset;
      values.emplace_back(text, slice.length);
      sum -= slice.length;
    }
    EXPECT_EQ(sum, 0);
  }
  EXPECT_EQ(decoder.values_left(), 0);
  return values;
}

TEST(PlainByteArray, LengthThenBytes) {
  const Bytes bytes = {2, 0, 0, 0, 'a', 'b', 0, 0, 0, 0, 1, 0, 0, 0, 'c'};
  EXPECT_EQ(decode(bytes, 3, 3), (std::vector<std::string>{"ab", "", "c"}));
}

TEST(PlainByteArray, EveryStepEqualsWhatWasWritten) {
  std::mt19937 random(51);
  std::vector<std::string> expected;
  for (int i = 0; i < 500; ++i) {
    std::string& value = expected.emplace_back();
    for (size_t left = random() % 40; left > 0; --left) value += static_cast<char>(random());
  }
  ExactBytes bytes(testing::plain_byte_array({expected.begin(), expected.end()}));
  for (const int64_t step : {1, 7, 64, 500}) EXPECT_EQ(decode(bytes.span(), 500, step), expected);

  PlainByteArrayDecoder decoder;
  decoder.start(bytes.span(), 500);
  int64_t skipped = 0;
  for (size_t i = 0; i < 300; ++i) skipped += static_cast<int64_t>(expected[i].size());
  EXPECT_EQ(decoder.skip(300), skipped);
  ByteSlice slice;
  decoder.decode(1, &slice);
  EXPECT_EQ(slice.length, expected[300].size());
}

void expect_corrupt(const Bytes& bytes, int64_t n) {
  try {
    decode(bytes, n, n);
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
  }
}

TEST(PlainByteArray, RefusesLengthsOutsideThePage) {
  expect_corrupt({3, 0, 0, 0, 'a', 'b'}, 1);
  expect_corrupt({0xFF, 0xFF, 0xFF, 0xFF, 'a', 'b'}, 1);  // -1
  expect_corrupt({0, 0, 0, 0x80, 'a', 'b'}, 1);           // -2^31
  expect_corrupt({0xFF, 0xFF, 0xFF, 0x7F, 'a', 'b'}, 1);  // 2^31 - 1
  expect_corrupt({2, 0, 0, 0, 'a', 'b'}, 2);              // no room for two lengths
  expect_corrupt({6, 0, 0, 0, 'a', 'b', 'c', 'd', 'e', 'f'}, 2);
  expect_corrupt({}, 1);
}

TEST(PlainByteArray, SkipChecksLikeDecode) {
  const Bytes bytes = {3, 0, 0, 0, 'a', 'b'};
  PlainByteArrayDecoder decoder;
  decoder.start(bytes, 1);
  EXPECT_THROW(decoder.skip(1), Error);
}

TEST(PlainByteArray, SurvivesDamage) {
  testing::expect_survives_damage(
      testing::plain_byte_array({"one", "", "three", "a longer value than the others"}),
      [](std::span<const uint8_t> damaged) { return decode(damaged, 4, 3); });
}

}  // namespace
}  // namespace colonnade::parquet
