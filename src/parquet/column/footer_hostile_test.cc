// Footers that lie: an error or an answer, in memory that their size justifies, never more.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "parquet/column/leaf.h"
#include "parquet/format/metadata.h"
#include "parquet/testing/error_of.h"
#include "parquet/testing/file_builder.h"

namespace colonnade::parquet {
namespace {

using testing::Bytes;
using testing::error_of;
using testing::FileBuilder;
using testing::FooterClaims;
using testing::ThriftWriter;
using thrift::WireType;

constexpr int64_t kFileSize = 1 << 20;

// What a footer may take, its own bytes left out.
int64_t limit_for(const Bytes& footer) {
  return (int64_t{1} << 20) + 15 * static_cast<int64_t>(footer.size());
}

// Reads everything that a footer says. Gives whether it was taken for one; other errors than those
// of files end the test.
bool read_all(const Bytes& footer) {
  const auto pool = MemoryPool::make_root("footer");
  bool read = false;
  {
    Context context;
    context.memory = pool;
    try {
      const Footer parsed = Footer::parse(
          context, Buffer::wrap(footer.data(), static_cast<int64_t>(footer.size()), nullptr),
          kFileSize);
      EXPECT_LE(pool->peak_bytes(), limit_for(footer));
      read = true;
      for (int32_t group = 0; group < static_cast<int32_t>(parsed.row_groups().size()); ++group) {
        for (int32_t leaf = 0; leaf < parsed.num_leaves(); ++leaf) {
          try {
            const ChunkMetadata chunk = parsed.chunk(group, leaf);
            EXPECT_GE(chunk.num_values, 0);
            EXPECT_LE(
                chunk.first_page_offset() + (chunk.file_path.empty() ? chunk.compressed_bytes : 0),
                kFileSize);
          } catch (const Error& error) {
            EXPECT_TRUE(error.code() == ErrorCode::kCorruptData ||
                        error.code() == ErrorCode::kNotSupported)
                << error.what();
          }
        }
      }
      const FileSchema schema = make_file_schema(parsed);
      EXPECT_EQ(schema.leaves.size(), static_cast<size_t>(parsed.num_leaves()));
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == ErrorCode::kCorruptData ||
                  error.code() == ErrorCode::kNotSupported ||
                  error.code() == ErrorCode::kOutOfBudget)
          << error.what();
    }
  }
  EXPECT_EQ(pool->used_bytes(), 0);
  return read;
}

// A bit of everything that footers have.
Bytes rich_footer() {
  Statistics statistics;
  statistics.min_value = "aaaa";
  statistics.max_value = "zzzz";
  statistics.null_count = 1;
  SchemaElement id =
      testing::leaf("id", PhysicalType::kInt32, Repetition::kOptional,
                    {.kind = LogicalType::Kind::kInteger, .is_signed = false, .bit_width = 16});
  id.field_id = 7;
  FileBuilder builder;
  builder.element(id)
      .element(testing::group("tags", 1, Repetition::kOptional, {.kind = LogicalType::Kind::kList}))
      .element(testing::group("list", 1, Repetition::kRepeated))
      .element(testing::leaf("element", PhysicalType::kByteArray, Repetition::kOptional,
                             {.kind = LogicalType::Kind::kString}))
      .column("t", PhysicalType::kInt64, Repetition::kRequired,
              {.kind = LogicalType::Kind::kTimestamp,
               .unit = TimeUnit::kMicro,
               .adjusted_to_utc = true})
      .column("d", PhysicalType::kFixedLenByteArray, Repetition::kOptional,
              {.kind = LogicalType::Kind::kDecimal, .precision = 12, .scale = 2}, 6);
  for (int row_group = 0; row_group < 3; ++row_group) {
    builder.row_group(4);
    for (int chunk = 0; chunk < 4; ++chunk) {
      builder.chunk(CompressionCodec::kSnappy)
          .page_v1({.num_values = 4}, Bytes(16))
          .statistics(statistics);
    }
  }
  builder.created_by("a writer of footers")
      .key_value("key", "value")
      .key_value("none", std::nullopt);
  return builder.lie([](FooterClaims& f) { f.column_orders = {{1, 1, 1, 1}}; }).build_footer();
}

TEST(HostileFooter, CutAtEveryByte) {
  const Bytes footer = rich_footer();
  ASSERT_TRUE(read_all(footer));
  for (size_t size = 0; size < footer.size(); ++size) {
    const Bytes cut(footer.begin(), footer.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(read_all(cut)) << size;
  }
}

TEST(HostileFooter, EveryBitFlipped) {
  const Bytes footer = rich_footer();
  int num_read = 0;
  for (size_t bit = 0; bit < footer.size() * 8; ++bit) {
    Bytes flipped = footer;
    flipped[bit / 8] = static_cast<uint8_t>(flipped[bit / 8] ^ (1u << (bit % 8)));
    if (read_all(flipped)) ++num_read;
  }
  EXPECT_GT(num_read, 0);  // a flipped bit in a name or a statistic is nobody's business
}

TEST(HostileFooter, EveryByteAtItsExtremes) {
  const Bytes footer = rich_footer();
  for (size_t i = 0; i < footer.size(); ++i) {
    for (const uint8_t byte : {0x00, 0x7f, 0x80, 0xff, 0x19, 0x1c}) {
      Bytes changed = footer;
      changed[i] = byte;
      read_all(changed);
    }
  }
}

// A list that claims 268,435,455 elements, where there is nothing (and where there are kilobytes of
// zeros).
TEST(HostileFooter, ListsThatClaimMoreThanThereIs) {
  for (const int16_t list : {int16_t{2}, int16_t{4}, int16_t{5}, int16_t{7}, int16_t{99}}) {
    for (const int64_t claimed : {int64_t{268435455}, int64_t{INT32_MAX}}) {
      ThriftWriter w;
      w.i32(1, 1).header(list, WireType::kList).byte(0xfc).varint(static_cast<uint64_t>(claimed));
      w.raw(Bytes(4096, 0));
      EXPECT_FALSE(read_all(w.bytes())) << list;
    }
  }
  ThriftWriter chunks;
  chunks.i32(1, 1)
      .list(4, WireType::kStruct, 1)
      .header(1, WireType::kList)
      .byte(0xfc)
      .varint(268435455);
  EXPECT_FALSE(read_all(chunks.bytes()));
}

TEST(HostileFooter, StringsThatClaimMoreThanThereIs) {
  ThriftWriter w;
  w.i32(1, 1)
      .list(5, WireType::kStruct, 1)
      .header(1, WireType::kBinary)
      .varint(INT32_MAX - 1)
      .raw(Bytes(100, 'x'));
  EXPECT_FALSE(read_all(w.bytes()));
}

// Lists whose elements are there, and as small as they can be: a byte each.
TEST(HostileFooter, MillionsOfTheSmallestElements) {
  constexpr int64_t kElements = 3'000'000;
  const Bytes zeros(kElements, 0);
  ThriftWriter chunks;  // empty ColumnChunk structs of one row group
  chunks.i32(1, 1).list(2, WireType::kStruct, 1).element_structure([&] {
    chunks.binary(4, "root");
  });
  chunks.i64(3, 0).list(4, WireType::kStruct, 1).element_structure([&] {
    chunks.list(1, WireType::kStruct, kElements).raw(zeros).i64(2, 0).i64(3, 0);
  });
  chunks.stop();
  EXPECT_FALSE(read_all(chunks.bytes()));

  for (const int16_t list : {int16_t{2}, int16_t{4}, int16_t{5}, int16_t{7}, int16_t{99}}) {
    ThriftWriter w;
    w.i32(1, 1).list(list, WireType::kStruct, kElements).raw(zeros).stop();
    EXPECT_FALSE(read_all(w.bytes())) << list;
  }
}

TEST(HostileFooter, MillionsOfRowGroupsWithoutColumns) {
  constexpr int64_t kRowGroups = 500'000;
  ThriftWriter w;
  w.i32(1, 1).list(2, WireType::kStruct, 1).element_structure([&] { w.binary(4, ""); });
  w.i64(3, 0).list(4, WireType::kStruct, kRowGroups);
  for (int64_t i = 0; i < kRowGroups; ++i) {
    w.element_structure([&] { w.list(1, WireType::kStruct, 0).i64(2, 0).i64(3, 0); });
  }
  w.stop();
  read_all(w.bytes());  // read or out of budget; the bound on memory is what counts
}

TEST(HostileFooter, MillionsOfColumns) {
  constexpr int32_t kColumns = 200'000;
  ThriftWriter w;
  w.i32(1, 1).list(2, WireType::kStruct, kColumns + 1);
  w.element_structure([&] { w.binary(4, "").i32(5, kColumns); });
  for (int32_t i = 0; i < kColumns; ++i) {
    w.element_structure([&] { w.i32(1, 1).i32(3, 0).binary(4, ""); });
  }
  w.i64(3, 0).list(4, WireType::kStruct, 0).stop();
  EXPECT_TRUE(read_all(w.bytes()));
}

// Each of many columns has the long name of the group around it in its path.
TEST(HostileFooter, ALongNameAroundManyColumns) {
  constexpr int32_t kColumns = 20'000;
  ThriftWriter w;
  w.i32(1, 1).list(2, WireType::kStruct, kColumns + 2);
  w.element_structure([&] { w.binary(4, "").i32(5, 1); });
  w.element_structure([&] { w.i32(3, 0).binary(4, std::string(200'000, 'x')).i32(5, kColumns); });
  for (int32_t i = 0; i < kColumns; ++i) {
    w.element_structure([&] { w.i32(1, 1).i32(3, 0).binary(4, ""); });
  }
  w.i64(3, 0).list(4, WireType::kStruct, 0).stop();
  const Footer footer = Footer::parse(
      Context(), Buffer::wrap(w.bytes().data(), static_cast<int64_t>(w.bytes().size()), nullptr),
      kFileSize);
  EXPECT_EQ(error_of([&] { make_file_schema(footer); }).code(), ErrorCode::kOutOfBudget);
}

TEST(HostileFooter, HostileNestingInPlacesThatAreNotRead) {
  for (const int16_t id : {int16_t{8}, int16_t{99}}) {
    ThriftWriter w;
    w.i32(1, 1).header(id, WireType::kStruct).raw(Bytes(1'000'000, 0x1c));
    EXPECT_FALSE(read_all(w.bytes()));
  }
}

TEST(HostileFooter, TheSameListTwice) {
  for (const int16_t list : {int16_t{2}, int16_t{4}}) {
    ThriftWriter w;
    for (int i = 0; i < 2; ++i) {
      w.list(list, WireType::kStruct, 1).element_structure([&] {
        if (list == 2) w.binary(4, "root");
        if (list == 4) w.list(1, WireType::kStruct, 0).i64(2, 0).i64(3, 0);
      });
    }
    w.stop();
    EXPECT_FALSE(read_all(w.bytes()));
  }
}

TEST(HostileFooter, ABudgetThatIsTooSmallIsSaidAndKept) {
  const Bytes footer = rich_footer();
  for (int64_t limit = 0; limit < 4096; limit += 64) {
    Context context;
    context.memory = MemoryPool::make_root("small", {.limit_bytes = limit});
    try {
      const Footer parsed = Footer::parse(
          context, Buffer::wrap(footer.data(), static_cast<int64_t>(footer.size()), nullptr),
          kFileSize);
      make_file_schema(parsed);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget) << error.what();
    }
    EXPECT_LE(context.memory->peak_bytes(), limit);
    EXPECT_EQ(context.memory->used_bytes(), 0);
  }
}

}  // namespace
}  // namespace colonnade::parquet
