// What every encoding of byte arrays must say of lengths that lie, however the values are passed.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <colonnade/context.h>

#include "parquet/encoding/delta_byte_array.h"
#include "parquet/encoding/delta_length_byte_array.h"
#include "parquet/encoding/plain_byte_array.h"
#include "parquet/encoding/testing/decoder_trials.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::concat;
using testing::ExactBytes;

// Lengths as a page says them, and as many bytes as it has.
struct Lengths {
  std::vector<int64_t> said;
  int64_t num_bytes = 0;
};

Bytes letters(int64_t n) { return Bytes(static_cast<size_t>(n), 'x'); }

// --- the encodings: a page of such lengths, and a decoder with one way to skip and decode

struct Plain {
  static Bytes page(const Lengths& lengths) {
    // Each value has as many bytes as it says while there are some.
    Bytes bytes;
    int64_t left = lengths.num_bytes;
    for (const int64_t length : lengths.said) {
      const int64_t own = std::clamp<int64_t>(length, 0, left);
      bytes = concat({bytes, testing::plain_int32({static_cast<int32_t>(length)}), letters(own)});
      left -= own;
    }
    return concat({bytes, letters(left)});
  }
  void start(std::span<const uint8_t> bytes, int64_t n) { decoder.start(bytes, n); }
  void decode(int64_t n) {
    std::vector<ByteSlice> out(static_cast<size_t>(n));
    decoder.decode(n, out.data());
  }
  void skip(int64_t n) { decoder.skip(n); }
  PlainByteArrayDecoder decoder;
};

struct DeltaLength {
  static Bytes page(const Lengths& lengths) {
    return concat({testing::delta_binary_packed(lengths.said, 32), letters(lengths.num_bytes)});
  }
  void start(std::span<const uint8_t> bytes, int64_t n) { decoder.start(bytes, n, 0); }
  void decode(int64_t n) {
    std::vector<ByteSlice> out(static_cast<size_t>(n));
    decoder.decode(n, out.data());
  }
  void skip(int64_t n) { decoder.skip(n); }
  DeltaLengthByteArrayDecoder decoder;
};

// The suffixes' lengths.
struct DeltaSuffixes {
  static Bytes page(const Lengths& lengths) {
    return concat({testing::delta_binary_packed(std::vector<int64_t>(lengths.said.size(), 0), 32),
                   DeltaLength::page(lengths)});
  }
  void start(std::span<const uint8_t> bytes, int64_t n) { decoder.start(bytes, n, 0); }
  void decode(int64_t n) {
    std::vector<DeltaByteArrayPiece> out(static_cast<size_t>(n));
    decoder.decode(n, out.data());
  }
  void skip(int64_t n) { last = decoder.skip(context, n, last); }
  Context context;
  Buffer last;
  DeltaByteArrayDecoder decoder;
};

// The prefixes' lengths: the first value has num_bytes bytes, the others none of their own.
struct DeltaPrefixes : DeltaSuffixes {
  static Bytes page(const Lengths& lengths) {
    std::vector<int64_t> suffixes(lengths.said.size(), 0);
    if (!suffixes.empty()) suffixes[0] = lengths.num_bytes;
    return concat({testing::delta_binary_packed(lengths.said, 32),
                   testing::delta_binary_packed(suffixes, 32), letters(lengths.num_bytes)});
  }
};

// --- every way to pass n values

template <typename Encoding>
std::vector<std::pair<std::string, std::function<void(Encoding&, int64_t)>>> ways() {
  return {
      {"decoded", [](Encoding& decoder, int64_t n) { decoder.decode(n); }},
      {"skipped whole", [](Encoding& decoder, int64_t n) { decoder.skip(n); }},
      {"skipped in parts",
       [](Encoding& decoder, int64_t n) {
         for (int64_t i = 0; i < n; ++i) decoder.skip(1);
       }},
      {"decoded after a skip",
       [](Encoding& decoder, int64_t n) {
         decoder.skip(n - 1);
         decoder.decode(1);
       }},
      {"skipped after a value",
       [](Encoding& decoder, int64_t n) {
         decoder.decode(1);
         decoder.skip(n - 1);
       }},
  };
}

