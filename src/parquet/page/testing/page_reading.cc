#include "parquet/page/testing/page_reading.h"

#include <memory>
#include <utility>

#include <colonnade/file.h>

#include "io/read_plan.h"
#include "parquet/testing/error_of.h"

namespace colonnade::parquet::testing {

FileBuilder chunk(CompressionCodec codec) {
  return FileBuilder().column("c", PhysicalType::kInt32).row_group(0).chunk(codec);
}

void add_v1(FileBuilder& builder, CompressionCodec codec, V1Options options, const Bytes& page) {
  options.uncompressed_bytes = size32(page);
  builder.page_v1(options, compressed(codec, page));
}

void add_v2(FileBuilder& builder, CompressionCodec codec, V2Options options, const Bytes& values,
            const Bytes& definition, const Bytes& repetition) {
  options.uncompressed_bytes = size32(values) + size32(definition) + size32(repetition);
  builder.page_v2(options, options.is_compressed == false ? values : compressed(codec, values),
                  definition, repetition);
}

void add_dictionary(FileBuilder& builder, CompressionCodec codec, DictionaryOptions options,
                    const Bytes& entries) {
  options.uncompressed_bytes = size32(entries);
  builder.dictionary_page(options, compressed(codec, entries));
}

void PageReaderTest::make_pool(MemoryOptions options) {
  options.test_mode.fill = true;
  context_.memory = MemoryPool::make_root("test", options);
}

PageReader PageReaderTest::open(const Bytes& file, int64_t end, const PageReadOptions& options,
                                int64_t window_bytes) const {
  const auto owner = std::make_shared<Bytes>(file);
  const FilePtr memory_file =
      open_memory_file(Buffer::wrap(owner->data(), static_cast<int64_t>(owner->size()), owner));
  io::ReadPlanOptions plan_options;
  plan_options.window_bytes = window_bytes;
  io::ReadPlan plan(context_, memory_file, {{kFirstPage, end - kFirstPage}}, plan_options);
  return PageReader(context_, options, plan.open(0));
}

void PageReaderTest::expect_refused(const PageReadOptions& options, ErrorCode code,
                                    const std::string& words,
                                    const std::function<void(FileBuilder&)>& add) const {
  FileBuilder builder = chunk(options.codec).index_page({1, 2, 3});
  const int64_t page_offset = builder.position();
  add(builder);
  PageReader reader = open(builder, options);
  const Error error = error_of([&] {
    while (reader.next()) {
    }
  });
  EXPECT_EQ(error.code(), code) << error.what();
  EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  EXPECT_EQ(reader.page_offset(), page_offset) << error.what();
}

}  // namespace colonnade::parquet::testing
