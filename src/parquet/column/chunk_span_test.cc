#include "parquet/column/chunk_span.h"

#include <gtest/gtest.h>

#include "parquet/column/testing/chunk_reading.h"
#include "parquet/testing/file_builder.h"

namespace colonnade::parquet {
namespace {

using namespace testing;

int64_t bytes_beyond(const std::string& created_by, int64_t file_size) {
  FileBuilder builder;
  builder.column("c", PhysicalType::kInt32)
      .row_group(1)
      .chunk()
      .page_v1({.num_values = 1}, plain_int32({7}));
  if (!created_by.empty()) builder.created_by(created_by);
  const ChunkFile file(builder.build());
  const ChunkMetadata chunk = file.footer().chunk(0, 0);
  const io::ByteSpan span = chunk_span(file.footer(), chunk, file_size);
  EXPECT_EQ(span.offset, chunk.first_page_offset());
  return span.length - chunk.compressed_bytes;
}

// PARQUET-816
TEST(ChunkSpan, LongerInFilesOfOldParquetMr) {
  for (const char* old :
       {"parquet-mr", "parquet-mr version 1.2.8 (build abc)", "parquet-mr version 1.2",
        "parquet-mr version 0.9.0", "parquet-mr version x"}) {
    EXPECT_EQ(bytes_beyond(old, 100000), 100) << old;
    EXPECT_EQ(bytes_beyond(old, 0), 0) << old;
  }
  for (const char* other :
       {"", "parquet-mr version 1.2.9", "parquet-mr version 1.10.0 (build abc)",
        "parquet-mr version 2.0", "parquet-cpp version 1.0.0", "impala version 1.2.3"}) {
    EXPECT_EQ(bytes_beyond(other, 100000), 0) << other;
  }
}

}  // namespace
}  // namespace colonnade::parquet
