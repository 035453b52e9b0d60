#include "parquet/encoding/delta_byte_array.h"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/fail.h"
#include "parquet/encoding/testing/decoder_trials.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::ExactBytes;

// The values, put together `piece` at a time.
std::vector<std::string> decoded(std::span<const uint8_t> bytes, int64_t num_values,
                                 int64_t piece = 1000) {
  DeltaByteArrayDecoder decoder;
  decoder.start(bytes, num_values, 0);
  std::vector<std::string> values;
  std::string last;
  for (int64_t done = 0; done < num_values; done += piece) {
    const int64_t n = std::min(piece, num_values - done);
    std::vector<DeltaByteArrayPiece> pieces(static_cast<size_t>(n));
    // A large sum is not allocated, damaged bytes may claim any.
    const int64_t total = decoder.decode(n, pieces.data());
    if (total > 1 << 20) fail(ErrorCode::kCorruptData, "too much for this test");
    std::string together(static_cast<size_t>(total), '?');
    decoder.build(pieces.data(), n, reinterpret_cast<const uint8_t*>(last.data()),
                  reinterpret_cast<uint8_t*>(together.data()));
    size_t offset = 0;
    for (const DeltaByteArrayPiece& made : pieces) {
      values.push_back(together.substr(offset, static_cast<size_t>(made.length())));
      offset += values.back().size();
    }
    last = values.back();
  }
  return values;
}

std::string refusal(const std::vector<int64_t>& prefix_lengths,
                    const std::vector<std::string_view>& suffixes) {
  try {
    ExactBytes bytes(testing::concat({testing::delta_binary_packed(prefix_lengths),
                                      testing::delta_length_byte_array(suffixes)}));
    decoded(bytes.span(), static_cast<int64_t>(prefix_lengths.size()));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
    return error.what();
  }
  return "";
}

TEST(DeltaByteArray, ReadsTheSpecificationsExample) {
  // Encodings.md: axis, axle, babble, babyhood are prefixes of 0, 2, 0, 3 and axis, le, babble,
  // yhood.
  ExactBytes bytes(
      testing::concat({testing::delta_binary_packed({0, 2, 0, 3}),
                       testing::delta_length_byte_array({"axis", "le", "babble", "yhood"})}));
  EXPECT_EQ(decoded(bytes.span(), 4),
            (std::vector<std::string>{"axis", "axle", "babble", "babyhood"}));
}

TEST(DeltaByteArray, InPiecesOfAnySize) {
  std::mt19937 random(7);
  std::vector<std::string> values;
  for (int i = 0; i < 600; ++i) {
    std::string value = values.empty() ? "" : values.back().substr(0, random() % 20);
    for (size_t n = random() % 15; n > 0; --n)
      value.push_back(static_cast<char>('a' + random() % 3));
    values.push_back(random() % 10 == 0 ? "" : value);
  }
  ExactBytes bytes(testing::delta_byte_array({values.begin(), values.end()}));
  for (const int64_t piece : {1, 7, 255, 256, 257, 600}) {
    EXPECT_EQ(decoded(bytes.span(), 600, piece), values) << piece;
  }
}

TEST(DeltaByteArray, NoValuesNeedNoBytes) {
  EXPECT_TRUE(decoded({}, 0).empty());
  EXPECT_THROW(decoded({}, 1), Error);
}

TEST(DeltaByteArray, RefusesImpossiblePrefixes) {
  EXPECT_EQ(refusal({0, 3, 3}, {"abc", "", "d"}), "");
  EXPECT_NE(refusal({1}, {"abc"}).find("1 of 0 bytes"), std::string::npos);
  EXPECT_NE(refusal({0, 4}, {"abc", "d"}).find("4 of 3 bytes"), std::string::npos);
  EXPECT_NE(refusal({0, -1}, {"abc", "d"}).find("-1 of 3 bytes"), std::string::npos);
  EXPECT_NE(refusal({0, 3, 3}, {"abc", ""}), "");  // fewer suffixes than prefixes
}

TEST(DeltaByteArray, SurvivesDamage) {
  testing::expect_survives_damage(
      testing::delta_byte_array({"one", "only", "", "three", "threefold", "three"}),
      [](std::span<const uint8_t> damaged) { return decoded(damaged, 6, 2); });
}

}  // namespace
}  // namespace colonnade::parquet
