// Columns that other systems wrote.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parquet/column/testing/chunk_reading.h"
#include "parquet/testing/corpus.h"

namespace colonnade::parquet {
namespace {

namespace fs = std::filesystem;
using colonnade::testing::Value;
using testing::ChunkFile;
using testing::kAllRows;
using testing::ReadTrial;

class ColumnCorpus : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::corpus_folder();
    if (!folder_) GTEST_SKIP() << "no corpus: set COLONNADE_CORPUS to its folder";
  }
  ChunkFile open(const std::string& name) const {
    return ChunkFile::open((*folder_ / name).string());
  }
  std::vector<Value> values(const std::string& name, int32_t leaf = 0) const {
    return open("parquet-testing/data/" + name).values({}, leaf);
  }

  std::optional<fs::path> folder_;
};

// Files with chunks that are to be refused as corrupt.
const std::set<std::string> kCorruptFiles = {
    "PARQUET-1481.parquet",
    "ARROW-RS-GH-6229-DICTHEADER.parquet",
    "ARROW-RS-GH-6229-LEVELS.parquet",
    "ARROW-GH-41321.parquet",
    "ARROW-GH-41317.parquet",
    "ARROW-GH-45185.parquet",
    "ARROW-GH-47662.parquet",
};

TEST_F(ColumnCorpus, EveryFlatColumnIsReadTheSameInEveryBatchSizeAndForm) {
  int64_t num_read = 0;
  int64_t num_refused = 0;
  for (const fs::path& path : testing::corpus_files(*folder_)) {
    SCOPED_TRACE(path.string());
    std::optional<ChunkFile> file;
    try {
      file.emplace(ChunkFile::open(path.string()));
    } catch (const Error&) {
      continue;  // the footer's own tests say which
    }
    const int64_t used = file->pool()->used_bytes();
    for (int32_t group = 0; group < static_cast<int32_t>(file->footer().row_groups().size());
         ++group) {
      for (const FileField& field : file->schema().fields) {
        if (!field.refusal.empty() || field.shape.kind != Shape::Kind::kLeaf) continue;
        SCOPED_TRACE(field.field.name);
        try {
          const std::vector<Value> values = file->values({}, field.first_leaf, group);
          for (const StringForm form :
               {StringForm::kOffsets64, StringForm::kViews, StringForm::kDictionary}) {
            ReadTrial trial;
            trial.max_rows = 97;
            trial.options.strings = form;
            EXPECT_TRUE(file->values(trial, field.first_leaf, group) == values);
          }
          ++num_read;
        } catch (const Error& error) {
          ++num_refused;
          EXPECT_TRUE(error.code() == ErrorCode::kNotSupported ||
                      error.code() == ErrorCode::kDataError ||  // INT96 beyond nanoseconds
                      kCorruptFiles.contains(path.filename().string()))
              << error.what();
        }
      }
    }
    EXPECT_EQ(file->pool()->used_bytes(), used);
  }
  std::cout << num_read << " chunks read, " << num_refused << " refused\n";
  EXPECT_GT(num_read, 500);
}

Value number(int64_t value) { return {value}; }

// GH-43605: ids of bit width 0. Counted with pyarrow 26.
TEST_F(ColumnCorpus, BitWidthOfZeroIsRead) {
  const std::vector<Value> values =
      open("parquet-testing/bad_data/ARROW-GH-43605.parquet").values();
  ASSERT_EQ(values.size(), 21186u);
  EXPECT_EQ(values[0], Value{uint64_t{0}});
}

TEST_F(ColumnCorpus, MalformedDictionaryHeaderOfNationIsRead) {
  const std::vector<Value> names = values("nation.dict-malformed.parquet", 1);
  ASSERT_EQ(names.size(), 25u);
  EXPECT_EQ(names[0], Value{"ALGERIA"});
  EXPECT_EQ(names[24], Value{"UNITED STATES"});
}

// parquet-testing#71: the two shapes of a v2 page of nulls.
TEST_F(ColumnCorpus, CaseA06PagesOfNulls) {
  EXPECT_EQ(values("page_v2_empty_compressed.parquet"), std::vector<Value>(10));
  EXPECT_EQ(values("datapage_v2_empty_datapage.snappy.parquet"), std::vector<Value>(1));
  for (const Value& value : open("velox/files/empty_v2datapage.parquet").values()) {
    ASSERT_EQ(value, Value{});
  }
}

// SPARK-34167: 1.00 to 24.00 in every physical form.
TEST_F(ColumnCorpus, CaseA14DecimalsOfEveryPhysicalForm) {
  std::vector<Value> expected;
  for (int i = 1; i <= 24; ++i) expected.push_back({Decimal256(100 * i)});
  for (const char* name :
       {"int32_decimal.parquet", "int64_decimal.parquet", "fixed_length_decimal.parquet",
        "fixed_length_decimal_legacy.parquet", "byte_array_decimal.parquet"}) {
    EXPECT_EQ(values(name), expected) << name;
  }
  // Precision 9 or less in INT64, PLAIN and with a dictionary. Counted with pyarrow 26.
  const auto expect = [&](const std::string& name, size_t rows, int64_t nulls, int64_t first) {
    const std::vector<Value> got = open("comet/files/" + name).values();
    ASSERT_EQ(got.size(), rows) << name;
    EXPECT_EQ(std::count(got.begin(), got.end(), Value{}), nulls) << name;
    EXPECT_EQ(got[0], Value{Decimal256(first)}) << name;
  };
  expect("decimal32-written-as-64-bit.snappy.parquet", 10, 1, 792059492);
  expect("decimal32-written-as-64-bit-dict.snappy.parquet", 2048, 88, 751);
  expect("dec-in-fixed-len.parquet", 16, 0, 0);
}

TEST_F(ColumnCorpus, KnownValuesOfOtherWriters) {
  EXPECT_EQ(values("dict-page-offset-zero.parquet"), std::vector<Value>(39, number(1552)));
  EXPECT_EQ(values("overflow_i16_page_cnt.parquet").size(), 40000u);
  const std::vector<Value> fixed = values("fixed_length_byte_array.parquet");
  ASSERT_EQ(fixed.size(), 1000u);
  EXPECT_EQ(fixed[0], Value{std::string("\0\0\x03\xe8", 4)});
  EXPECT_EQ(fixed[1], Value{});
  const std::vector<Value> int32s = values("int32_with_null_pages.parquet");
  EXPECT_EQ(int32s[0], number(-654807448));
  EXPECT_EQ(int32s[4], Value{});
  EXPECT_EQ(std::count(int32s.begin(), int32s.end(), Value{}), 275);
  EXPECT_EQ(values("rle-dict-snappy-checksum.parquet", 1),
            std::vector<Value>(1000, {"c95e263a-f5d4-401f-8107-5ca7146a1f98"}));
}

TEST_F(ColumnCorpus, NullsInARequiredColumnAreCorrupt) {
  try {
    open("parquet-testing/bad_data/ARROW-GH-47662.parquet").values();
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorruptData) << error.what();
  }
}

}  // namespace
}  // namespace colonnade::parquet
