#include "parquet/format/thrift.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "parquet/testing/error_of.h"
#include "parquet/testing/thrift_writer.h"

namespace colonnade::parquet::thrift {
namespace {

using parquet::testing::Bytes;
using parquet::testing::error_of;
using parquet::testing::ThriftWriter;

// The first field of a struct, its header read.
struct Opened {
  explicit Opened(const Bytes& bytes, AtEnd at_end = AtEnd::kThrow)
      : reader(bytes, "test", at_end) {
    has_field = reader.next(field);
  }
  Reader reader;
  Field field;
  bool has_field = false;
};

TEST(ThriftReader, FieldIdsAreDifferencesOrWrittenOut) {
  // Delta 3, i32; delta 0, i32, id 200 in zigzag; delta 1.
  const Bytes bytes = {0x35, 0x02, 0x05, 0x90, 0x03, 0x04, 0x15, 0x06, 0x00};
  Reader reader(bytes, "test");
  Field field;
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.id, 3);
  EXPECT_EQ(reader.i32(field, "a"), 1);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.id, 200);
  EXPECT_EQ(reader.i32(field, "b"), 2);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.id, 201);
  EXPECT_EQ(reader.i32(field, "c"), 3);
  EXPECT_FALSE(reader.next(field));
  EXPECT_EQ(reader.left(), 0);
}

TEST(ThriftReader, IdsMayComeInAnyOrder) {
  ThriftWriter w;
  w.i32(9, 1).i32(2, 2).i32(-5, 3).stop();
  Reader reader(w.bytes(), "test");
  std::vector<int16_t> ids;
  for (Field field; reader.next(field);) {
    ids.push_back(field.id);
    reader.skip(field);
  }
  EXPECT_EQ(ids, (std::vector<int16_t>{9, 2, -5}));
}

TEST(ThriftReader, FieldIdsBeyond16BitsAreCorrupt) {
  ThriftWriter overflowing;
  overflowing.i32(32767, 1).byte(0x15).byte(0x02).stop();
  Reader reader(overflowing.bytes(), "test");
  Field field;
  ASSERT_TRUE(reader.next(field));
  reader.skip(field);
  EXPECT_EQ(error_of([&] { reader.next(field); }).code(), ErrorCode::kCorruptData);

  ThriftWriter written_out;
  written_out.byte(0x05).zigzag(40000).zigzag(1).stop();
  EXPECT_EQ(error_of([&] { Opened opened(written_out.bytes()); }).code(), ErrorCode::kCorruptData);
}

TEST(ThriftReader, IntegersAtTheirLimits) {
  ThriftWriter w;
  w.i8(1, -128)
      .i16(2, std::numeric_limits<int16_t>::min())
      .i32(3, std::numeric_limits<int32_t>::min());
  w.i32(4, std::numeric_limits<int32_t>::max()).i64(5, std::numeric_limits<int64_t>::min());
  w.i64(6, std::numeric_limits<int64_t>::max()).i64(7, -1).stop();
  Reader reader(w.bytes(), "test");
  Field field;
  reader.next(field);
  EXPECT_EQ(reader.i8(field, "v"), -128);
  reader.next(field);
  EXPECT_EQ(reader.i16(field, "v"), -32768);
  reader.next(field);
  EXPECT_EQ(reader.i32(field, "v"), std::numeric_limits<int32_t>::min());
  reader.next(field);
  EXPECT_EQ(reader.i32(field, "v"), std::numeric_limits<int32_t>::max());
  reader.next(field);
  EXPECT_EQ(reader.i64(field, "v"), std::numeric_limits<int64_t>::min());
  reader.next(field);
  EXPECT_EQ(reader.i64(field, "v"), std::numeric_limits<int64_t>::max());
  reader.next(field);
  EXPECT_EQ(reader.i64(field, "v"), -1);
  EXPECT_FALSE(reader.next(field));
}

TEST(ThriftReader, NumbersOutsideTheirTypeAreCorrupt) {
  ThriftWriter w;
  w.header(1, WireType::kI32).zigzag(int64_t{1} << 31).stop();
  Opened opened(w.bytes());
  const Error error = error_of([&] { opened.reader.i32(opened.field, "version"); });
  EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
  EXPECT_NE(std::string(error.what()).find("version at test byte 6: 2147483648 is no i32"),
            std::string::npos)
      << error.what();
}

TEST(ThriftReader, VarintsOfMoreThan64BitsAreCorrupt) {
  for (const Bytes& number :
       {Bytes(11, 0x80), Bytes{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}}) {
    ThriftWriter w;
    w.header(1, WireType::kI64).raw(number).byte(1).stop();
    Opened opened(w.bytes());
    EXPECT_EQ(error_of([&] { opened.reader.i64(opened.field, "v"); }).code(),
              ErrorCode::kCorruptData);
  }
  ThriftWriter longest;
  longest.header(1, WireType::kI64).raw(Bytes(9, 0xff)).byte(1).stop();
  Opened opened(longest.bytes());
  EXPECT_EQ(opened.reader.i64(opened.field, "v"), std::numeric_limits<int64_t>::min());
}

