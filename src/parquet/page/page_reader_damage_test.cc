// Chunks that lie about their pages, and what is not read.
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "parquet/page/testing/page_reading.h"
#include "parquet/testing/error_of.h"

namespace colonnade::parquet {
namespace {

using namespace testing;

TEST_F(PageReaderTest, PagesAboveTheLimit) {
  const int64_t size = size32(values_);
  const std::string words = "page larger than the limit for one page";
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    const std::function<void(FileBuilder&)> adds[] = {
        [&](FileBuilder& b) { add_v1(b, codec, {.num_values = 16}, values_); },
        [&](FileBuilder& b) { add_v2(b, codec, {.num_values = 16}, values_); },
        [&](FileBuilder& b) {
          add_v2(b, codec, {.num_values = 16, .is_compressed = false}, values_);
        },
        [&](FileBuilder& b) { add_dictionary(b, codec, {.num_values = 16}, values_); },
    };
    for (const auto& add : adds) {
      FileBuilder builder = chunk(codec);
      add(builder);
      PageReader reader = open(builder, {.codec = codec, .page_limit_bytes = size});
      EXPECT_TRUE(reader.next());
      expect_refused({.codec = codec, .page_limit_bytes = size - 1}, ErrorCode::kOutOfBudget, words,
                     add);
    }
  }
}

TEST_F(PageReaderTest, NoMemoryIsReservedForWhatTheCodecCannotExpandTo) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    expect_corrupt({.codec = codec}, "decompressed size is more than the codec can expand to",
                   [&](FileBuilder& b) {
                     b.page_v1({.num_values = 1, .uncompressed_bytes = 200 << 20},
                               compressed(codec, values_));
                   });
  }
  EXPECT_LT(context_.memory->peak_bytes(), 1 << 20);
}

TEST_F(PageReaderTest, UncompressedSizesThatDisagreeWithTheCodec) {
  for (const CompressionCodec codec : kCodecs) {
    for (const int32_t difference : {-1, 1}) {
      SCOPED_TRACE(name(codec));
      SCOPED_TRACE(difference);
      const int32_t size = size32(values_) + difference;
      // One byte more than an uncompressed page has is more than it expands to.
      const bool lz4 = codec == CompressionCodec::kLz4 || codec == CompressionCodec::kLz4Raw;
      const std::string words = codec == CompressionCodec::kUncompressed && difference > 0
                                    ? "decompressed size is more than the codec can expand to"
                                : lz4 ? "lz4 bytes are broken, or hold another size than stated"
                                      : "compressed bytes hold another size than stated";
      const Bytes payload = compressed(codec, values_);
      expect_corrupt({.codec = codec}, words, [&](FileBuilder& b) {
        b.page_v1({.num_values = 16, .uncompressed_bytes = size}, payload);
      });
      expect_corrupt({.codec = codec}, words, [&](FileBuilder& b) {
        b.page_v2({.num_values = 16, .uncompressed_bytes = size + size32(levels_)}, payload,
                  levels_);
      });
      expect_corrupt({.codec = codec}, words, [&](FileBuilder& b) {
        b.dictionary_page({.num_values = 16, .uncompressed_bytes = size}, payload);
      });
    }
  }
}

TEST_F(PageReaderTest, BytesThatTheCodecCannotRead) {
  const auto expect_broken = [&](CompressionCodec codec, size_t byte, const std::string& words) {
    Bytes payload = compressed(codec, values_);
    payload.at(byte) ^= 0xFF;
    expect_corrupt({.codec = codec}, words, [&](FileBuilder& b) {
      b.page_v1({.num_values = 16, .uncompressed_bytes = size32(values_)}, payload);
    });
  };
  expect_broken(CompressionCodec::kSnappy, 1, "snappy bytes are broken");
  expect_broken(CompressionCodec::kZstd, 0, "zstd frame cannot be read");
}

