// Everything that opening a file reads of a footer: the index, each chunk's metadata, the schema,
// statistics as text. Errors of files and budgets are answers; anything else, and more memory than
// the footer's size justifies, is a fault.
#include <cstddef>
#include <cstdint>

#include <colonnade/error.h>

#include "parquet/column/leaf.h"
#include "parquet/format/metadata.h"
#include "parquet/format/statistics_text.h"
#include "parquet/testing/fuzz_oracle.h"

namespace {

using namespace colonnade;
using namespace colonnade::parquet;
using colonnade::parquet::testing::check;
using colonnade::parquet::testing::is_answer;

constexpr int64_t kFileSize = 1 << 20;
constexpr int64_t kBudgetBytes = 64 << 20;

void read_chunk(const Footer& footer, const Field& field, int32_t row_group, int32_t leaf) {
  try {
    const ChunkMetadata chunk = footer.chunk(row_group, leaf);
    check(chunk.num_values >= 0 && chunk.compressed_bytes >= 0 && chunk.uncompressed_bytes >= 0);
    check(!chunk.file_path.empty() ||
          chunk.first_page_offset() <= kFileSize - chunk.compressed_bytes);
    statistics_text(chunk.statistics, chunk.type, field);
  } catch (const Error& error) {
    check(is_answer(error));
  }
}

void read_footer(const Context& context, const uint8_t* data, size_t size) {
  const auto num_bytes = static_cast<int64_t>(size);
  const Footer footer = Footer::parse(context, Buffer::wrap(data, num_bytes, nullptr), kFileSize);
  check(context.memory->peak_bytes() <= (1 << 20) + 15 * num_bytes);
  const FileSchema schema = make_file_schema(footer);
  check(schema.leaves.size() == static_cast<size_t>(footer.num_leaves()));
  int64_t num_rows = 0;
  for (size_t group = 0; group < footer.row_groups().size(); ++group) {
    num_rows += footer.row_groups()[group].num_rows;
    for (const FileField& field : schema.fields) {
      for (int32_t i = 0; i < field.shape.num_leaves; ++i) {
        read_chunk(footer, field.field, static_cast<int32_t>(group), field.first_leaf + i);
      }
    }
  }
  check(num_rows == footer.num_rows());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Context context;
  context.memory = MemoryPool::make_root("footer", {.limit_bytes = kBudgetBytes});
  try {
    read_footer(context, data, size);
  } catch (const Error& error) {
    check(is_answer(error));
  }
  check(context.memory->used_bytes() == 0);
  return 0;
}
