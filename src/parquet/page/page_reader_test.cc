#include "parquet/page/page_reader.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parquet/page/testing/page_reading.h"
#include "parquet/testing/error_of.h"

namespace colonnade::parquet {
namespace {

using namespace testing;

// --- data pages

TEST_F(PageReaderTest, V1PageWithoutLevels) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    FileBuilder builder = chunk(codec);
    add_v1(builder, codec, {.num_values = 16, .encoding = EncodingId::kPlain}, values_);
    PageReader reader = open(builder, {.codec = codec});
    const DataPage page = next_data(reader);
    EXPECT_EQ(page.num_values, 16);
    EXPECT_EQ(page.encoding, EncodingId::kPlain);
    EXPECT_EQ(page.num_nulls, std::nullopt);
    EXPECT_TRUE(page.definition.bytes.empty());
    EXPECT_EQ(copied(page.values), values_);
    EXPECT_TRUE(page.memory.empty());
    EXPECT_FALSE(reader.next());
  }
}

TEST_F(PageReaderTest, V1PageWithLevels) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    FileBuilder builder = chunk(codec);
    add_v1(builder, codec, {.num_values = 9, .encoding = EncodingId::kDeltaBinaryPacked},
           concat({v1_levels_, values_}));
    PageReader reader = open(builder, {.codec = codec, .max_definition_level = 1});
    const DataPage page = next_data(reader);
    EXPECT_EQ(page.num_values, 9);
    EXPECT_EQ(page.encoding, EncodingId::kDeltaBinaryPacked);
    EXPECT_EQ(page.num_nulls, std::nullopt);
    EXPECT_EQ(copied(page.definition.bytes), levels_);
    EXPECT_EQ(copied(page.values), values_);
  }
}

// The levels of v2 lie in front of what is compressed; repetition levels have nothing to say.
TEST_F(PageReaderTest, V2PageWithLevels) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    FileBuilder builder = chunk(codec);
    add_v2(builder, codec,
           {.num_values = 9, .num_nulls = 4, .encoding = EncodingId::kByteStreamSplit}, values_,
           levels_, {18, 0, 99});
    PageReader reader = open(builder, {.codec = codec, .max_definition_level = 1});
    const DataPage page = next_data(reader);
    EXPECT_EQ(page.num_values, 9);
    EXPECT_EQ(page.encoding, EncodingId::kByteStreamSplit);
    EXPECT_EQ(page.num_nulls, 4);
    EXPECT_EQ(copied(page.definition.bytes), levels_);
    EXPECT_EQ(copied(page.values), values_);
  }
}

TEST_F(PageReaderTest, V2LevelsOfARequiredColumnArePassedOver) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    FileBuilder builder = chunk(codec);
    add_v2(builder, codec, {.num_values = 16}, values_);
    add_v2(builder, codec, {.num_values = 16}, values_, levels_, {18, 0, 99});
    PageReader reader = open(builder, {.codec = codec});
    for (int i = 0; i < 2; ++i) {
      const DataPage page = next_data(reader);
      EXPECT_EQ(page.num_nulls, 0);
      EXPECT_TRUE(page.definition.bytes.empty());
      EXPECT_EQ(copied(page.values), values_);
    }
  }
}

TEST_F(PageReaderTest, V2PagesSayWhetherTheyAreCompressed) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    const bool compresses = codec != CompressionCodec::kUncompressed;
    FileBuilder builder = chunk(codec);
    for (const std::optional<bool> flag : {std::optional<bool>(), {true}, {false}}) {
      add_v2(builder, codec, {.num_values = 9, .num_nulls = 4, .is_compressed = flag}, values_,
             levels_);
    }
    PageReader reader = open(builder, {.codec = codec, .max_definition_level = 1});
    for (const bool is_compressed : {compresses, compresses, false}) {
      const DataPage page = next_data(reader);
      EXPECT_EQ(copied(page.definition.bytes), levels_);
      EXPECT_EQ(copied(page.values), values_);
      // Decompressed to memory with slack behind it; the rest lies in the middle of the file.
      EXPECT_EQ(page.readable_behind, is_compressed ? MutableBuffer::kPaddingBytes : 0);
    }
    EXPECT_FALSE(reader.next());
  }
}

TEST_F(PageReaderTest, NothingIsReadableBehindV1ValuesUnlessDecompressed) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    FileBuilder builder = chunk(codec);
    add_v1(builder, codec, {.num_values = 9}, concat({v1_levels_, values_}));
    for (const bool share : {false, true}) {
      PageReader reader =
          open(builder, {.codec = codec, .max_definition_level = 1, .share_data_pages = share});
      EXPECT_EQ(next_data(reader).readable_behind,
                codec == CompressionCodec::kUncompressed ? 0 : MutableBuffer::kPaddingBytes);
    }
  }
}

