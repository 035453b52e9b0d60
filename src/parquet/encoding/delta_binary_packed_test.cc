#include "parquet/encoding/delta_binary_packed.h"

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parquet/encoding/testing/decoder_trials.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::ExactBytes;

std::vector<int64_t> decoded(std::span<const uint8_t> bytes, int64_t num_values) {
  DeltaBinaryPackedDecoder decoder;
  decoder.start(bytes, num_values, 0);
  std::vector<uint64_t> values(static_cast<size_t>(num_values));
  decoder.decode(num_values, values.data());
  return {values.begin(), values.end()};
}

std::string refusal(const Bytes& bytes, int64_t num_values) {
  try {
    ExactBytes exact(bytes);
    decoded(exact.span(), num_values);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
    return error.what();
  }
  return "";
}

// Numbers whose differences need `bits` bits.
std::vector<int64_t> random_numbers(int bits, size_t n) {
  std::mt19937_64 random(static_cast<uint64_t>(bits));
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < n; ++i) {
    const uint64_t number = bits == 0 ? 0 : random() >> (64 - bits);
    numbers.push_back(static_cast<int64_t>(number));
  }
  return numbers;
}

TEST(DeltaBinaryPacked, ReadsTheSpecificationsExamples) {
  // Encodings.md: 1 to 5 have deltas of 1 alone; 7, 5, 3, 1, 2, 3, 4, 5 have -2 to 1, packed in two
  // bits.
  ExactBytes rising(Bytes{0x80, 0x01, 0x04, 0x05, 0x02, 0x02, 0, 0, 0, 0});
  EXPECT_EQ(decoded(rising.span(), 5), (std::vector<int64_t>{1, 2, 3, 4, 5}));
  ExactBytes falling(
      Bytes{0x80, 0x01, 0x04, 0x08, 0x0E, 0x03, 2, 0, 0, 0, 0xC0, 0x3F, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(decoded(falling.span(), 8), (std::vector<int64_t>{7, 5, 3, 1, 2, 3, 4, 5}));
}

TEST(DeltaBinaryPacked, EveryBitWidthInPiecesAndSkipped) {
  for (int bits = 0; bits <= 64; ++bits) {
    const std::vector<int64_t> numbers = random_numbers(bits, 300);
    ExactBytes bytes(testing::delta_binary_packed(numbers));
    EXPECT_EQ(decoded(bytes.span(), 300), numbers) << bits;
    for (const int64_t skipped : {0, 1, 2, 31, 32, 33, 128, 129, 299, 300}) {
      DeltaBinaryPackedDecoder decoder;
      decoder.start(bytes.span(), 300, 0);
      EXPECT_EQ(decoder.encoded_bytes(), static_cast<int64_t>(bytes.span().size()));
      decoder.skip(skipped);
      const DeltaBinaryPackedDecoder before = decoder;
      for (DeltaBinaryPackedDecoder again : {before, before}) {
        std::vector<uint64_t> rest(static_cast<size_t>(300 - skipped));
        for (size_t i = 0; i < rest.size(); i += 7) {
          again.decode(static_cast<int64_t>(std::min<size_t>(7, rest.size() - i)), rest.data() + i);
        }
        EXPECT_TRUE(std::equal(rest.begin(), rest.end(), numbers.begin() + skipped));
      }
    }
  }
}

TEST(DeltaBinaryPacked, DifferencesWrapAround) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const std::vector<int64_t> extremes = {kMost, kLeast, 0, kMost, -1, kLeast, kMost};
  ExactBytes bytes(testing::delta_binary_packed(extremes));
  EXPECT_EQ(decoded(bytes.span(), 7), extremes);

  const std::vector<int64_t> narrow = {2147483647, -2147483648, 0, -1, 2147483647};
  ExactBytes narrow_bytes(testing::delta_binary_packed(narrow, 32));
  DeltaBinaryPackedDecoder decoder;
  decoder.start(narrow_bytes.span(), 5, 0);
  uint32_t values[5];
  decoder.decode(5, values);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(static_cast<int32_t>(values[i]), narrow[i]);
}

TEST(DeltaBinaryPacked, WidthsOfMiniblocksWithoutValuesMayBeAnything) {
  // 65 values: two miniblocks of 32 differences of 0, two without values and without bytes.
  Bytes bytes = {0x80, 0x01, 0x04, 0x41, 0x00, 0x00, 32, 32, 165, 165};
  bytes.resize(bytes.size() + 2 * 32 * 4);
  ExactBytes exact(bytes);
  EXPECT_EQ(decoded(exact.span(), 65), std::vector<int64_t>(65, 0));
}

TEST(DeltaBinaryPacked, OneValueNeedsNoBlockAndNoneNoBytes) {
  ExactBytes one(Bytes{0x80, 0x01, 0x04, 0x01, 0x05});
  EXPECT_EQ(decoded(one.span(), 1), (std::vector<int64_t>{-3}));
  EXPECT_EQ(decoded({}, 0), (std::vector<int64_t>{}));
  EXPECT_NE(refusal({}, 1), "");
}

TEST(DeltaBinaryPacked, AnyShapeOfBlocksThatIsLegal) {
  // One block of 2^31 values without bits holds 2^31 + 1 equal values.
  ExactBytes bytes(
      Bytes{0x80, 0x80, 0x80, 0x80, 0x08, 0x01, 0x81, 0x80, 0x80, 0x80, 0x08, 0x0A, 0x00, 0x00});
  EXPECT_EQ(decoded(bytes.span(), 1000), std::vector<int64_t>(1000, 5));
}

TEST(DeltaBinaryPacked, RefusesImpossibleHeaders) {
  const struct {
    const char* what;
    Bytes bytes;
    const char* words;
  } cases[] = {
      {"blocks of no values", {0x00, 0x04, 0x05, 0x02}, "impossible shape"},
      {"blocks of 100 values", {0x64, 0x04, 0x05, 0x02}, "impossible shape"},
      {"no miniblocks", {0x80, 0x01, 0x00, 0x05, 0x02}, "impossible shape"},
      {"miniblocks of 16 values", {0x80, 0x01, 0x08, 0x05, 0x02}, "impossible shape"},
      {"3 miniblocks", {0x80, 0x01, 0x03, 0x05, 0x02}, "impossible shape"},
      {"fewer values", {0x80, 0x01, 0x04, 0x04, 0x02, 0x02, 0, 0, 0, 0}, "4 of 5 delta values"},
      {"no block", {0x80, 0x01, 0x04, 0x05, 0x02}, "least delta"},
      {"no widths", {0x80, 0x01, 0x04, 0x05, 0x02, 0x02, 0, 0}, "bit widths"},
      {"65 bits", {0x80, 0x01, 0x04, 0x05, 0x02, 0x02, 65, 0, 0, 0}, "65 bits"},
      {"no bytes of a miniblock", {0x80, 0x01, 0x04, 0x05, 0x02, 0x02, 1, 0, 0, 0, 0}, "miniblock"},
      {"a number of values of 2^35", {0x80, 0x01, 0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x02}, ""},
  };
  for (const auto& broken : cases) {
    SCOPED_TRACE(broken.what);
    const std::string message = refusal(broken.bytes, 5);
    EXPECT_NE(message, "");
    EXPECT_NE(message.find(broken.words), std::string::npos) << message;
  }
}

TEST(DeltaBinaryPacked, SurvivesDamage) {
  testing::expect_survives_damage(
      testing::delta_binary_packed(random_numbers(40, 150)),
      [](std::span<const uint8_t> damaged) { return decoded(damaged, 150); });
}

}  // namespace
}  // namespace colonnade::parquet