TEST_F(PageReaderTest, PagesBeyondTheirChunk) {
  const std::string words = "page reaches beyond its column chunk";
  for (const int32_t size : {size32(values_) + 1, 0x7FFFFFFF}) {
    SCOPED_TRACE(size);
    expect_corrupt({}, words, [&](FileBuilder& b) {
      b.page_v1({.num_values = 16, .compressed_bytes = size}, values_);
    });
    expect_corrupt({}, words, [&](FileBuilder& b) {
      b.page_v2({.num_values = 16, .compressed_bytes = size}, values_);
    });
    expect_corrupt({}, words, [&](FileBuilder& b) {
      b.dictionary_page({.num_values = 16, .compressed_bytes = size}, values_);
    });
    // Also of what is passed over.
    expect_corrupt({}, words, [&](FileBuilder& b) {
      b.page_v1({.num_values = 0, .compressed_bytes = size}, values_);
    });
  }
}

TEST_F(PageReaderTest, NegativeSizesAndCounts) {
  const std::string words = "negative number in a page header";
  for (const int32_t number : {-1, std::numeric_limits<int32_t>::min()}) {
    expect_corrupt({}, words, [&](FileBuilder& b) {
      b.page_v1({.num_values = 16, .uncompressed_bytes = number}, values_);
    });
    expect_corrupt({}, words, [&](FileBuilder& b) {
      b.page_v1({.num_values = 16, .compressed_bytes = number}, values_);
    });
    expect_corrupt({}, words, [&](FileBuilder& b) { b.page_v1({.num_values = number}, values_); });
    expect_corrupt({}, words, [&](FileBuilder& b) {
      b.page_v2({.num_values = 16, .definition_bytes = number}, values_);
    });
    expect_corrupt({}, words, [&](FileBuilder& b) {
      b.page_v2({.num_values = 16, .repetition_bytes = number}, values_);
    });
    expect_corrupt({}, words,
                   [&](FileBuilder& b) { b.dictionary_page({.num_values = number}, values_); });
  }
}

TEST_F(PageReaderTest, V1LevelsBeyondTheirPage) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    const auto expect_levels = [&](const Bytes& page, const std::string& words) {
      expect_corrupt({.codec = codec, .max_definition_level = 1}, words,
                     [&](FileBuilder& b) { add_v1(b, codec, {.num_values = 9}, page); });
    };
    expect_levels({3, 0, 0, 0, 2, 1}, "definition levels");
    expect_levels({0xFF, 0xFF, 0xFF, 0x7F, 2, 1}, "definition levels");
    expect_levels({0xFF, 0xFF, 0xFF, 0xFF, 2, 1}, "definition levels");
    expect_levels({2, 0, 0}, "length of levels");
    expect_levels({}, "length of levels");

    // As long as the page, they are all that it holds.
    FileBuilder builder = chunk(codec);
    add_v1(builder, codec, {.num_values = 9}, {2, 0, 0, 0, 18, 0});
    PageReader reader = open(builder, {.codec = codec, .max_definition_level = 1});
    const DataPage page = next_data(reader);
    EXPECT_EQ(copied(page.definition.bytes), (Bytes{18, 0}));
    EXPECT_TRUE(page.values.empty());
  }
}

TEST_F(PageReaderTest, V2LevelsBeyondTheirPage) {
  const std::string words = "levels longer than their page";
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    const auto expect_levels = [&](const V2Options& options) {
      expect_corrupt({.codec = codec, .max_definition_level = 1}, words,
                     [&](FileBuilder& b) { b.page_v2(options, {1, 2, 3, 4}); });
    };
    expect_levels({.num_values = 9, .uncompressed_bytes = 100, .definition_bytes = 5});
    expect_levels({.num_values = 9, .uncompressed_bytes = 100, .repetition_bytes = 5});
    expect_levels(
        {.num_values = 9, .uncompressed_bytes = 100, .definition_bytes = 3, .repetition_bytes = 2});
    // Added in 32 bits, these would be 4.
    expect_levels({.num_values = 9,
                   .uncompressed_bytes = 0x7FFFFFFF,
                   .definition_bytes = 0x7FFFFFFF,
                   .repetition_bytes = 0x7FFFFFFF});
    // Inside the compressed bytes, but not inside the uncompressed ones.
    expect_levels({.num_values = 9, .uncompressed_bytes = 3, .definition_bytes = 4});
  }
}

