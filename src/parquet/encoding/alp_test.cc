#include "parquet/encoding/alp.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "parquet/encoding/testing/decoder_trials.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::concat;
using testing::ExactBytes;

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == sizeof(float), uint32_t, uint64_t>;

// Bits, because NaN is not equal to itself and -0.0 is equal to 0.0.
template <typename T>
std::vector<BitsOf<T>> bits_of(const std::vector<T>& values) {
  std::vector<BitsOf<T>> bits;
  for (const T value : values) bits.push_back(std::bit_cast<BitsOf<T>>(value));
  return bits;
}

template <typename T>
std::vector<T> decoded(std::span<const uint8_t> bytes, int64_t num_values) {
  AlpDecoder decoder;
  decoder.start(bytes, num_values, sizeof(T), 0);
  std::vector<T> values(static_cast<size_t>(num_values));
  decoder.decode(num_values, values.data());
  return values;
}

// AlpEncoding.md, "Worked Example": 1500.0, NaN, 2500.0, 333.5 with exponent 4 and factor 3.
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
Bytes worked_example() {
  const uint64_t packed = 11665ULL | 11665ULL << 15 | 21665ULL << 30;
  return concat({{0, 0, 10, 4, 0, 0, 0},  // header
                 {4, 0, 0, 0},            // offset
                 {4, 3, 1, 0},            // AlpInfo
                 testing::plain_int64({3335}),
                 {15},                                 // ForInfo
                 testing::plain(std::vector{packed}),  // PackedValues
                 {1, 0},                               // ExceptionPositions
                 testing::plain(std::vector{kNan})});  // ExceptionValues
}

TEST(Alp, ReadsTheSpecificationsExample) {
  const Bytes bytes = worked_example();
  ASSERT_EQ(bytes.size(), 7u + 4u + 31u);
  ExactBytes exact(bytes);
  EXPECT_EQ(bits_of(decoded<double>(exact.span(), 4)),
            bits_of(std::vector<double>{1500.0, kNan, 2500.0, 333.5}));
}

// Prices, whole numbers of all sizes, and what no scale gives back.
template <typename T>
std::vector<T> random_numbers(uint64_t seed, size_t n) {
  std::mt19937_64 random(seed);
  const double exceptions = static_cast<double>(seed % 4) / 10;
  std::vector<T> numbers;
  while (numbers.size() < n) {
    if (std::uniform_real_distribution<double>()(random) < exceptions) {
      numbers.push_back(std::bit_cast<T>(static_cast<BitsOf<T>>(random())));
    } else {
      const auto integer = static_cast<int64_t>(random()) >> (random() % 64);
      numbers.push_back(static_cast<T>(static_cast<double>(integer % 10000000) / 100));
    }
  }
  return numbers;
}

template <typename T>
class AlpOf : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(AlpOf, Numbers);

TYPED_TEST(AlpOf, EveryScaleInPiecesAndSkipped) {
  const int max_exponent = sizeof(TypeParam) == sizeof(float) ? 10 : 18;
  uint64_t seed = 0;
  for (int exponent = 0; exponent <= max_exponent; ++exponent) {
    for (int factor = 0; factor <= exponent; ++factor, ++seed) {
      const int log_vector_values = 3 + static_cast<int>(seed % 13);
      const std::vector<TypeParam> numbers = random_numbers<TypeParam>(seed, 300);
      SCOPED_TRACE(::testing::Message()
                   << "e " << exponent << " f " << factor << " log " << log_vector_values);
      ExactBytes bytes(testing::alp(numbers, exponent, factor, log_vector_values, seed % 2 == 1));
      ASSERT_EQ(bits_of(decoded<TypeParam>(bytes.span(), 300)), bits_of(numbers));
      for (const int64_t skipped : {0, 1, 7, 8, 31, 33, 128, 299, 300}) {
        AlpDecoder decoder;
        decoder.start(bytes.span(), 300, sizeof(TypeParam), 0);
        decoder.skip(skipped);
        std::vector<TypeParam> rest(static_cast<size_t>(300 - skipped));
        for (size_t i = 0; i < rest.size(); i += 7) {
          decoder.decode(static_cast<int64_t>(std::min<size_t>(7, rest.size() - i)),
                         rest.data() + i);
        }
        EXPECT_EQ(bits_of(rest), bits_of(std::vector(numbers.begin() + skipped, numbers.end())));
      }
    }
  }
}

