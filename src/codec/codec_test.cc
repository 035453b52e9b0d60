// What holds for every codec.
#include "codec/codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <colonnade/error.h>

#include "codec/testing/sample_bytes.h"

namespace colonnade::codec {
namespace {

using Bytes = std::vector<uint8_t>;
constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

Bytes compressed(const CodecInfo& codec, const Bytes& bytes, int32_t level = 0) {
  Bytes out(static_cast<size_t>(codec.max_compressed_bytes(static_cast<int64_t>(bytes.size()))));
  const int64_t written = codec.compress(bytes, out, level);
  out.resize(static_cast<size_t>(written));
  return out;
}

// The code of the error that `function` throws; absent when it throws none.
template <typename Function>
std::optional<ErrorCode> error_of(Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_STRNE(error.what(), "");
    return error.code();
  }
  return std::nullopt;
}

class EveryCodec : public ::testing::TestWithParam<Codec> {
 protected:
  const CodecInfo& codec() const { return info(GetParam()); }
};

std::string name_of(const ::testing::TestParamInfo<Codec>& test) {
  return std::string(info(test.param).name);
}

INSTANTIATE_TEST_SUITE_P(Codecs, EveryCodec,
                         ::testing::Values(Codec::kNone, Codec::kSnappy, Codec::kZstd, Codec::kGzip,
                                           Codec::kBrotli, Codec::kLz4Raw, Codec::kLz4Hadoop),
                         name_of);

TEST_P(EveryCodec, IsItsOwnRowOfTheRegistry) { EXPECT_EQ(codec().codec, GetParam()); }

TEST_P(EveryCodec, GivesBackWhatWasCompressed) {
  for (const auto& [name, bytes] : testing::sample_bytes()) {
    SCOPED_TRACE(name);
    const Bytes in = compressed(codec(), bytes);
    const int64_t size = static_cast<int64_t>(bytes.size());
    EXPECT_EQ(codec().claimed_bytes(in).value_or(size), size);
    EXPECT_NO_THROW(check_expansion(GetParam(), in, static_cast<int64_t>(bytes.size()), kNoLimit));
    Bytes out(bytes.size());
    codec().decompress(in, out);
    EXPECT_TRUE(out == bytes);
  }
}

TEST_P(EveryCodec, CompressesNothing) {
  const Bytes in = compressed(codec(), {});
  codec().decompress(in, {});
  EXPECT_NO_THROW(check_expansion(GetParam(), in, 0, 0));
  Bytes one(1);
  EXPECT_EQ(error_of([&] { codec().decompress(in, one); }), ErrorCode::kCorruptData);
}

TEST_P(EveryCodec, RefusesAnotherSize) {
  for (const auto& [name, bytes] : testing::sample_bytes()) {
    SCOPED_TRACE(name);
    const Bytes in = compressed(codec(), bytes);
    for (const int64_t difference : {-1, 1, 100}) {
      const int64_t size = static_cast<int64_t>(bytes.size()) + difference;
      Bytes out(static_cast<size_t>(size));
      EXPECT_EQ(error_of([&] { codec().decompress(in, out); }), ErrorCode::kCorruptData);
      // Where the compressed bytes say their size, it is refused before memory is asked for.
      const bool claims = codec().claimed_bytes(in).has_value();
      EXPECT_EQ(error_of([&] { check_expansion(GetParam(), in, size, kNoLimit); }),
                claims ? std::optional(ErrorCode::kCorruptData) : std::nullopt);
    }
  }
}

TEST_P(EveryCodec, RefusesEveryTruncation) {
  for (const auto& [name, bytes] : testing::sample_bytes()) {
    SCOPED_TRACE(name);
    const Bytes in = compressed(codec(), bytes);
    const size_t step = std::max<size_t>(1, in.size() / 100);
    for (size_t kept = 0; kept < in.size(); kept += step) {
      // A copy of the exact size, for AddressSanitizer to see a read past its end.
      const Bytes cut(in.begin(), in.begin() + static_cast<ptrdiff_t>(kept));
      Bytes out(bytes.size());
      EXPECT_EQ(error_of([&] { codec().decompress(cut, out); }), ErrorCode::kCorruptData) << kept;
    }
  }
}

TEST_P(EveryCodec, SurvivesFlippedBits) {
  std::mt19937_64 random(7);
  for (const auto& [name, bytes] : testing::sample_bytes()) {
    SCOPED_TRACE(name);
    const Bytes in = compressed(codec(), bytes);
    const int num_rounds = bytes.size() > 10'000 ? 50 : 200;
    for (int round = 0; round < num_rounds; ++round) {
      Bytes flipped = in;
      const size_t num_flips = 1 + random() % 3;
      for (size_t i = 0; i < num_flips; ++i) {
        // The first bytes hold the headers: half of the flips go there.
        const size_t reach = random() % 2 == 0 ? std::min<size_t>(in.size(), 16) : in.size();
        flipped[random() % reach] ^= static_cast<uint8_t>(1u << random() % 8);
      }
      const int64_t size = static_cast<int64_t>(bytes.size());
      const auto checked =
          error_of([&] { check_expansion(GetParam(), flipped, size, int64_t{1} << 20); });
      EXPECT_TRUE(!checked || checked == ErrorCode::kCorruptData);
      Bytes out(bytes.size());
      const auto code = error_of([&] { codec().decompress(flipped, out); });
      EXPECT_TRUE(!code || code == ErrorCode::kCorruptData);
      // What check_expansion refuses is not decompressed either.
      EXPECT_TRUE(!checked || code == ErrorCode::kCorruptData);
    }
  }
}

TEST_P(EveryCodec, RefusesSizesThatItCannotExpandTo) {
  const Bytes in = compressed(codec(), Bytes(100, 'x'));
  const int64_t most = static_cast<int64_t>(in.size()) * codec().max_expansion;
  for (const int64_t size :
       {most + 1, int64_t{1} << 40, kNoLimit, int64_t{-1}, std::numeric_limits<int64_t>::min()}) {
    EXPECT_EQ(error_of([&] { check_expansion(GetParam(), in, size, kNoLimit); }),
              ErrorCode::kCorruptData)
        << size;
  }
}

TEST_P(EveryCodec, RefusesSizesAboveTheLimit) {
  const Bytes in = compressed(codec(), Bytes(100, 'x'));
  EXPECT_NO_THROW(check_expansion(GetParam(), in, 100, 100));
  EXPECT_EQ(error_of([&] { check_expansion(GetParam(), in, 100, 99); }), ErrorCode::kOutOfBudget);
}

TEST_P(EveryCodec, SizeOfNoBytesIsNone) {
  EXPECT_NO_THROW(check_expansion(GetParam(), {}, 0, 0));
  EXPECT_EQ(error_of([&] { check_expansion(GetParam(), {}, 1, kNoLimit); }),
            ErrorCode::kCorruptData);
}

TEST_P(EveryCodec, RefusesALevelThatItDoesNotHave) {
  Bytes out(1000);
  const Bytes in(10);
  EXPECT_EQ(error_of([&] { codec().compress(in, out, 1000); }), ErrorCode::kInvalidArgument);
}

TEST_P(EveryCodec, RefusesAnOutputThatMayBeTooSmall) {
  const Bytes in(1000);
  Bytes out(999);
  EXPECT_EQ(error_of([&] { codec().compress(in, out, 0); }), ErrorCode::kInternal);
}

TEST_P(EveryCodec, ThreadsDoNotDisturbOneAnother) {
  const auto samples = testing::sample_bytes();
  std::vector<std::thread> threads;
  std::atomic<int> num_right = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (size_t k = 0; k < samples.size(); ++k) {
        const Bytes& bytes = samples[(k + static_cast<size_t>(i)) % samples.size()].bytes;
        const Bytes in = compressed(codec(), bytes);
        Bytes out(bytes.size());
        codec().decompress(in, out);
        if (out == bytes) ++num_right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_right, 4 * static_cast<int>(samples.size()));
}

TEST(Registry, RefusesANumberThatIsNoCodec) {
  EXPECT_EQ(error_of([] { info(static_cast<Codec>(99)); }), ErrorCode::kInternal);
}

}  // namespace
}  // namespace colonnade::codec