TEST_F(PageReaderTest, PagesOfNullsHaveNoValuesToDecompress) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    const V2Options options = {
        .num_values = 9, .num_nulls = 9, .uncompressed_bytes = size32(levels_)};
    const FileBuilder builder =
        chunk(codec).page_v2(options, {}, levels_).page_v2(options, compressed(codec, {}), levels_);
    PageReader reader = open(builder, {.codec = codec, .max_definition_level = 1});
    for (int i = 0; i < 2; ++i) {
      const DataPage page = next_data(reader);
      EXPECT_EQ(page.num_nulls, 9);
      EXPECT_EQ(copied(page.definition.bytes), levels_);
      EXPECT_TRUE(page.values.empty());
      EXPECT_EQ(page.readable_behind, 0);
    }
    EXPECT_FALSE(reader.next());
  }
}

// --- dictionary pages

TEST_F(PageReaderTest, DictionaryOutlivesTheReader) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    DictionaryPage page;
    {
      FileBuilder builder = chunk(codec);
      add_dictionary(builder, codec, {.num_values = 16, .encoding = EncodingId::kPlainDictionary},
                     values_);
      add_v1(builder, codec, {.num_values = 16, .encoding = EncodingId::kRleDictionary},
             plain_int64({1, 2, 3}));
      PageReader reader = open(builder, {.codec = codec});
      page = next_dictionary(reader);
      EXPECT_EQ(copied(next_data(reader).values), plain_int64({1, 2, 3}));
      EXPECT_FALSE(reader.next());
    }
    EXPECT_EQ(page.num_entries, 16);
    EXPECT_EQ(copied(page.bytes.as<uint8_t>()), values_);
  }
}

TEST_F(PageReaderTest, DictionaryOfNoEntries) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    for (const Bytes& payload : {Bytes{}, compressed(codec, {})}) {
      PageReader reader =
          open(chunk(codec).dictionary_page({.uncompressed_bytes = 0}, payload), {.codec = codec});
      const DictionaryPage page = next_dictionary(reader);
      EXPECT_EQ(page.num_entries, 0);
      EXPECT_TRUE(page.bytes.empty());
      EXPECT_FALSE(reader.next());
    }
  }
}

// Whether a page needs one is for its decoder to say.
TEST_F(PageReaderTest, DictionaryCanBeMissing) {
  const Bytes ids = dictionary_ids({0, 1, 0}, 1);
  PageReader reader =
      open(chunk().page_v1({.num_values = 3, .encoding = EncodingId::kRleDictionary}, ids));
  const DataPage page = next_data(reader);
  EXPECT_EQ(page.encoding, EncodingId::kRleDictionary);
  EXPECT_EQ(copied(page.values), ids);
}

TEST_F(PageReaderTest, DictionaryIsTheFirstPageOrNone) {
  const std::string words = "dictionary page behind another page of its column chunk";
  const auto expect_second_refused = [&](const std::function<void(FileBuilder&)>& add_first) {
    FileBuilder builder = chunk();
    add_first(builder);
    const int64_t page_offset = builder.position();
    PageReader reader = open(builder.dictionary_page({.num_values = 16}, values_));
    const Error error = error_of([&] {
      while (reader.next()) {
      }
    });
    EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
    EXPECT_EQ(error.what_happened(), words);
    EXPECT_EQ(reader.page_offset(), page_offset);
  };
  expect_second_refused([&](FileBuilder& b) { b.dictionary_page({.num_values = 16}, values_); });
  expect_second_refused([&](FileBuilder& b) { b.page_v1({.num_values = 16}, values_); });
  expect_second_refused([&](FileBuilder& b) { b.page_v2({.num_values = 16}, values_); });
  expect_second_refused([&](FileBuilder& b) { b.page_v1({.num_values = 0}, {}); });
  expect_second_refused([&](FileBuilder& b) { b.page_v2({.num_values = 0}, {}); });

  PageReader reader =
      open(chunk().index_page({1, 2, 3}).dictionary_page({.num_values = 16}, values_));
  EXPECT_EQ(next_dictionary(reader).num_entries, 16);
}

// --- from page to page