TYPED_TEST(AlpOf, IntegersOfTheWholeRange) {
  // One bit width of the type, deltas that pass the signed maximum.
  using Integer = std::conditional_t<sizeof(TypeParam) == sizeof(float), int32_t, int64_t>;
  constexpr Integer kLeast = std::numeric_limits<Integer>::min();
  const Bytes deltas = testing::plain(std::vector<std::make_unsigned_t<Integer>>{
      0, std::numeric_limits<std::make_unsigned_t<Integer>>::max()});
  ExactBytes bytes(concat({{0, 0, 3, 2, 0, 0, 0},
                           {4, 0, 0, 0},
                           {0, 0, 0, 0},
                           testing::plain(std::vector{kLeast}),
                           {8 * sizeof(Integer)},
                           deltas}));
  EXPECT_EQ(decoded<TypeParam>(bytes.span(), 2),
            (std::vector<TypeParam>{static_cast<TypeParam>(kLeast),
                                    static_cast<TypeParam>(std::numeric_limits<Integer>::max())}));
}

TYPED_TEST(AlpOf, SurvivesDamage) {
  for (const bool shuffled : {false, true}) {
    testing::expect_survives_damage(
        testing::alp(random_numbers<TypeParam>(3, 40), 4, 2, 4, shuffled),
        [](std::span<const uint8_t> damaged) {
          // Modes that the specification keeps for later are not corrupt, but not this test's.
          if (damaged.size() > 1 && (damaged[0] != 0 || damaged[1] != 0)) {
            return std::vector<BitsOf<TypeParam>>(40);
          }
          return bits_of(decoded<TypeParam>(damaged, 40));
        });
  }
}

TEST(Alp, TheLastOfTwoExceptionsAtOnePositionCounts) {
  ExactBytes bytes(concat({{0, 0, 3, 1, 0, 0, 0},
                           {4, 0, 0, 0},
                           {0, 0, 2, 0},
                           testing::plain_int32({0}),
                           {0},
                           {0, 0, 0, 0},
                           testing::plain(std::vector{1.5F, 2.5F})}));
  // Two exceptions in a vector of one value are more than it has.
  EXPECT_THROW(decoded<float>(bytes.span(), 1), Error);
  bytes.span()[3] = 2;
  EXPECT_EQ(decoded<float>(bytes.span(), 2), (std::vector<float>{2.5F, 0}));
}

TEST(Alp, NoValuesNeedNoBytes) {
  EXPECT_EQ(decoded<double>({}, 0), std::vector<double>{});
  EXPECT_THROW(decoded<double>({}, 1), Error);
}

TEST(Alp, SaysWhatIsWrong) {
  const struct {
    const char* what;
    size_t byte;
    uint8_t value;
    const char* words;
    ErrorCode code = ErrorCode::kCorruptData;
  } cases[] = {
      {"a mode of later", 0, 1, "compression mode 1", ErrorCode::kNotSupported},
      {"integers of later", 1, 2, "integer encoding 2", ErrorCode::kNotSupported},
      {"vectors of 4 values", 2, 2, "2^2 values"},
      {"vectors of 65,536 values", 2, 16, "2^16 values"},
      {"more values than the page", 3, 5, "5 ALP values, 4 by"},
      {"a negative number of values", 6, 0x80, "-2147483644 ALP values"},
      {"another offset", 7, 5, "vector 0 at 5, expected at 4"},
      {"an exponent of 19", 11, 19, "exponent 19"},
      {"a factor above the exponent", 12, 5, "factor 5"},
      {"more exceptions than values", 13, 5, "5 exceptions"},
      {"65 bits", 23, 65, "of 65 bits"},
      {"more bits than bytes", 23, 64, "packed values"},
      {"an exception behind the vector", 32, 4, "position 4 of 4"},
  };
  for (const auto& broken : cases) {
    SCOPED_TRACE(broken.what);
    ExactBytes bytes(worked_example());
    bytes.span()[broken.byte] = broken.value;
    try {
      decoded<double>(bytes.span(), 4);
      ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), broken.code);
      EXPECT_NE(std::string(error.what()).find(broken.words), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace colonnade::parquet
