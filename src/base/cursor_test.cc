#include "base/cursor.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace colonnade {
namespace {

std::vector<uint8_t> varint(uint64_t value) {
  std::vector<uint8_t> bytes;
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<uint8_t>(value | 0x80));
  bytes.push_back(static_cast<uint8_t>(value));
  return bytes;
}

template <typename Read>
std::string error_of(const std::vector<uint8_t>& bytes, Read read) {
  CheckedCursor cursor(bytes);
  try {
    read(cursor);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
    return error.what();
  }
  return "no error";
}

TEST(Cursor, TakesWhatIsThere) {
  const std::vector<uint8_t> bytes = {1, 2, 3, 4, 5, 6, 7};
  CheckedCursor cursor(bytes);
  EXPECT_EQ(cursor.read<uint16_t>("a"), 0x0201);
  cursor.skip(1, "b");
  EXPECT_EQ(cursor.position(), 3);
  EXPECT_EQ(cursor.left(), 4);
  EXPECT_EQ(cursor.read<uint32_t>("c"), 0x07060504u);
  EXPECT_EQ(cursor.left(), 0);
  EXPECT_TRUE(cursor.take(0, "d").empty());
}

TEST(Cursor, RefusesWhatIsNot) {
  const std::vector<uint8_t> bytes = {1, 2, 3};
  EXPECT_EQ(error_of(bytes,
                     [](CheckedCursor& c) {
                       c.skip(1, "magic");
                       c.take(3, "body");
                     }),
            "the bytes end too early: body at byte 1: 3 bytes wanted, 2 left");
  EXPECT_EQ(error_of(bytes, [](CheckedCursor& c) { c.take(-1, "body"); }),
            "negative length: body at byte 0: -1 bytes");
  EXPECT_NE(error_of(bytes, [](CheckedCursor& c) { c.read<uint32_t>("n"); }), "no error");
  const auto most = std::numeric_limits<int64_t>::max();
  EXPECT_NE(error_of(bytes, [most](CheckedCursor& c) { c.skip(most, "n"); }), "no error");
  EXPECT_NE(error_of({}, [](CheckedCursor& c) { c.read_varint64("n"); }), "no error");
}

TEST(Cursor, AFailedReadMovesNothing) {
  const std::vector<uint8_t> bytes = {0x80, 0x80};
  CheckedCursor cursor(bytes);
  EXPECT_THROW(cursor.read_varint32("n"), Error);
  EXPECT_THROW(cursor.take(3, "n"), Error);
  EXPECT_EQ(cursor.position(), 0);
}

TEST(Cursor, VarintsOfEveryLength) {
  for (int bit = 0; bit < 64; ++bit) {
    for (const uint64_t value : {uint64_t{1} << bit, (uint64_t{1} << bit) - 1}) {
      const auto bytes = varint(value);
      CheckedCursor cursor(bytes);
      EXPECT_EQ(cursor.read_varint64("n"), value);
      EXPECT_EQ(cursor.left(), 0);
      if (bit < 32) {
        CheckedCursor narrow(bytes);
        EXPECT_EQ(narrow.read_varint32("n"), value);
      }
      for (size_t shorter = 0; shorter < bytes.size(); ++shorter) {
        const std::vector<uint8_t> cut(bytes.begin(),
                                       bytes.begin() + static_cast<std::ptrdiff_t>(shorter));
        EXPECT_NE(error_of(cut, [](CheckedCursor& c) { c.read_varint64("n"); })
                      .find("end inside a variable-length number"),
                  std::string::npos);
      }
    }
  }
}

TEST(Cursor, VarintLimits) {
  const auto read64 = [](CheckedCursor& c) { c.read_varint64("n"); };
  const auto read32 = [](CheckedCursor& c) { c.read_varint32("n"); };
  std::vector<uint8_t> bytes = varint(std::numeric_limits<uint64_t>::max());
  ASSERT_EQ(bytes.size(), 10u);
  EXPECT_EQ(error_of(bytes, read64), "no error");
  bytes[9] = 2;  // the 65th bit
  EXPECT_NE(error_of(bytes, read64).find("does not fit"), std::string::npos);
  bytes[9] = 0x81;  // an 11th byte
  bytes.push_back(0);
  EXPECT_NE(error_of(bytes, read64).find("does not fit"), std::string::npos);

  bytes = varint(std::numeric_limits<uint32_t>::max());
  ASSERT_EQ(bytes.size(), 5u);
  EXPECT_EQ(error_of(bytes, read32), "no error");
  bytes[4] = 0x1F;  // the 33rd bit
  EXPECT_NE(error_of(bytes, read32).find("does not fit"), std::string::npos);
  bytes[4] = 0x8F;  // a 6th byte
  bytes.push_back(0);
  EXPECT_NE(error_of(bytes, read32).find("does not fit"), std::string::npos);

  // Padding within the limit is only wasteful.
  EXPECT_EQ(error_of({0x81, 0x80, 0x80, 0x80, 0x00}, read32), "no error");
}

TEST(Cursor, Zigzag) {
  const std::pair<uint64_t, int64_t> cases[] = {
      {0, 0},
      {1, -1},
      {2, 1},
      {std::numeric_limits<uint64_t>::max(), std::numeric_limits<int64_t>::min()},
      {std::numeric_limits<uint64_t>::max() - 1, std::numeric_limits<int64_t>::max()}};
  for (const auto& [encoded, value] : cases) {
    const auto bytes = varint(encoded);
    EXPECT_EQ(CheckedCursor(bytes).read_zigzag64("n"), value);
  }
}

TEST(Cursor, RawReadsTheSame) {
  const std::vector<uint8_t> bytes = {9, 1, 2, 3, 4};
  RawCursor cursor(bytes.data());
  cursor.skip(1);
  EXPECT_EQ(cursor.read<uint32_t>(), 0x04030201u);
  EXPECT_EQ(cursor.data(), bytes.data() + 5);
}

TEST(RawCursor, ReadsZigzagAsTheCheckedOneDoes) {
  const std::vector<uint8_t> bytes = {0x00, 0x01, 0x02, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                      0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0xAC, 0x02};
  RawCursor raw(bytes.data());
  CheckedCursor checked(bytes);
  while (checked.left() > 0) EXPECT_EQ(raw.read_zigzag64(), checked.read_zigzag64("number"));
  EXPECT_EQ(raw.data(), bytes.data() + bytes.size());
}

}  // namespace
}  // namespace colonnade