// A flat column has no lists that could make a row of several values.
TEST_F(PageReaderTest, V2PagesWithAnotherNumberOfRows) {
  for (const int32_t num_rows : {0, 15, 17}) {
    expect_corrupt(
        {}, "page of a flat column with another number of rows than values",
        [&](FileBuilder& b) { b.page_v2({.num_values = 16, .num_rows = num_rows}, values_); });
  }
}

// Cut off anywhere, a chunk gives the pages that are whole, and an error at the one that is not.
TEST_F(PageReaderTest, TruncatedHeadersAndBodies) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    FileBuilder builder = chunk(codec);
    std::vector<int64_t> borders = {builder.position()};
    add_dictionary(builder, codec, {.num_values = 16}, values_);
    borders.push_back(builder.position());
    add_v1(builder, codec, {.num_values = 9}, concat({v1_levels_, values_}));
    borders.push_back(builder.position());
    add_v2(builder, codec, {.num_values = 9, .num_nulls = 4}, values_, levels_);
    borders.push_back(builder.position());
    const Bytes file = builder.build();
    int64_t num_in_headers = 0, num_in_bodies = 0;
    for (int64_t end = kFirstPage; end <= builder.position(); ++end) {
      SCOPED_TRACE(end);
      PageReader reader = open(file, end, {.codec = codec, .max_definition_level = 1});
      size_t num_whole = 0;
      while (borders[num_whole + 1] <= end) {
        EXPECT_TRUE(reader.next());
        if (++num_whole + 1 == borders.size()) break;
      }
      if (borders[num_whole] == end) {
        EXPECT_FALSE(reader.next());
        continue;
      }
      const Error error = error_of([&] { reader.next(); });
      EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
      EXPECT_EQ(reader.page_offset(), borders[num_whole]);
      const bool in_header = error.what_happened() == "column chunk ends inside a page header";
      if (!in_header) {
        EXPECT_EQ(error.what_happened(), "page reaches beyond its column chunk");
      }
      ++(in_header ? num_in_headers : num_in_bodies);
    }
    EXPECT_GT(num_in_headers, 3 * 10);
    EXPECT_GT(num_in_bodies, 3 * 10);
  }
}

// --- what is not read

TEST_F(PageReaderTest, TheCodecThatIsNotReadIsNamed) {
  const CompressionCodec codec = CompressionCodec::kLzo;
  const Error error = error_of([&] { open(chunk(codec), {.codec = codec}); });
  EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
  EXPECT_EQ(error.what_happened(), "codec LZO is not read");
}

TEST_F(PageReaderTest, EncodingsThatAreNotReadAreNamed) {
  expect_refused({}, ErrorCode::kNotSupported,
                 "dictionary page in encoding DELTA_BYTE_ARRAY is not read", [&](FileBuilder& b) {
                   b.dictionary_page({.num_values = 16, .encoding = EncodingId::kDeltaByteArray},
                                     values_);
                 });
  const auto add_odd_levels = [&](FileBuilder& b) {
    b.page_v1({.num_values = 16,
               .definition_encoding = EncodingId::kPlain,
               .repetition_encoding = EncodingId::kPlain},
              values_);
  };
  expect_refused({.max_definition_level = 1}, ErrorCode::kNotSupported,
                 "definition levels in encoding PLAIN are not read", add_odd_levels);
  // Levels that are not there are in no encoding.
  FileBuilder builder = chunk();
  add_odd_levels(builder);
  PageReader reader = open(builder);
  EXPECT_EQ(copied(next_data(reader).values), values_);
}

}  // namespace
}  // namespace colonnade::parquet
