// Some rows of a chunk: the same values as all rows without the others.
#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "parquet/column/testing/chunk_reading.h"
#include "parquet/column/testing/random_chunk.h"
#include "parquet/column/testing/random_nested.h"

namespace colonnade::parquet {
namespace {

using colonnade::testing::Value;
using namespace testing;

// Sorted spans of up to max_length rows, with gaps of up to max_gap between them.
std::shared_ptr<const RowSpans> random_spans(std::mt19937_64& random, int64_t num_rows,
                                             int64_t max_length, int64_t max_gap) {
  auto spans = std::make_shared<RowSpans>();
  const auto up_to = [&](int64_t most) {
    return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
  };
  for (int64_t row = up_to(max_gap + 1) - 1; row < num_rows;) {
    const int64_t end = std::min(num_rows, row + up_to(max_length));
    spans->push_back({row, end});
    row = end + up_to(max_gap);
  }
  if (spans->empty()) spans->push_back({0, 1});
  return spans;
}

std::vector<Value> selected(const std::vector<Value>& values, const RowSpans& spans) {
  std::vector<Value> result;
  for (const RowSpan& span : spans) {
    result.insert(result.end(), values.begin() + span.begin, values.begin() + span.end);
  }
  return result;
}

struct Gaps {
  int64_t length;
  int64_t gap;
};
constexpr Gaps kGaps[] = {{1, 1}, {3, 50}, {100, 400}, {5000, 3}};

class RangesOfKind : public ::testing::TestWithParam<ValueKind> {};

INSTANTIATE_TEST_SUITE_P(RowRanges, RangesOfKind, ::testing::ValuesIn(testing::value_kinds()),
                         [](const auto& trial) { return trial.param.name; });

TEST_P(RangesOfKind, GiveExactlyTheirRows) {
  std::mt19937_64 random(1);
  uint64_t seed = 900;
  for (const bool optional : {false, true}) {
    for (const int64_t max_page_rows : {3, 300, 9000}) {
      for (const double dictionary_fraction : {0.0, 1.0}) {
        ChunkShape shape;
        shape.num_rows = 3000;
        shape.optional = optional;
        shape.null_fraction = 0.3;
        shape.max_page_rows = max_page_rows;
        shape.dictionary_fraction = dictionary_fraction;
        shape.v2 = seed % 2 == 0;
        shape.codec = seed % 3 == 0 ? CompressionCodec::kUncompressed : CompressionCodec::kSnappy;
        const WrittenChunk written = write_random_chunk(GetParam(), shape, seed++);
        const ChunkFile file(written.file);
        for (const Gaps& gaps : kGaps) {
          const auto spans = random_spans(random, shape.num_rows, gaps.length, gaps.gap);
          const std::vector<Value> expected = selected(written.values, *spans);
          for (const StringForm form :
               {StringForm::kOffsets32, StringForm::kViews, StringForm::kDictionary}) {
            for (const int64_t max_rows : {int64_t{7}, int64_t{1000}, kAllRows}) {
              ReadTrial trial{.max_rows = max_rows, .options = {.strings = form}};
              trial.selected = spans;
              EXPECT_TRUE(file.values(trial) == expected)
                  << GetParam().name << " seed " << seed << " spans " << gaps.length << "/"
                  << gaps.gap << " rows " << max_rows << " form " << static_cast<int>(form);
            }
          }
        }
      }
    }
  }
}

TEST(RowRanges, OfNestedColumns) {
  std::mt19937_64 random(2);
  uint64_t seed = 1;
  for (const char* tree : {"[i?]?", "{i?s}?", "[{is?}?]?", "<is?>?", "[[i?]?]?", "{i[{ii?}]?}"}) {
    for (const int64_t page : {1, 20, 5000}) {
      for (const bool v2 : {false, true}) {
        NestedShape shape{.tree = tree, .num_rows = 1500, .max_page_values = page};
        shape.v2 = v2;
        const WrittenNested written = write_random_nested(shape, seed++);
        const ChunkFile file(written.file);
        for (const Gaps& gaps : kGaps) {
          ReadTrial trial;
          trial.selected = random_spans(random, shape.num_rows, gaps.length, gaps.gap);
          const std::vector<Value> expected = selected(written.values, *trial.selected);
          for (const int64_t max_rows : {int64_t{1}, int64_t{100}, kAllRows}) {
            for (const int64_t max_bytes : {0, 500}) {
              trial.max_rows = max_rows;
              trial.max_bytes = max_bytes;
              EXPECT_TRUE(file.field_values(trial) == expected)
                  << tree << " seed " << seed << " spans " << gaps.length << "/" << gaps.gap
                  << " rows " << max_rows;
            }
          }
        }
      }
    }
  }
}

// Pages without a wanted row are passed over by their headers: what they hold does not matter.
TEST(RowRanges, PagesOutsideAreNotDecoded) {
  const auto page = [](std::vector<int32_t> values) {
    return concat({levels_v1(std::vector<uint32_t>(values.size(), 1), 1), plain_int32(values)});
  };
  const ChunkFile file(FileBuilder()
                           .column("c", PhysicalType::kInt32, Repetition::kOptional)
                           .row_group(6)
                           .chunk()
                           .page_v1({.num_values = 2}, Bytes{0xFF, 0xFF, 0xFF, 0xFF, 0xFF})
                           .page_v1({.num_values = 2}, page({3, 4}))
                           .page_v1({.num_values = 2}, Bytes{1, 2, 3})
                           .build());
  ReadTrial trial;
  trial.selected = std::make_shared<RowSpans>(RowSpans{{2, 4}});
  EXPECT_EQ(file.values(trial), (std::vector<Value>{{int64_t{3}}, {int64_t{4}}}));
  trial.selected = std::make_shared<RowSpans>(RowSpans{{1, 3}});
  EXPECT_THROW(file.values(trial), Error);
}

}  // namespace
}  // namespace colonnade::parquet