template <typename Encoding>
void expect_corrupt(const Bytes& page, int64_t n, const std::string& words) {
  for (const auto& [way, pass] : ways<Encoding>()) {
    SCOPED_TRACE(way);
    ExactBytes bytes(page);
    Encoding decoder;
    try {
      decoder.start(bytes.span(), n);
      pass(decoder, n);
      ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorruptData) << error.what();
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
}

template <typename Encoding>
class LengthsOf : public ::testing::Test {
 public:
  static void expect_refused(const Lengths& lengths, const std::string& words) {
    expect_corrupt<Encoding>(Encoding::page(lengths), static_cast<int64_t>(lengths.said.size()),
                             words);
  }
};
using Encodings = ::testing::Types<Plain, DeltaLength, DeltaSuffixes, DeltaPrefixes>;
TYPED_TEST_SUITE(LengthsOf, Encodings);

constexpr int64_t kMost = 2147483647;
constexpr bool is_prefixes(const DeltaPrefixes*) { return true; }
constexpr bool is_prefixes(const void*) { return false; }
// What an error says of a length that is there, but not right.
template <typename Encoding>
const char* of_length() {
  return is_prefixes(static_cast<const Encoding*>(nullptr)) ? "prefix" : "length";
}

TYPED_TEST(LengthsOf, GoodOnesPassEveryWay) {
  const Lengths lengths = is_prefixes(static_cast<const TypeParam*>(nullptr))
                              ? Lengths{{0, 6, 3, 2}, 6}
                              : Lengths{{5, 0, 3, 4}, 12};
  for (const auto& [way, pass] : ways<TypeParam>()) {
    ExactBytes bytes(TypeParam::page(lengths));
    TypeParam decoder;
    decoder.start(bytes.span(), 4);
    EXPECT_NO_THROW(pass(decoder, 4)) << way;
  }
}

TYPED_TEST(LengthsOf, DataShorterThanGoodLengths) {
  if (is_prefixes(static_cast<const TypeParam*>(nullptr))) {
    this->expect_refused({{0, 6, 7, 2}, 6}, "prefix");
    return;
  }
  this->expect_refused({{5, 3, 4}, 11}, "length");
  this->expect_refused({{5, 3, 4}, 0}, "length");
}

TYPED_TEST(LengthsOf, ANegativeOneThatLeavesTheSumRight) {
  this->expect_refused({{5, -3, 4}, 6}, of_length<TypeParam>());
  this->expect_refused({{0, -1, 1}, 0}, of_length<TypeParam>());
}

TYPED_TEST(LengthsOf, SumsThatWrapAround) {
  // 2^31, 2^32 and 2^32 + 1.
  this->expect_refused({{int64_t{1} << 30, int64_t{1} << 30, 0}, 100}, of_length<TypeParam>());
  this->expect_refused({{kMost, kMost, 2}, 0}, of_length<TypeParam>());
  this->expect_refused({{kMost, kMost, 3}, 1}, of_length<TypeParam>());
}

TYPED_TEST(LengthsOf, StreamsThatEndEarly) {
  const Bytes page = TypeParam::page({{0, 0, 0, 0}, 0});
  for (size_t size = 0; size < page.size(); ++size) {
    SCOPED_TRACE(size);
    expect_corrupt<TypeParam>(Bytes(page.begin(), page.begin() + static_cast<int64_t>(size)), 4,
                              "");
  }
}

TYPED_TEST(LengthsOf, NoValuesNeedNothing) {
  TypeParam decoder;
  decoder.start({}, 0);
  EXPECT_NO_THROW(decoder.skip(0));
  EXPECT_NO_THROW(decoder.decode(0));
}

}  // namespace
}  // namespace colonnade::parquet