TEST_F(PageReaderTest, PagesWithoutValuesArePassedOver) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    // Their bytes are not looked at: they are no stream of any codec.
    const Bytes junk = {0xFF, 0xFE, 0xFD};
    const auto add_junk = [&](FileBuilder& builder) {
      builder.index_page(junk);
      builder.page_v1({.num_values = 0, .uncompressed_bytes = 100}, junk);
      builder.page_v2({.num_values = 0, .uncompressed_bytes = 100, .definition_bytes = 50}, junk);
    };
    FileBuilder builder = chunk(codec);
    add_junk(builder);
    const int64_t first = builder.position();
    add_v1(builder, codec, {.num_values = 1}, plain_int32({1}));
    add_junk(builder);
    const int64_t second = builder.position();
    add_v2(builder, codec, {.num_values = 1}, plain_int32({2}));
    add_junk(builder);
    PageReader reader = open(builder, {.codec = codec});
    EXPECT_EQ(copied(next_data(reader).values), plain_int32({1}));
    EXPECT_EQ(reader.page_offset(), first);
    EXPECT_EQ(copied(next_data(reader).values), plain_int32({2}));
    EXPECT_EQ(reader.page_offset(), second);
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.next());
  }
}

TEST_F(PageReaderTest, ChunkWithoutPages) {
  PageReader reader = open(chunk());
  EXPECT_EQ(reader.page_offset(), kFirstPage);
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.count_remaining_values(1000), 0);
}

// Wherever a window ends, and however long a header is.
TEST_F(PageReaderTest, PagesAcrossWindows) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    FileBuilder builder = chunk(codec);
    std::vector<int64_t> offsets = {builder.position()};
    add_dictionary(builder, codec, {.num_values = 16}, values_);
    offsets.push_back(builder.position());
    Statistics statistics;
    statistics.max_value = std::string(3000, 'z');
    add_v1(builder, codec, {.num_values = 9, .statistics = statistics},
           concat({v1_levels_, values_}));
    offsets.push_back(builder.position());
    add_v2(builder, codec, {.num_values = 9, .num_nulls = 4}, values_, levels_);
    const Bytes file = builder.build();
    for (const int64_t window : {1, 3, 50, 257, 3000, 1 << 20}) {
      for (const bool share : {false, true}) {
        PageReader reader =
            open(file, builder.position(),
                 {.codec = codec, .max_definition_level = 1, .share_data_pages = share}, window);
        EXPECT_EQ(copied(next_dictionary(reader).bytes.as<uint8_t>()), values_);
        EXPECT_EQ(reader.page_offset(), offsets[0]);
        for (size_t i = 1; i < 3; ++i) {
          const DataPage page = next_data(reader);
          EXPECT_EQ(copied(page.definition.bytes), levels_);
          EXPECT_EQ(copied(page.values), values_);
          EXPECT_EQ(reader.page_offset(), offsets[i]);
        }
        EXPECT_FALSE(reader.next());
      }
    }
  }
}

// --- memory

TEST_F(PageReaderTest, SharedPagesOutliveTheReader) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    FileBuilder builder = chunk(codec);
    std::vector<Bytes> expected;
    for (int32_t i = 0; i < 3; ++i) {
      for (int32_t kind = 0; kind < 3; ++kind) {
        const Bytes values = plain_int32({i, kind, i, kind, i, kind, i, kind});
        if (kind == 0) {
          add_v1(builder, codec, {.num_values = 9}, concat({v1_levels_, values}));
        } else {
          add_v2(builder, codec, {.num_values = 9, .num_nulls = 4, .is_compressed = kind == 1},
                 values, levels_);
        }
        expected.push_back(values);
      }
    }
    std::vector<DataPage> pages;
    {
      PageReader reader =
          open(builder, {.codec = codec, .max_definition_level = 1, .share_data_pages = true});
      for (size_t i = 0; i < expected.size(); ++i) {
        pages.push_back(next_data(reader));
        EXPECT_EQ(copied(pages.back().definition.bytes), levels_);
      }
      EXPECT_FALSE(reader.next());
    }
    for (size_t i = 0; i < expected.size(); ++i) {
      const DataPage& page = pages[i];
      EXPECT_EQ(copied(page.values), expected[i]);
      EXPECT_LE(page.memory.data(), page.values.data());
      EXPECT_GE(page.memory.data() + page.memory.size(), page.values.data() + page.values.size());
    }
  }
  EXPECT_EQ(context_.memory->used_bytes(), 0);
}

// Valid until the next call, even where nobody else holds the page's memory.
TEST_F(PageReaderTest, LevelsOfASharedPageAreKeptByTheReader) {
  for (const CompressionCodec codec : kCodecs) {
    SCOPED_TRACE(name(codec));
    FileBuilder builder = chunk(codec);
    add_v1(builder, codec, {.num_values = 9}, concat({v1_levels_, values_}));
    PageReader reader =
        open(builder, {.codec = codec, .max_definition_level = 1, .share_data_pages = true});
    DataPage page = next_data(reader);
    page.memory = {};
    // Would take over the memory that had been given back.
    const MutableBuffer other =
        context_.memory->allocate_zeroed(static_cast<int64_t>(levels_.size() + values_.size() + 4));
    EXPECT_EQ(copied(page.definition.bytes), levels_);
    EXPECT_EQ(copied(page.values), values_);
  }
}

