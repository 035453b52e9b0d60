#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <colonnade/error.h>

#include "codec/codec.h"

namespace colonnade::codec {
namespace {

using Bytes = std::vector<uint8_t>;

const CodecInfo& zstd() { return info(Codec::kZstd); }

Bytes decompressed(const Bytes& in, size_t size) {
  Bytes out(size);
  zstd().decompress(in, out);
  return out;
}

Bytes compressed(const Bytes& bytes, int32_t level = 0) {
  Bytes out(static_cast<size_t>(zstd().max_compressed_bytes(static_cast<int64_t>(bytes.size()))));
  out.resize(static_cast<size_t>(zstd().compress(bytes, out, level)));
  return out;
}

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes text(std::string_view characters) { return {characters.begin(), characters.end()}; }

void expect_corrupt(const std::function<void()>& function) {
  try {
    function();
    ADD_FAILURE() << "was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorruptData) << error.what();
  }
}

// The one block of the frames below, "colonnade " and its repetitions, and what follows the magic
// number.
const Bytes kMagic = {0x28, 0xB5, 0x2F, 0xFD};
const Bytes kBlock = {0x85, 0x00, 0x00, 0x50, 'c',  'o',  'l',  'o',  'n', 'n',
                      'a',  'd',  'e',  ' ',  0x01, 0x00, 0x4D, 0x0A, 0x12};
// By pyarrow 26: a single segment that says 29 bytes.
const Bytes kWithSize = kMagic + Bytes{0x20, 0x1D} + kBlock;
// By zstd 1.5.4 from a pipe: no size, a window of 2 MiB, a checksum; and without the checksum.
const Bytes kWithoutSize = kMagic + Bytes{0x04, 0x58} + kBlock + Bytes{0xDD, 0x5F, 0x5A, 0xA2};
const Bytes kBare = kMagic + Bytes{0x00, 0x58} + kBlock;
// A frame of no bytes, by pyarrow 26.
const Bytes kEmpty = {0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x00, 0x01, 0x00, 0x00};
// Four bytes to be skipped.
const Bytes kSkippable = {0x5A, 0x2A, 0x4D, 0x18, 0x04, 0x00, 0x00, 0x00, 1, 2, 3, 4};

const Bytes kText = text("colonnade colonnade colonnade");

TEST(Zstd, ReadsTheBytesOfOtherWriters) {
  EXPECT_EQ(decompressed(kWithSize, 29), kText);
  EXPECT_EQ(decompressed(kWithoutSize, 29), kText);
  EXPECT_EQ(decompressed(kBare, 29), kText);
  EXPECT_EQ(decompressed(kEmpty, 0), Bytes());
}

TEST(Zstd, ClaimsWhatItsFramesSay) {
  EXPECT_EQ(zstd().claimed_bytes(kWithSize), 29);
  EXPECT_EQ(zstd().claimed_bytes(kEmpty), 0);
  EXPECT_EQ(zstd().claimed_bytes(kSkippable), 0);
  EXPECT_EQ(zstd().claimed_bytes(kWithSize + kSkippable + kWithSize), 58);
  EXPECT_EQ(zstd().claimed_bytes(kBare), std::nullopt);
  EXPECT_EQ(zstd().claimed_bytes(kWithSize + kBare), std::nullopt);
}

TEST(Zstd, ReadsFramesOneAfterTheOther) {
  EXPECT_EQ(decompressed(kWithSize + kBare + kEmpty + kSkippable + kWithoutSize, 87),
            kText + kText + kText);
  expect_corrupt([] { decompressed(kWithSize + kBare, 57); });
  expect_corrupt([] { decompressed(kWithSize + kBare, 59); });
}

TEST(Zstd, RefusesWhatIsNoFrame) {
  expect_corrupt([] { decompressed({}, 0); });
  expect_corrupt([] { zstd().claimed_bytes({}); });
  expect_corrupt([] { decompressed(kWithSize + Bytes{0}, 29); });
  expect_corrupt([] { decompressed(kWithSize + kMagic, 29); });
  expect_corrupt([] { decompressed(text("colonnade colonnade"), 19); });
  // Skips more than there is.
  expect_corrupt([] { decompressed({0x50, 0x2A, 0x4D, 0x18, 0xFF, 0xFF, 0xFF, 0xFF}, 0); });
  // The formats of 2015 and 2016 (0.5 to 0.7), which the library may still know.
  for (const uint8_t version : {0x25, 0x26, 0x27}) {
    Bytes old = kWithSize;
    old[0] = version;
    expect_corrupt([&] { decompressed(old, 29); });
    expect_corrupt([&] { zstd().claimed_bytes(old); });
  }
}

TEST(Zstd, ChecksTheChecksum) {
  for (size_t i = kWithoutSize.size() - 4; i < kWithoutSize.size(); ++i) {
    Bytes flipped = kWithoutSize;
    flipped[i] ^= 1;
    expect_corrupt([&] { decompressed(flipped, 29); });
  }
}

TEST(Zstd, RefusesADictionaryThatNobodyHas) {
  // A single segment of 29 bytes with the dictionary 7.
  const Bytes in = kMagic + Bytes{0x21, 0x07, 0x1D} + kBlock;
  expect_corrupt([&] { decompressed(in, 29); });
}

TEST(Zstd, RefusesASizeThatTheFrameDoesNotHold) {
  // 2^40 bytes in a frame of 19: more than blocks of four bytes can expand to.
  const Bytes bomb = kMagic + Bytes{0xE0, 0, 0, 0, 0, 0, 1, 0, 0} + kBlock;
  EXPECT_EQ(zstd().claimed_bytes(bomb), int64_t{1} << 40);
  expect_corrupt([&] { check_expansion(Codec::kZstd, bomb, int64_t{1} << 40, int64_t{1} << 50); });
  // A little more and a little less than there is.
  for (const uint8_t size : {0x1C, 0x1E, 0x00}) {
    const Bytes in = kMagic + Bytes{0x20, size} + kBlock;
    EXPECT_EQ(zstd().claimed_bytes(in), size);
    expect_corrupt([&] { decompressed(in, size); });
    expect_corrupt([&] { decompressed(in, 29); });
  }
  // Two sizes whose sum passes 63 bits, and one that alone does.
  const Bytes huge = kMagic + Bytes{0xE0, 0, 0, 0, 0, 0, 0, 0, 0x40} + kBlock;
  expect_corrupt([&] { zstd().claimed_bytes(huge + huge); });
  const Bytes huger = kMagic + Bytes{0xE0, 0, 0, 0, 0, 0, 0, 0, 0x80} + kBlock;
  expect_corrupt([&] { zstd().claimed_bytes(huger); });
}

TEST(Zstd, ReadsTheDensestBlocksThatThereAre) {
  // A run block of 128 KiB is four bytes; the last one is marked.
  const size_t num_blocks = 100;
  Bytes in = kMagic + Bytes{0x00, 0x58};
  for (size_t i = 0; i < num_blocks; ++i) {
    const uint32_t header = 131072u << 3 | 1u << 1 | (i + 1 == num_blocks ? 1u : 0u);
    in = in + Bytes{static_cast<uint8_t>(header), static_cast<uint8_t>(header >> 8),
                    static_cast<uint8_t>(header >> 16), 0x5A};
  }
  const int64_t size = int64_t{131072} * static_cast<int64_t>(num_blocks);
  check_expansion(Codec::kZstd, in, size, size);
  EXPECT_TRUE(decompressed(in, static_cast<size_t>(size)) ==
              Bytes(static_cast<size_t>(size), 0x5A));
}

TEST(Zstd, AWindowOfAnySizeTakesNoMemory) {
  // Window descriptors from 1 KiB to 2 GiB; the frame has 29 bytes all the same.
  for (int exponent = 0; exponent <= 21; ++exponent) {
    const Bytes in = kMagic + Bytes{0x00, static_cast<uint8_t>(exponent << 3)} + kBlock;
    EXPECT_EQ(decompressed(in, 29), kText) << exponent;
  }
  // Above, the library refuses.
  const Bytes in = kMagic + Bytes{0x00, 0xF8} + kBlock;
  expect_corrupt([&] { decompressed(in, 29); });
}

TEST(Zstd, ReadsEveryLevel) {
  Bytes bytes;
  for (int i = 0; i < 20000; ++i) bytes.push_back(static_cast<uint8_t>(i * i >> 6));
  size_t fastest_bytes = 0;
  for (const int32_t level : {-50, -1, 0, 1, 3, 9, 19, 22}) {
    const Bytes in = compressed(bytes, level);
    EXPECT_EQ(decompressed(in, bytes.size()), bytes) << level;
    if (level == -50) fastest_bytes = in.size();
    if (level == 22) {
      EXPECT_LT(in.size(), fastest_bytes);
    }
  }
}

TEST(Zstd, RefusesSizesThatNoBufferHas) {
  EXPECT_THROW(zstd().max_compressed_bytes(-1), Error);
  EXPECT_THROW(zstd().max_compressed_bytes(std::numeric_limits<int64_t>::max()), Error);
}

}  // namespace
}  // namespace colonnade::codec
