// Column chunks whose pages are read one by one.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include <colonnade/context.h>
#include <colonnade/memory.h>

#include "parquet/page/page_reader.h"
#include "parquet/testing/file_builder.h"

namespace colonnade::parquet::testing {

// The codecs that are read.
inline constexpr CompressionCodec kCodecs[] = {
    CompressionCodec::kUncompressed, CompressionCodec::kSnappy, CompressionCodec::kZstd,
    CompressionCodec::kGzip,         CompressionCodec::kBrotli, CompressionCodec::kLz4Raw,
    CompressionCodec::kLz4};
inline constexpr int64_t kFirstPage = 4;  // where it begins: behind the file's magic

// A chunk to which pages can be added.
FileBuilder chunk(CompressionCodec codec = CompressionCodec::kUncompressed);

// Pages as a writer of this codec makes them: the payload compressed, the sizes right.
void add_v1(FileBuilder& builder, CompressionCodec codec, V1Options options, const Bytes& page);
void add_v2(FileBuilder& builder, CompressionCodec codec, V2Options options, const Bytes& values,
            const Bytes& definition = {}, const Bytes& repetition = {});
void add_dictionary(FileBuilder& builder, CompressionCodec codec, DictionaryOptions options,
                    const Bytes& entries);

inline int32_t size32(const Bytes& bytes) { return static_cast<int32_t>(bytes.size()); }
inline Bytes copied(std::span<const uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

inline DataPage next_data(PageReader& reader) { return std::get<DataPage>(reader.next().value()); }
inline DictionaryPage next_dictionary(PageReader& reader) {
  return std::get<DictionaryPage>(reader.next().value());
}

class PageReaderTest : public ::testing::Test {
 protected:
  PageReaderTest() { make_pool({}); }

  // Memory that was given back changes its bytes.
  void make_pool(MemoryOptions options);

  // A reader of bytes [kFirstPage, end) of a file.
  PageReader open(const Bytes& file, int64_t end, const PageReadOptions& options = {},
                  int64_t window_bytes = int64_t{1} << 20) const;
  PageReader open(const FileBuilder& builder, const PageReadOptions& options = {}) const {
    return open(builder.build(), builder.position(), options);
  }

  // Of what `add` appends to a chunk of one harmless page, the first page is refused, and the
  // reader tells where it lies.
  void expect_refused(const PageReadOptions& options, ErrorCode code, const std::string& words,
                      const std::function<void(FileBuilder&)>& add) const;
  void expect_corrupt(const PageReadOptions& options, const std::string& words,
                      const std::function<void(FileBuilder&)>& add) const {
    expect_refused(options, ErrorCode::kCorruptData, words, add);
  }

  Context context_;
  // Of 16 rows.
  const Bytes values_ = plain_int32({7, -1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7});
  // Of 9 rows, 4 of them null; as v2 pages have them, and as v1 pages do.
  const Bytes levels_ = levels_v2({1, 0, 1, 1, 0, 1, 0, 0, 1}, 1);
  const Bytes v1_levels_ = levels_v1({1, 0, 1, 1, 0, 1, 0, 0, 1}, 1);
};

}  // namespace colonnade::parquet::testing