// The memory of a decompressed page serves the next one; a larger page takes its place.
TEST_F(PageReaderTest, OneDecompressedPageIsHeldAtATime) {
  constexpr CompressionCodec kCodec = CompressionCodec::kSnappy;
  FileBuilder builder = chunk(kCodec);
  const std::vector<size_t> sizes = {300 << 10, 300 << 10, 500 << 10, 900 << 10, 10};
  for (const size_t size : sizes) add_v1(builder, kCodec, {.num_values = 1}, Bytes(size, 7));
  make_pool({.limit_bytes = 1200 << 10});
  PageReader reader = open(builder, {.codec = kCodec});
  for (const size_t size : sizes) {
    EXPECT_EQ(copied(next_data(reader).values), Bytes(size, 7));
  }
  EXPECT_FALSE(reader.next());
}

// --- stopping

TEST_F(PageReaderTest, CancelEndsItAtTheNextPage) {
  const FileBuilder builder =
      chunk().page_v1({.num_values = 16}, values_).page_v1({.num_values = 16}, values_);
  PageReader reader = open(builder);
  const DataPage page = next_data(reader);  // the whole chunk has been read from the file
  context_.cancel.cancel();
  EXPECT_EQ(copied(page.values), values_);
  EXPECT_EQ(error_of([&] { reader.next(); }).code(), ErrorCode::kCancelled);
  EXPECT_EQ(error_of([&] { reader.count_remaining_values(builder.position()); }).code(),
            ErrorCode::kCancelled);
}

TEST_F(PageReaderTest, CancelComesTooLateAtTheEnd) {
  PageReader reader = open(chunk().page_v1({.num_values = 16}, values_));
  EXPECT_TRUE(reader.next());
  context_.cancel.cancel();
  EXPECT_FALSE(reader.next());
}

// --- what is left behind the last row

TEST_F(PageReaderTest, CountsTheValuesOfTheRemainingPages) {
  FileBuilder builder = chunk();
  builder.page_v1({.num_values = 16}, values_)
      .index_page({1, 2, 3})
      .page_v2({.num_values = 9, .num_nulls = 4}, values_, levels_)
      .dictionary_page({.num_values = 1000}, values_)
      .page_v1({.num_values = 0}, {});
  const int64_t last = builder.position();
  // As long as the limit for what is looked at allows.
  Statistics statistics;
  statistics.max_value = std::string(65000, 'z');
  builder.page_v1({.num_values = 100, .statistics = statistics}, values_);
  for (const int64_t end : {builder.position(), last + 1}) {
    PageReader reader = open(builder);
    EXPECT_TRUE(reader.next());
    EXPECT_EQ(reader.count_remaining_values(end), 109);
    EXPECT_EQ(reader.page_offset(), last);
    EXPECT_EQ(reader.count_remaining_values(end), 0);
    EXPECT_FALSE(reader.next());
  }
  EXPECT_EQ(open(builder).count_remaining_values(builder.position()), 125);
  // A page that begins at the end is another's.
  EXPECT_EQ(open(builder).count_remaining_values(last), 25);
}

TEST_F(PageReaderTest, BytesThatAreNoPageAreNotCounted) {
  PageHeaderClaims header;
  header.type = static_cast<PageType>(9);
  header.uncompressed_bytes = 0;
  header.compressed_bytes = 0;
  const Bytes unknown = page_header_bytes(header);
  header.type = PageType::kDataPage;
  header.compressed_bytes = 1;
  header.v1.emplace().num_values = 5;
  const Bytes beyond = page_header_bytes(header);
  const Bytes cut(beyond.begin(), beyond.end() - 1);
  header.compressed_bytes = 0;
  header.v1->statistics.emplace().max_value = std::string(70000, 'z');
  const Bytes too_long = page_header_bytes(header);
  for (const Bytes& tail : {Bytes(100, 0), Bytes(100, 0xFF), unknown, beyond, cut, too_long}) {
    FileBuilder builder = chunk();
    builder.page_v1({.num_values = 16}, values_);
    const int64_t second = builder.position();
    builder.page_v1({.num_values = 3}, values_);
    PageReader reader = open(builder.raw_page(tail, {}));
    EXPECT_TRUE(reader.next());
    EXPECT_EQ(reader.count_remaining_values(builder.position()), 3);
    EXPECT_EQ(reader.page_offset(), second);
  }
}

}  // namespace
}  // namespace colonnade::parquet
