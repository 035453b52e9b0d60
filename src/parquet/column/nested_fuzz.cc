// Any bytes as the chunks of a nested column. They must end in values or in an error, within a
// memory budget; and the values must be the same however many rows are read at a time, and for some
// of the rows what all of them have there.
//
// Input: tree, flags (bits 0-1 codec, bits 2-3 string form), rows in 2 bytes, the seed of the rows
// that are selected; then for each leaf its values and the bytes of its chunk in 2 bytes each, and
// the chunk. Whatever is missing is zero.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include <colonnade/error.h>
#include <colonnade/file.h>

#include "column/testing/reference.h"
#include "parquet/column/field_reader.h"
#include "parquet/column/testing/random_nested.h"

namespace colonnade::parquet {
namespace {

using colonnade::testing::Value;

constexpr int64_t kMemoryBytes = int64_t{64} << 20;
constexpr const char* kTrees[] = {"[i?]?",    "[s?]?",           "{i?s}?",      "[{is?}?]?",
                                  "<is?>?",   "[[i?]?]?",        "{i[{ii?}]?}", "{{s?}?}?",
                                  "[[[s]]?]", "<i[{s?<is>?}]?>?"};

// Bytes from the front, zeros once there are no more.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), left_(size) {}
  uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  uint16_t word() {
    const uint8_t low = byte();
    return static_cast<uint16_t>(low | byte() << 8);
  }
  testing::Bytes take(size_t n) {
    n = std::min(n, left_);
    const testing::Bytes bytes(data_, data_ + n);
    data_ += n;
    left_ -= n;
    return bytes;
  }

 private:
  const uint8_t* data_;
  size_t left_;
};

struct Column {
  FileSchema schema;
  StringForm strings = StringForm::kOffsets32;
  int64_t num_rows = 0;
  std::vector<ChunkMetadata> chunks;
  std::vector<FilePtr> files;
  std::shared_ptr<RowSpans> some = std::make_shared<RowSpans>();
};

FileSchema schema_of(const char* tree) {
  const testing::Bytes file = testing::write_random_nested({.tree = tree, .num_rows = 0}, 0).file;
  uint32_t footer_bytes;
  std::memcpy(&footer_bytes, file.data() + file.size() - 8, sizeof(footer_bytes));
  const Buffer footer =
      Buffer::wrap(file.data() + file.size() - 8 - footer_bytes, footer_bytes, nullptr);
  return make_file_schema(Footer::parse({}, footer, static_cast<int64_t>(file.size())));
}

Column column_of(Input input) {
  Column column;
  column.schema = schema_of(kTrees[input.byte() % std::size(kTrees)]);
  const uint8_t flags = input.byte();
  constexpr CompressionCodec kCodecs[] = {CompressionCodec::kUncompressed,
                                          CompressionCodec::kSnappy, CompressionCodec::kZstd,
                                          CompressionCodec::kGzip};
  column.strings = static_cast<StringForm>(flags >> 2 & 3);
  column.num_rows = input.word();
  uint32_t random = input.byte();
  for (int64_t row = random % 5; row < column.num_rows;) {
    random = random * 1103515245 + 12345;
    const int64_t end = std::min<int64_t>(column.num_rows, row + 1 + (random >> 16 & 7));
    column.some->push_back({row, end});
    row = end + 1 + (random >> 20 & 15);
  }
  for (const Leaf& leaf : column.schema.leaves) {
    ChunkMetadata chunk;
    chunk.type = leaf.physical_type;
    chunk.codec = kCodecs[flags & 3];
    chunk.num_values = input.word();
    const auto bytes = std::make_shared<testing::Bytes>(input.take(input.word()));
    chunk.compressed_bytes = static_cast<int64_t>(bytes->size());
    column.chunks.push_back(chunk);
    column.files.push_back(
        open_memory_file(Buffer::wrap(bytes->data(), chunk.compressed_bytes, bytes)));
  }
  return column;
}

struct Outcome {
  std::vector<Value> values;
  std::optional<ErrorCode> error;
};

Outcome read(const Column& column, int64_t max_rows, const std::shared_ptr<RowSpans>& selected) {
  Context context;
  context.memory = MemoryPool::make_root("fuzz", {.limit_bytes = kMemoryBytes});
  Outcome outcome;
  try {
    std::vector<LeafChunk> chunks;
    for (size_t i = 0; i < column.files.size(); ++i) {
      io::ReadPlan plan(context, column.files[i], {{0, column.files[i]->size()}});
      chunks.push_back({column.schema.leaves[i], column.chunks[i], plan.open(0)});
    }
    ColumnReadOptions options;
    options.strings = column.strings;
    const RowCursor rows(column.num_rows, selected);
    const FileField& field = column.schema.fields[0];
    FieldReader reader(context, options, field.field, field.shape, std::move(chunks), rows);
    while (static_cast<int64_t>(outcome.values.size()) < rows.left()) {
      const auto left = rows.left() - static_cast<int64_t>(outcome.values.size());
      const std::vector<Value> part =
          colonnade::testing::to_values(*reader.read(std::min(max_rows, left), 0));
      if (part.empty()) std::abort();
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
  const parquet::Column column = column_of(Input(data, size));
  if (column.num_rows == 0) return 0;
  const Outcome many = read(column, 1000, nullptr);
  const Outcome few = read(column, 7, nullptr);
  for (const Outcome* outcome : {&many, &few}) {
    if (outcome->error == ErrorCode::kOutOfBudget) return 0;
    if (outcome->error == ErrorCode::kInternal || outcome->error == ErrorCode::kInvalidArgument)
      std::abort();
  }
  // Which of several damaged leaves is met first depends on the rows that are read at a time.
  if (many.error.has_value() != few.error.has_value() || !(many.values == few.values)) std::abort();
  if (many.error || column.some->empty()) return 0;
  const Outcome some = read(column, 5, column.some);
  if (some.error == ErrorCode::kOutOfBudget) return 0;
  std::vector<Value> expected;
  for (const RowSpan& span : *column.some) {
    expected.insert(expected.end(), many.values.begin() + span.begin,
                    many.values.begin() + span.end);
  }
  if (some.error || !(some.values == expected)) std::abort();
  return 0;
}
