#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include <colonnade/error.h>

#include "codec/codec.h"

namespace colonnade::codec {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes decompressed(const Bytes& in, size_t size) {
  Bytes out(size);
  info(Codec::kSnappy).decompress(in, out);
  return out;
}

Bytes text(std::string_view characters) { return {characters.begin(), characters.end()}; }

// By pyarrow 26: a literal of 10 bytes, then a copy of 19 from 10 back.
const Bytes kByPyarrow = {0x1D, 0x24, 'c', 'o', 'l',  'o',  'n', 'n',
                          'a',  'd',  'e', ' ', 0x4A, 0x0A, 0x00};

TEST(Snappy, ReadsTheBytesOfAnotherWriter) {
  EXPECT_EQ(decompressed(kByPyarrow, 29), text("colonnade colonnade colonnade"));
}

TEST(Snappy, ReadsEachKindOfElement) {
  // Literal "ab"; a copy of 4 from 2 back with one byte of offset; one of 3 from 6 back with two;
  // one of 2 from 1 back with four; a literal whose length stands in a byte of its own.
  const Bytes in = {0x0D, 0x04, 'a',  'b',  0x01, 0x02, 0x0A, 0x06, 0x00,
                    0x07, 0x01, 0x00, 0x00, 0x00, 0xF0, 0x01, 'y',  'z'};
  EXPECT_EQ(decompressed(in, 13), text("ababababaaayz"));
}

TEST(Snappy, RefusesBrokenElements) {
  const struct {
    const char* what;
    Bytes in;
    size_t size;
  } cases[] = {
      {"no length", {}, 0},
      {"length without an end", {0x80}, 0},
      {"length of six bytes", {0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, 0},
      {"length above 32 bits", {0xFF, 0xFF, 0xFF, 0xFF, 0x7F}, 4},
      {"literal past the input", {0x05, 0x10, 'a'}, 5},
      {"literal past the output", {0x01, 0x04, 'a', 'b'}, 1},
      {"copy from before the beginning", {0x08, 0x00, 'a', 0x0D, 0x05}, 8},
      {"copy of offset 0", {0x05, 0x00, 'a', 0x01, 0x00}, 5},
      {"copy past the output", {0x03, 0x00, 'a', 0x01, 0x01}, 3},
      {"copy without its offset", {0x05, 0x00, 'a', 0x02, 0x01}, 5},
      {"too little", {0x05, 0x00, 'a'}, 5},
      {"bytes behind the end", {0x01, 0x00, 'a', 0x00, 'b'}, 1},
      {"bytes behind nothing", {0x00, 0x00, 'b'}, 0},
  };
  for (const auto& broken : cases) {
    SCOPED_TRACE(broken.what);
    try {
      decompressed(broken.in, broken.size);
      ADD_FAILURE() << "was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorruptData) << error.what();
    }
  }
}

TEST(Snappy, MessageNamesBothSizes) {
  try {
    decompressed(kByPyarrow, 30);
    FAIL() << "was read";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "compressed bytes hold another size than stated: codec snappy, 29 bytes held, 30 stated");
  }
}

TEST(Snappy, RefusesMoreThanItsLengthCanSay) {
  const CodecInfo& snappy = info(Codec::kSnappy);
  EXPECT_GT(snappy.max_compressed_bytes(int64_t{0xFFFFFFFF}), int64_t{0xFFFFFFFF});
  for (const int64_t size : {int64_t{1} << 32, int64_t{-1}}) {
    EXPECT_THROW(snappy.max_compressed_bytes(size), Error);
  }
}

}  // namespace
}  // namespace colonnade::codec