TEST(ThriftReader, BooleansStandInTheHeader) {
  const Bytes bytes = {0x11, 0x12, 0x00};
  Reader reader(bytes, "test");
  Field field;
  reader.next(field);
  EXPECT_TRUE(reader.boolean(field, "v"));
  reader.next(field);
  EXPECT_FALSE(reader.boolean(field, "v"));
  EXPECT_FALSE(reader.next(field));
}

TEST(ThriftReader, KnownFieldsOfAnotherTypeAreCorrupt) {
  ThriftWriter w;
  w.i64(1, 5).stop();
  Opened opened(w.bytes());
  EXPECT_EQ(error_of([&] { opened.reader.i32(opened.field, "v"); }).code(),
            ErrorCode::kCorruptData);
  EXPECT_EQ(error_of([&] { opened.reader.boolean(opened.field, "v"); }).code(),
            ErrorCode::kCorruptData);
  EXPECT_EQ(error_of([&] { opened.reader.binary(opened.field, "v"); }).code(),
            ErrorCode::kCorruptData);
  EXPECT_EQ(error_of([&] { opened.reader.begin_struct(opened.field, "v"); }).code(),
            ErrorCode::kCorruptData);
  EXPECT_EQ(error_of([&] { opened.reader.begin_list(opened.field, WireType::kI32, "v"); }).code(),
            ErrorCode::kCorruptData);
  EXPECT_EQ(opened.reader.i64(opened.field, "v"), 5);
}

TEST(ThriftReader, ListsInBothForms) {
  ThriftWriter w;
  w.list(1, WireType::kI32, 3).element_i32(1).element_i32(-2).element_i32(3);
  w.list(2, WireType::kBinary, 20);
  for (int i = 0; i < 20; ++i) w.element_binary(std::string(static_cast<size_t>(i), 'x'));
  w.list(3, WireType::kStop, 0).stop();
  Reader reader(w.bytes(), "test");
  Field field;
  reader.next(field);
  ASSERT_EQ(reader.begin_list(field, WireType::kI32, "v"), 3);
  EXPECT_EQ(reader.i32_element("v"), 1);
  EXPECT_EQ(reader.i32_element("v"), -2);
  EXPECT_EQ(reader.i32_element("v"), 3);
  reader.next(field);
  ASSERT_EQ(reader.begin_list(field, WireType::kBinary, "v"), 20);
  for (size_t i = 0; i < 20; ++i) EXPECT_EQ(reader.string_element("v").size(), i);
  reader.next(field);
  EXPECT_EQ(reader.begin_list(field, WireType::kStruct, "v"),
            0);  // an empty list may have any type
  EXPECT_FALSE(reader.next(field));
}

TEST(ThriftReader, ListsOfAnotherTypeAreCorrupt) {
  ThriftWriter w;
  w.list(1, WireType::kI64, 1).element_i64(1).stop();
  Opened opened(w.bytes());
  EXPECT_EQ(error_of([&] { opened.reader.begin_list(opened.field, WireType::kI32, "v"); }).code(),
            ErrorCode::kCorruptData);
}

TEST(ThriftReader, ClaimedSizesAreComparedWithWhatIsLeft) {
  for (const int64_t claimed :
       {int64_t{4}, int64_t{268435455}, int64_t{INT32_MAX}, int64_t{1} << 31, int64_t{-1}}) {
    ThriftWriter list;
    list.header(1, WireType::kList)
        .byte(0xfc)
        .varint(static_cast<uint64_t>(claimed))
        .stop()
        .stop()
        .stop();
    Opened opened(list.bytes());
    EXPECT_EQ(
        error_of([&] { opened.reader.begin_list(opened.field, WireType::kStruct, "v"); }).code(),
        ErrorCode::kCorruptData)
        << claimed;
    Opened skipped(list.bytes());
    EXPECT_EQ(error_of([&] { skipped.reader.skip(skipped.field); }).code(), ErrorCode::kCorruptData)
        << claimed;

    ThriftWriter binary;
    binary.header(1, WireType::kBinary)
        .varint(static_cast<uint64_t>(claimed))
        .byte('a')
        .byte('b')
        .byte('c');
    Opened text(binary.bytes());
    EXPECT_EQ(error_of([&] { text.reader.binary(text.field, "v"); }).code(),
              ErrorCode::kCorruptData)
        << claimed;
    Opened skipped_text(binary.bytes());
    EXPECT_EQ(error_of([&] { skipped_text.reader.skip(skipped_text.field); }).code(),
              ErrorCode::kCorruptData)
        << claimed;
  }
}

