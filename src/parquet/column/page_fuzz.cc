// Any bytes as the pages of a column chunk. They must end in values or in an error, within a memory
// budget, and the values must be the same however many rows are read at a time.
//
// Input: kind of value, flags (bit 0 optional, bits 1-2 codec, bits 3-4 string form), rows in 2
// bytes, then the chunk.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include <colonnade/error.h>
#include <colonnade/file.h>

#include "column/testing/reference.h"
#include "parquet/column/column_reader.h"
#include "parquet/column/testing/random_chunk.h"

namespace colonnade::parquet {
namespace {

using colonnade::testing::Value;

constexpr size_t kHeaderBytes = 4;
constexpr int64_t kMemoryBytes = int64_t{64} << 20;

struct Chunk {
  FileSchema schema;
  ChunkMetadata metadata;
  StringForm strings = StringForm::kOffsets32;
  int64_t num_rows = 0;
  FilePtr file;
};

// The schema as a footer of such a column gives it.
FileSchema schema_of(const testing::ValueKind& kind, bool optional) {
  const testing::Bytes bytes =
      testing::FileBuilder()
          .column("c", kind.type, optional ? Repetition::kOptional : Repetition::kRequired,
                  kind.logical_type, kind.type_length)
          .build_footer();
  const Buffer footer = Buffer::wrap(bytes.data(), static_cast<int64_t>(bytes.size()), nullptr);
  return make_file_schema(Footer::parse({}, footer, 1000));
}

Chunk chunk_of(const uint8_t* data, size_t size) {
  const std::vector<testing::ValueKind>& kinds = testing::value_kinds();
  const testing::ValueKind& kind = kinds[data[0] % kinds.size()];
  Chunk chunk;
  chunk.schema = schema_of(kind, (data[1] & 1) != 0);
  constexpr CompressionCodec kCodecs[] = {
      CompressionCodec::kUncompressed, CompressionCodec::kSnappy, CompressionCodec::kZstd,
      CompressionCodec::kUncompressed, CompressionCodec::kGzip,   CompressionCodec::kBrotli,
      CompressionCodec::kLz4,          CompressionCodec::kLz4Raw};
  chunk.metadata.type = kind.type;
  chunk.metadata.compressed_bytes = static_cast<int64_t>(size - kHeaderBytes);
  chunk.metadata.codec = kCodecs[(data[1] >> 1 & 3) | (data[1] >> 3 & 4)];
  chunk.strings = static_cast<StringForm>(data[1] >> 3 & 3);
  chunk.num_rows = data[2] | data[3] << 8;
  chunk.metadata.num_values = chunk.num_rows;
  chunk.file = open_memory_file(
      Buffer::wrap(data + kHeaderBytes, static_cast<int64_t>(size - kHeaderBytes), nullptr));
  return chunk;
}

struct Outcome {
  std::vector<Value> values;
  std::optional<ErrorCode> error;
};

Outcome read(const Chunk& chunk, int64_t max_rows) {
  Context context;
  context.memory = MemoryPool::make_root("fuzz", {.limit_bytes = kMemoryBytes});
  Outcome outcome;
  try {
    io::ReadPlan plan(context, chunk.file, {{0, chunk.file->size()}});
    ColumnReadOptions options;
    options.strings = chunk.strings;
    ColumnReader reader(context, options, chunk.schema.leaves[0], chunk.schema.fields[0].field,
                        chunk.metadata, RowCursor(chunk.num_rows), plan.open(0));
    while (reader.rows_left() > 0) {
      const std::vector<Value> part = colonnade::testing::to_values(*reader.read(max_rows, 0));
      outcome.values.insert(outcome.values.end(), part.begin(), part.end());
    }
  } catch (const Error& error) {
    outcome.error = error.code();
    outcome.values.clear();
  }
  if (context.memory->used_bytes() != 0) std::abort();
  return outcome;
}

}  // namespace
}  // namespace colonnade::parquet

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace colonnade;
  using namespace colonnade::parquet;
  if (size < kHeaderBytes) return 0;
  const Chunk chunk = chunk_of(data, size);
  const Outcome many = read(chunk, 1000);
  const Outcome few = read(chunk, 7);
  if (many.error == ErrorCode::kOutOfBudget || few.error == ErrorCode::kOutOfBudget) return 0;
  if (many.error == ErrorCode::kInternal || many.error == ErrorCode::kInvalidArgument) std::abort();
  if (many.error != few.error || !(many.values == few.values)) std::abort();
  return 0;
}
