#include "parquet/column/testing/chunk_reading.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "base/bits.h"
#include "parquet/column/chunk_span.h"

namespace colonnade::parquet::testing {
namespace {

using colonnade::testing::Value;

Context context_with(const MemoryOptions& memory) {
  Context context;
  context.memory = MemoryPool::make_root("test", memory);
  return context;
}

Footer read_footer(const Context& context, RandomAccessFile& file) {
  const auto read = [&](int64_t offset, int64_t length) {
    MutableBuffer bytes = context.memory->allocate(length);
    const ReadRange range{offset, length, bytes.data()};
    file.read_many({&range, 1});
    return std::move(bytes).freeze();
  };
  uint32_t footer_bytes;
  std::memcpy(&footer_bytes, read(file.size() - 8, 4).data(), sizeof(footer_bytes));
  return Footer::parse(context, read(file.size() - 8 - footer_bytes, footer_bytes), file.size());
}

FilePtr memory_file(const Bytes& bytes) {
  auto owner = std::make_shared<Bytes>(bytes);
  return open_memory_file(Buffer::wrap(owner->data(), static_cast<int64_t>(owner->size()), owner));
}

bool all_zero(const uint8_t* bytes, int64_t n) {
  return std::all_of(bytes, bytes + n, [](uint8_t byte) { return byte == 0; });
}

}  // namespace

ChunkFile::ChunkFile(FilePtr file, const MemoryOptions& memory)
    : context_(context_with(memory)),
      file_(std::move(file)),
      footer_(read_footer(context_, *file_)),
      schema_(make_file_schema(footer_)) {}

ChunkFile::ChunkFile(const Bytes& bytes, const MemoryOptions& memory)
    : ChunkFile(memory_file(bytes), memory) {}

ChunkFile ChunkFile::open(const std::string& path, const MemoryOptions& memory) {
  return ChunkFile(open_local_file(path), memory);
}

ColumnReader ChunkFile::reader(const ReadTrial& trial, int32_t leaf, int32_t row_group) const {
  const ChunkMetadata chunk = footer_.chunk(row_group, leaf);
  const auto field =
      std::find_if(schema_.fields.begin(), schema_.fields.end(), [&](const FileField& f) {
        return f.first_leaf <= leaf && leaf < f.first_leaf + f.shape.num_leaves;
      });
  io::ReadPlanOptions plan_options;
  plan_options.window_bytes = trial.window_bytes;
  io::ReadPlan plan(context_, file_, {chunk_span(footer_, chunk, file_->size())}, plan_options);
  return ColumnReader(
      context_, trial.options, schema_.leaves.at(static_cast<size_t>(leaf)), field->field, chunk,
      RowCursor(footer_.row_groups().at(static_cast<size_t>(row_group)).num_rows, trial.selected),
      plan.open(0));
}

FieldReader ChunkFile::field_reader(const ReadTrial& trial, int32_t field,
                                    int32_t row_group) const {
  const FileField& file_field = schema_.fields.at(static_cast<size_t>(field));
  io::ReadPlanOptions plan_options;
  plan_options.window_bytes = trial.window_bytes;
  std::vector<LeafChunk> chunks;
  for (int32_t i = 0; i < file_field.shape.num_leaves; ++i) {
    const int32_t leaf = file_field.first_leaf + i;
    const ChunkMetadata chunk = footer_.chunk(row_group, leaf);
    io::ReadPlan plan(context_, file_, {chunk_span(footer_, chunk, file_->size())}, plan_options);
    chunks.push_back({schema_.leaves.at(static_cast<size_t>(leaf)), chunk, plan.open(0)});
  }
  return FieldReader(
      context_, trial.options, file_field.field, file_field.shape, std::move(chunks),
      RowCursor(footer_.row_groups().at(static_cast<size_t>(row_group)).num_rows, trial.selected));
}

std::vector<Value> ChunkFile::field_values(const ReadTrial& trial, int32_t field,
                                           int32_t row_group) const {
  std::vector<Value> values;
  const auto num_rows = static_cast<size_t>(
      RowCursor(footer_.row_groups().at(static_cast<size_t>(row_group)).num_rows, trial.selected)
          .left());
  if (num_rows == 0) return values;
  FieldReader reader = field_reader(trial, field, row_group);
  while (values.size() < num_rows) {
    const int64_t left = static_cast<int64_t>(num_rows - values.size());
    const ColumnPtr column = reader.read(std::min(trial.max_rows, left), trial.max_bytes);
    EXPECT_GT(column->length(), 0);
    EXPECT_LE(column->length(), trial.max_rows);
    const std::vector<Value> part = colonnade::testing::to_values(*column);
    values.insert(values.end(), part.begin(), part.end());
    if (part.empty()) break;
  }
  return values;
}

std::vector<ColumnPtr> ChunkFile::columns(const ReadTrial& trial, int32_t leaf,
                                          int32_t row_group) const {
  std::vector<ColumnPtr> columns;
  if (footer_.row_groups().at(static_cast<size_t>(row_group)).num_rows == 0) return columns;
  ColumnReader reader = this->reader(trial, leaf, row_group);
  while (reader.rows_left() > 0) {
    const int64_t before = reader.rows_left();
    columns.push_back(reader.read(trial.max_rows, trial.max_bytes));
    const int64_t length = columns.back()->length();
    EXPECT_EQ(reader.rows_left(), before - length);
    EXPECT_GT(length, 0);
    EXPECT_LE(length, trial.max_rows);
    if (trial.max_bytes == 0) {
      EXPECT_EQ(length, std::min(before, trial.max_rows));
    }
    expect_well_formed(*columns.back());
    if (length <= 0) break;
  }
  return columns;
}

std::vector<Value> ChunkFile::values(const ReadTrial& trial, int32_t leaf,
                                     int32_t row_group) const {
  std::vector<Value> values;
  for (const ColumnPtr& column : columns(trial, leaf, row_group)) {
    const std::vector<Value> part = colonnade::testing::to_values(*column);
    values.insert(values.end(), part.begin(), part.end());
  }
  return values;
}

void expect_well_formed(const Column& column) {
  const ColumnParts& parts = column.parts();
  const int64_t n = parts.length;
  ASSERT_EQ(parts.offset, 0);
  int64_t nulls = 0;
  for (int64_t row = 0; row < n; ++row) nulls += column.is_valid(row) ? 0 : 1;
  EXPECT_EQ(parts.null_count, nulls);
  if (parts.storage == Storage::kNone) return;
  EXPECT_EQ(parts.validity.empty(), nulls == 0);
  const auto expect_zero_tail = [&](const Buffer& bits) {
    if (n % 8 != 0) {
      EXPECT_EQ(bits.data()[n / 8] >> (n % 8), 0);
    }
  };
  if (nulls > 0) expect_zero_tail(parts.validity);
  if (parts.storage == Storage::kBits) expect_zero_tail(parts.values);

  const int64_t width = parts.encoding == Encoding::kDictionary ? 4
                        : parts.storage == Storage::kFixed      ? parts.byte_width
                        : parts.storage == Storage::kViews      ? 16
                                                                : 0;
  for (int64_t row = 0; row < n; ++row) {
    if (column.is_valid(row)) continue;
    EXPECT_TRUE(all_zero(parts.values.data() + row * width, width)) << row;
    if (parts.storage == Storage::kBits) {
      EXPECT_FALSE(bits::get(parts.values.data(), row)) << row;
    }
  }
  if (parts.encoding == Encoding::kDictionary) {
    ASSERT_NE(parts.dictionary, nullptr);
    EXPECT_TRUE(parts.dictionary->unique);
    const Column& dictionary = *parts.dictionary->values;
    EXPECT_EQ(dictionary.null_count(), 0);
    std::vector<std::string> values;
    for (const Value& value : colonnade::testing::to_values(dictionary)) {
      values.push_back(std::get<std::string>(value.content));
    }
    std::sort(values.begin(), values.end());
    EXPECT_EQ(std::adjacent_find(values.begin(), values.end()), values.end());
    for (const int32_t id : parts.values.as<int32_t>().first(static_cast<size_t>(n))) {
      ASSERT_GE(id, 0);
      if (dictionary.length() > 0 || nulls < n) {
        ASSERT_LT(id, dictionary.length());
      }
    }
  } else if (parts.storage == Storage::kOffsets32) {
    EXPECT_EQ(parts.offsets.as<int32_t>()[static_cast<size_t>(n)], parts.bytes.size());
  } else if (parts.storage == Storage::kOffsets64) {
    EXPECT_EQ(parts.offsets.as<int64_t>()[static_cast<size_t>(n)], parts.bytes.size());
  }
}

}  // namespace colonnade::parquet::testing
