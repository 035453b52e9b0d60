// Whole chunks through the column reader, by type, encoding and nulls; and any file's columns:
// COLONNADE_BENCH_FILE=lineitem.parquet parquet_bench --benchmark_filter=File
#include <cstdlib>
#include <string>

#include <benchmark/benchmark.h>

#include <colonnade/file.h>

#include "parquet/column/chunk_span.h"
#include "parquet/column/column_reader.h"
#include "parquet/column/testing/random_chunk.h"

namespace colonnade::parquet {
namespace {

struct OpenFile {
  Context context;
  FilePtr file;
  Footer footer;
  FileSchema schema;
};

OpenFile open(FilePtr file) {
  Context context;
  const auto read = [&](int64_t offset, int64_t length) {
    MutableBuffer bytes = context.memory->allocate(length);
    const ReadRange range{offset, length, bytes.data()};
    file->read_many({&range, 1});
    return std::move(bytes).freeze();
  };
  const uint32_t footer_bytes = read(file->size() - 8, 4).as<uint32_t>()[0];
  Footer footer =
      Footer::parse(context, read(file->size() - 8 - footer_bytes, footer_bytes), file->size());
  FileSchema schema = make_file_schema(footer);
  return {context, std::move(file), std::move(footer), std::move(schema)};
}

// Reads one chunk in batches and drops them.
void drain(const OpenFile& open, int32_t row_group, int32_t leaf, StringForm strings,
           int64_t batch_rows) {
  const ChunkMetadata chunk = open.footer.chunk(row_group, leaf);
  io::ReadPlan plan(open.context, open.file, {{chunk.first_page_offset(), chunk.compressed_bytes}});
  ColumnReadOptions options;
  options.strings = strings;
  ColumnReader reader(open.context, options, open.schema.leaves[static_cast<size_t>(leaf)],
                      open.schema.fields[static_cast<size_t>(leaf)].field, chunk,
                      RowCursor(open.footer.row_groups()[static_cast<size_t>(row_group)].num_rows),
                      plan.open(0));
  while (reader.rows_left() > 0) benchmark::DoNotOptimize(reader.read(batch_rows, 0));
}

void BM_Chunk(benchmark::State& state, const std::string& kind, double null_fraction,
              double dictionary_fraction) {
  testing::ChunkShape shape;
  shape.num_rows = 1 << 18;
  shape.optional = true;
  shape.null_fraction = null_fraction;
  shape.dictionary_fraction = dictionary_fraction;
  shape.distinct_values = 2500;
  shape.max_page_rows = 1 << 16;
  const testing::WrittenChunk written =
      write_random_chunk(testing::value_kind(kind), shape, /*seed=*/1);
  const OpenFile file = open(open_memory_file(
      Buffer::wrap(written.file.data(), static_cast<int64_t>(written.file.size()), nullptr)));
  for (auto _ : state) drain(file, 0, 0, StringForm::kOffsets32, Batch::kDefaultRows);
  state.SetItemsProcessed(state.iterations() * shape.num_rows);
}

void register_chunks() {
  for (const char* kind : {"int32", "int64", "boolean", "string", "decimal16_fixed7",
                           "decimal38_fixed16", "decimal32_in_bytes"}) {
    for (const double nulls : {0.0, 0.01, 0.5}) {
      for (const double dictionary : {0.0, 1.0}) {
        const std::string name = std::string("Chunk/") + kind +
                                 (dictionary > 0 ? "/dictionary" : "/plain") +
                                 "/nulls:" + std::to_string(static_cast<int>(nulls * 100));
        benchmark::RegisterBenchmark(name.c_str(), BM_Chunk, kind, nulls, dictionary);
      }
    }
  }
}

void register_file() {
  const char* path = std::getenv("COLONNADE_BENCH_FILE");
  if (path == nullptr) return;
  // Lives as long as the benchmarks.
  static const OpenFile file = open(open_local_file(path));
  const int32_t num_row_groups = static_cast<int32_t>(file.footer.row_groups().size());
  const auto drain_leaf = [num_row_groups](int32_t leaf, StringForm form, int64_t batch_rows) {
    for (int32_t i = 0; i < num_row_groups; ++i) drain(file, i, leaf, form, batch_rows);
  };
  for (const FileField& field : file.schema.fields) {
    if (!field.refusal.empty() || field.shape.kind != Shape::Kind::kLeaf) continue;
    const int32_t leaf = field.first_leaf;
    benchmark::RegisterBenchmark(("File/" + field.field.name).c_str(), [=](benchmark::State&
                                                                               state) {
      for (auto _ : state) drain_leaf(leaf, StringForm::kOffsets32, Batch::kDefaultRows);
      state.SetItemsProcessed(state.iterations() * file.footer.num_rows());
    })->Unit(benchmark::kMillisecond);
  }
  for (const auto& [name, form] :
       {std::pair{"offsets", StringForm::kOffsets32}, std::pair{"views", StringForm::kViews},
        std::pair{"dictionary", StringForm::kDictionary}}) {
    benchmark::RegisterBenchmark(
        (std::string("File/all/") + name).c_str(),
        [=, form = form](benchmark::State& state) {
          for (auto _ : state) {
            for (int32_t leaf = 0; leaf < file.footer.num_leaves(); ++leaf) {
              drain_leaf(leaf, form, Batch::kDefaultRows);
            }
          }
          state.SetItemsProcessed(state.iterations() * file.footer.num_rows());
        })
        ->Unit(benchmark::kMillisecond);
  }
}

[[maybe_unused]] const bool registered = [] {
  register_chunks();
  register_file();
  return true;
}();

}  // namespace
}  // namespace colonnade::parquet