// One field of every wire type, and a last one behind them.
Bytes every_type() {
  ThriftWriter w;
  w.boolean(1, true)
      .boolean(2, false)
      .i8(3, 1)
      .i16(4, -300)
      .i32(5, 1 << 20)
      .i64(6, int64_t{1} << 60);
  w.real(7, 1.5).binary(8, std::string(300, 'x'));
  w.list(9, WireType::kI32, 20);
  for (int i = 0; i < 20; ++i) w.element_i32(i * 1000);
  w.list(10, WireType::kTrue, 3).byte(1).byte(2).byte(0);
  w.header(11, WireType::kSet).byte(0x28).element_binary("a").element_binary("bc");
  w.header(12, WireType::kMap)
      .varint(2)
      .byte(0x81)
      .element_binary("k")
      .byte(1)
      .element_binary("l")
      .byte(2);
  w.header(13, WireType::kMap).varint(0);
  w.structure(14, [&] { w.i32(1, 1).structure(2, [&] { w.binary(300, "deep"); }); });
  w.list(15, WireType::kStruct, 2).element_structure([&] { w.i64(1, 7); }).element_structure([] {});
  w.list(16, WireType::kList, 1).byte(0x15).zigzag(3);
  w.header(17, WireType::kUuid).raw(Bytes(16, 0xff));
  w.list(18, WireType::kDouble, 1).raw(Bytes(8, 0));
  w.i32(1000, 42).stop();
  return w.bytes();
}

TEST(ThriftReader, PassesOverEveryType) {
  const Bytes bytes = every_type();
  Reader reader(bytes, "test");
  int32_t last = 0;
  for (Field field; reader.next(field);) {
    if (field.id == 1000) {
      last = reader.i32(field, "last");
    } else {
      reader.skip(field);
    }
  }
  EXPECT_EQ(last, 42);
  EXPECT_EQ(reader.left(), 0);

  Reader whole(bytes, "test");
  whole.skip_struct();
  EXPECT_EQ(whole.left(), 0);
}

TEST(ThriftReader, EndsInsideEveryTypeAreSeen) {
  const Bytes bytes = every_type();
  for (size_t size = 0; size < bytes.size(); ++size) {
    // A copy of that size, so that a read behind it is seen by the sanitizers.
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    Reader throwing(cut, "test");
    EXPECT_EQ(error_of([&] { throwing.skip_struct(); }).code(), ErrorCode::kCorruptData) << size;
    Reader stopping(cut, "test", AtEnd::kStop);
    stopping.skip_struct();
    EXPECT_TRUE(stopping.ended()) << size;
    Field field;
    EXPECT_FALSE(stopping.next(field));
  }
}

TEST(ThriftReader, AfterTheEndValuesAreZeroAndEmpty) {
  ThriftWriter w;
  w.header(1, WireType::kI32).byte(0x80);
  Opened opened(w.bytes(), AtEnd::kStop);
  ASSERT_TRUE(opened.has_field);
  EXPECT_EQ(opened.reader.i32(opened.field, "v"), 0);
  EXPECT_TRUE(opened.reader.ended());
  EXPECT_TRUE(opened.reader.binary_element("v").empty());
  EXPECT_EQ(opened.reader.left(), 0);
}

TEST(ThriftReader, UnknownWireTypesAreCorrupt) {
  for (const uint8_t type : {14, 15}) {
    const Bytes bytes = {static_cast<uint8_t>(0x10 | type), 0, 0, 0};
    Opened opened(bytes, AtEnd::kStop);
    EXPECT_EQ(error_of([&] { opened.reader.skip(opened.field); }).code(), ErrorCode::kCorruptData);
  }
  const Bytes list_of_stops = {0x19, 0x20, 0, 0, 0};
  Opened opened(list_of_stops);
  EXPECT_EQ(error_of([&] { opened.reader.skip(opened.field); }).code(), ErrorCode::kCorruptData);
}

TEST(ThriftReader, HostileNestingIsRefused) {
  // Structs in structs, lists in lists and maps in maps, each a byte or two deep.
  for (const Bytes& level : {Bytes{0x1c}, Bytes{0x19}, Bytes{0x1b}}) {
    Bytes bytes = level;
    for (int i = 0; i < 1'000'000; ++i) {
      if (level[0] == 0x1c) bytes.push_back(0x1c);
      if (level[0] == 0x19) bytes.push_back(0x19);  // a list of one list
      if (level[0] == 0x1b) bytes.insert(bytes.end(), {0x01, 0xbb});
    }
    Opened opened(bytes, AtEnd::kStop);
    const Error error = error_of([&] { opened.reader.skip(opened.field); });
    EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
    EXPECT_EQ(error.what_happened(), "values are nested too deeply");
  }
}

TEST(ThriftReader, NestingUpToTheLimitIsRead) {
  const auto nested = [](int depth) {
    Bytes bytes(static_cast<size_t>(depth), 0x1c);
    bytes.insert(bytes.end(), static_cast<size_t>(depth) + 1, 0x00);
    return bytes;
  };
  const Bytes deep = nested(Reader::kMaxSkipDepth - 1);
  Reader reader(deep, "test");
  reader.skip_struct();
  EXPECT_EQ(reader.left(), 0);
  const Bytes deeper = nested(Reader::kMaxSkipDepth);
  Reader refused(deeper, "test");
  EXPECT_EQ(error_of([&] { refused.skip_struct(); }).code(), ErrorCode::kCorruptData);
}

}  // namespace
}  // namespace colonnade::parquet::thrift
