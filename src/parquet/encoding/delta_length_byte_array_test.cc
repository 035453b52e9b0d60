#include "parquet/encoding/delta_length_byte_array.h"

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "parquet/encoding/testing/decoder_trials.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::ExactBytes;

std::vector<std::string> decoded(std::span<const uint8_t> bytes, int64_t num_values,
                                 int64_t skipped = 0) {
  DeltaLengthByteArrayDecoder decoder;
  decoder.start(bytes, num_values, 0);
  decoder.skip(skipped);
  std::vector<ByteSlice> slices(static_cast<size_t>(num_values - skipped));
  decoder.decode(num_values - skipped, slices.data());
  std::vector<std::string> values;
  for (const ByteSlice slice : slices) {
    values.emplace_back(reinterpret_cast<const char*>(bytes.data()) + slice.offset, slice.length);
  }
  return values;
}

// What decode and skip say of a page of these lengths and so many bytes; the same, or this fails.
std::string refusal(const std::vector<int64_t>& lengths, size_t num_bytes) {
  const Bytes page =
      testing::concat({testing::delta_binary_packed(lengths), Bytes(num_bytes, 'x')});
  const auto num_values = static_cast<int64_t>(lengths.size());
  std::string messages[2];
  for (const bool skips : {false, true}) {
    try {
      ExactBytes exact(page);
      decoded(exact.span(), num_values, skips ? num_values : 0);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
      messages[skips] = error.what();
    }
  }
  EXPECT_EQ(messages[0], messages[1]);
  return messages[0];
}

TEST(DeltaLengthByteArray, ReadsTheSpecificationsExample) {
  // Encodings.md: Hello, World, Foobar, ABCDEF.
  const std::vector<std::string_view> values = {"Hello", "World", "Foobar", "ABCDEF"};
  ExactBytes bytes(
      testing::concat({Bytes{0x80, 0x01, 0x04, 0x04, 0x0A, 0x00, 1, 0, 0, 0, 2, 0, 0, 0},
                       testing::bytes_of("HelloWorldFoobarABCDEF")}));
  EXPECT_EQ(decoded(bytes.span(), 4), (std::vector<std::string>(values.begin(), values.end())));
}

TEST(DeltaLengthByteArray, InPiecesAndSkipped) {
  std::mt19937 random(7);
  std::vector<std::string> values;
  for (int i = 0; i < 700; ++i) values.emplace_back(random() % (i % 3 == 0 ? 1 : 90), 'a');
  for (size_t i = 0; i < values.size(); ++i) {
    for (char& c : values[i]) c = static_cast<char>(random());
  }
  ExactBytes bytes(testing::delta_length_byte_array({values.begin(), values.end()}));
  EXPECT_EQ(decoded(bytes.span(), 700), values);
  for (const int64_t skipped : {1, 255, 256, 257, 699, 700}) {
    EXPECT_EQ(decoded(bytes.span(), 700, skipped),
              std::vector<std::string>(values.begin() + skipped, values.end()));
  }
  DeltaLengthByteArrayDecoder decoder;
  decoder.start(bytes.span(), 700, 0);
  int64_t expected = 0;
  for (int i = 0; i < 300; ++i)
    expected += static_cast<int64_t>(values[static_cast<size_t>(i)].size());
  EXPECT_EQ(decoder.skip(300), expected);
}

TEST(DeltaLengthByteArray, NoValuesNeedNoBytes) {
  EXPECT_TRUE(decoded({}, 0).empty());
  EXPECT_THROW(decoded({}, 1), Error);
}

TEST(DeltaLengthByteArray, RefusesLengthsOutsideThePage) {
  EXPECT_EQ(refusal({3, 4}, 7), "");
  EXPECT_NE(refusal({3, 4}, 6).find("length 4 for bytes at"), std::string::npos);
  // Negative among positive ones, the sum right.
  EXPECT_NE(refusal({9, -5, 3}, 9).find("length -5"), std::string::npos);
  EXPECT_NE(refusal({-1, 8}, 7).find("length -1"), std::string::npos);
  // Sums of 2^31 and of 2^32 + 1.
  EXPECT_NE(refusal({0x7FFFFFFF, 1}, 10).find("length 2147483647"), std::string::npos);
  EXPECT_NE(refusal({0x7FFFFFFF, 0x7FFFFFFF, 3}, 1), "");
}

TEST(DeltaLengthByteArray, SurvivesDamage) {
  testing::expect_survives_damage(
      testing::delta_length_byte_array({"one", "", "three", "eleven and more", "five"}),
      [](std::span<const uint8_t> damaged) { return decoded(damaged, 5); });
}

}  // namespace
}  // namespace colonnade::parquet
