// Footers that other systems wrote.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>

#include "parquet/column/leaf.h"
#include "parquet/format/metadata.h"
#include "parquet/format/page_header.h"
#include "parquet/format/statistics_text.h"
#include "parquet/testing/corpus.h"
#include "parquet/testing/error_of.h"

namespace colonnade::parquet {
namespace {

namespace fs = std::filesystem;
using testing::Bytes;
using testing::corpus_files;
using testing::corpus_folder;
using testing::error_of;
using testing::file_bytes;
using testing::footer_of;

struct OpenFooter {
  std::shared_ptr<MemoryPool> pool;
  Bytes file;
  Footer footer;
};

OpenFooter open(const fs::path& path) {
  Bytes file = file_bytes(path);
  const std::optional<Bytes> footer = footer_of(file);
  if (!footer) throw Error(ErrorCode::kNotSupported, "no plain footer");
  auto owner = std::make_shared<Bytes>(*footer);
  Context context;
  context.memory = MemoryPool::make_root("footer");
  Footer parsed = Footer::parse(
      context, Buffer::wrap(owner->data(), static_cast<int64_t>(owner->size()), owner),
      static_cast<int64_t>(file.size()));
  return {context.memory, std::move(file), std::move(parsed)};
}

class FooterCorpus : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = corpus_folder();
    if (!folder_) GTEST_SKIP() << "no corpus: set COLONNADE_CORPUS to its folder";
  }
  fs::path file(const std::string& name) const { return *folder_ / name; }

  std::optional<fs::path> folder_;
};

// Chunks whose metadata is not read, with why; everything else is.
const std::map<std::string, std::string> kBadChunks = {
    {"ARROW-GH-41317.parquet", "row group 1"},
    {"ARROW-RS-GH-6229-DICTHEADER.parquet", "behind the file's end"},
    {"ARROW-GH-41321.parquet", "num_values is -4"},
};

TEST_F(FooterCorpus, EveryFileParsesOrIsRefusedForAReason) {
  int num_parsed = 0;
  for (const fs::path& path : corpus_files(*folder_)) {
    SCOPED_TRACE(path.string());
    const std::string name = path.filename().string();
    try {
      const OpenFooter opened = open(path);
      const Footer& footer = opened.footer;
      EXPECT_LE(opened.pool->peak_bytes(), (int64_t{1} << 20) + 15 * footer.size_bytes());
      ++num_parsed;
      const FileSchema schema = make_file_schema(footer);
      EXPECT_EQ(schema.leaves.size(), static_cast<size_t>(footer.num_leaves()));
      for (int32_t group = 0; group < static_cast<int32_t>(footer.row_groups().size()); ++group) {
        for (const FileField& field : schema.fields) {
          for (int32_t leaf = field.first_leaf; leaf < field.first_leaf + field.shape.num_leaves;
               ++leaf) {
            try {
              const ChunkMetadata chunk = footer.chunk(group, leaf);
              statistics_text(chunk.statistics, chunk.type, field.field);
              // The first page's header stands where the metadata says.
              if (chunk.num_values > 0 && chunk.file_path.empty() && !chunk.encrypted &&
                  !kBadChunks.contains(name)) {
                const auto first = static_cast<size_t>(chunk.first_page_offset());
                const auto header = PageHeader::parse(std::span(opened.file).subspan(first));
                ASSERT_TRUE(header.has_value());
                if (chunk.dictionary_page_offset) {
                  EXPECT_EQ(header->header.type, PageType::kDictionaryPage);
                }
              }
            } catch (const Error& error) {
              const auto bad = kBadChunks.find(name);
              ASSERT_NE(bad, kBadChunks.end()) << error.what();
              EXPECT_NE(std::string(error.what()).find(bad->second), std::string::npos)
                  << error.what();
            }
          }
        }
      }
    } catch (const Error& error) {
      const bool encrypted = name.ends_with(".encrypted");
      EXPECT_TRUE(encrypted || name == "PARQUET-1481.parquet") << error.what();
      EXPECT_EQ(error.code(), encrypted ? ErrorCode::kNotSupported : ErrorCode::kCorruptData)
          << error.what();
    }
  }
  EXPECT_GT(num_parsed, 0);
}

TEST_F(FooterCorpus, ADictionaryPageAtOffsetZeroIsNone) {
  const OpenFooter opened = open(file("parquet-testing/data/dict-page-offset-zero.parquet"));
  const ChunkMetadata chunk = opened.footer.chunk(0, 0);
  EXPECT_FALSE(chunk.dictionary_page_offset.has_value());
  EXPECT_EQ(chunk.first_page_offset(), 4);
}

TEST_F(FooterCorpus, AFileThatCountsNoRowsHasThoseOfItsRowGroups) {
  EXPECT_EQ(open(file("parquet-testing/data/repeated_no_annotation.parquet")).footer.num_rows(), 6);
}

TEST_F(FooterCorpus, EncryptedColumnsUnderAPlainFooter) {
  const OpenFooter opened =
      open(file("parquet-testing/data/encrypt_columns_plaintext_footer.parquet.encrypted"));
  int num_encrypted = 0;
  for (int32_t leaf = 0; leaf < opened.footer.num_leaves(); ++leaf) {
    try {
      if (opened.footer.chunk(0, leaf).encrypted) ++num_encrypted;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kNotSupported) << error.what();
      ++num_encrypted;
    }
  }
  EXPECT_GT(num_encrypted, 0);
}

TEST_F(FooterCorpus, UnknownPhysicalTypesAreNamed) {
  const Error error =
      error_of([&] { open(file("parquet-testing/bad_data/PARQUET-1481.parquet")); });
  EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
  EXPECT_NE(std::string(error.what()).find("column 'Handle': type -7"), std::string::npos)
      << error.what();
}

TEST_F(FooterCorpus, TypesOfAKnownFile) {
  const OpenFooter opened = open(file("parquet-testing/data/alltypes_plain.parquet"));
  EXPECT_EQ(opened.footer.num_rows(), 8);
  const FileSchema schema = make_file_schema(opened.footer);
  std::string types;
  for (const FileField& field : schema.fields) types += field.field.to_string() + "\n";
  EXPECT_EQ(types,
            "id: int32\nbool_col: bool\ntinyint_col: int32\nsmallint_col: int32\nint_col: "
            "int32\nbigint_col: int64\n"
            "float_col: float32\ndouble_col: float64\ndate_string_col: binary\nstring_col: binary\n"
            "timestamp_col: timestamp[ns]\n");
  EXPECT_EQ(schema.fields.back().refusal, "");
}

// Cuts and flipped bits of footers as writers really write them.
TEST_F(FooterCorpus, DamagedFootersNeverCrash) {
  uint64_t state = 0x9e3779b97f4a7c15u;
  const auto next_random = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  };
  int num_files = 0;
  for (const fs::path& path : corpus_files(*folder_)) {
    const Bytes file = file_bytes(path);
    const std::optional<Bytes> footer = footer_of(file);
    if (!footer || footer->size() > 100'000 || footer->empty()) continue;
    if (++num_files % 4 != 0) continue;
    for (int round = 0; round < 60; ++round) {
      Bytes damaged = *footer;
      if (round % 3 == 0) damaged.resize(next_random() % damaged.size());
      for (int i = 0; i < round % 4 && !damaged.empty(); ++i) {
        damaged[next_random() % damaged.size()] = static_cast<uint8_t>(next_random());
      }
      Context context;
      context.memory = MemoryPool::make_root("footer");
      try {
        const Footer parsed = Footer::parse(
            context, Buffer::wrap(damaged.data(), static_cast<int64_t>(damaged.size()), nullptr),
            static_cast<int64_t>(file.size()));
        EXPECT_LE(context.memory->peak_bytes(), (int64_t{1} << 20) + 15 * parsed.size_bytes());
        for (int32_t leaf = 0; leaf < parsed.num_leaves() && !parsed.row_groups().empty(); ++leaf) {
          parsed.chunk(0, leaf);
        }
        make_file_schema(parsed);
      } catch (const Error& error) {
        EXPECT_TRUE(error.code() == ErrorCode::kCorruptData ||
                    error.code() == ErrorCode::kNotSupported ||
                    error.code() == ErrorCode::kOutOfBudget)
            << path << ": " << error.what();
      }
      EXPECT_EQ(context.memory->used_bytes(), 0);
    }
  }
  EXPECT_GT(num_files, 0);
}

}  // namespace
}  // namespace colonnade::parquet
