#include <colonnade/colonnade.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "io/testing/temporary_folder.h"
#include "parquet/testing/file_builder.h"

namespace {

using colonnade::io::testing::TemporaryFolder;
using colonnade::parquet::PhysicalType;
using colonnade::parquet::testing::Bytes;
using colonnade::parquet::testing::FileBuilder;
using colonnade::parquet::testing::plain_int32;

// Row groups of three rows: a counts up, b counts down.
Bytes two_columns(int row_groups) {
  FileBuilder file;
  file.column("a", PhysicalType::kInt32).column("b", PhysicalType::kInt32);
  for (int i = 0; i < row_groups; ++i) {
    file.row_group(3);
    file.chunk().page_v1({.num_values = 3}, plain_int32({3 * i, 3 * i + 1, 3 * i + 2}));
    file.chunk().page_v1({.num_values = 3}, plain_int32({-3 * i, -3 * i - 1, -3 * i - 2}));
  }
  return file.build();
}

// An error that is freed, and what it said.
struct Failure {
  explicit Failure(colonnade_error* error)
      : code(colonnade_error_code(error)),
        message(colonnade_error_message(error)),
        file(colonnade_error_file(error)),
        column(colonnade_error_column(error)),
        system_errno(colonnade_error_errno(error)) {
    colonnade_error_free(error);
  }
  colonnade_status code;
  std::string message, file, column;
  int system_errno;
};

// The int32 values of one column of every batch, then what ended the stream: 0 or an errno value.
std::vector<int32_t> drain(ArrowArrayStream* stream, int64_t column, int* ended_with = nullptr) {
  std::vector<int32_t> values;
  ArrowArray batch;
  int status = 0;
  while ((status = stream->get_next(stream, &batch)) == 0 && batch.release != nullptr) {
    const ArrowArray& child = *batch.children[column];
    const auto* data = static_cast<const int32_t*>(child.buffers[1]) + child.offset;
    values.insert(values.end(), data, data + child.length);
    batch.release(&batch);
  }
  if (ended_with != nullptr) *ended_with = status;
  EXPECT_TRUE(ended_with != nullptr || status == 0) << stream->get_last_error(stream);
  return values;
}

class CApi : public ::testing::Test {
 protected:
  colonnade_file* open(const Bytes& bytes, colonnade_context* context = nullptr) {
    colonnade_open_options options = COLONNADE_OPEN_OPTIONS_INIT;
    options.context = context;
    const std::string path = folder_.write("t.parquet", std::string(bytes.begin(), bytes.end()));
    colonnade_file* file = nullptr;
    colonnade_error* error = nullptr;
    EXPECT_EQ(colonnade_file_open(path.c_str(), &options, &file, &error), COLONNADE_OK);
    return file;
  }

  TemporaryFolder folder_;
};

TEST_F(CApi, TellsItsVersion) { EXPECT_STREQ(colonnade_version(), COLONNADE_VERSION); }

TEST_F(CApi, OpensScansAndOutlivesTheFile) {
  colonnade_file* file = open(two_columns(3));
  EXPECT_EQ(colonnade_file_num_rows(file), 9);
  EXPECT_EQ(colonnade_file_num_row_groups(file), 3);
  char* json = nullptr;
  ASSERT_EQ(colonnade_file_schema_json(file, &json, nullptr), COLONNADE_OK);
  EXPECT_NE(std::string(json).find("\"name\":\"a\",\"type\":\"int32\""), std::string::npos) << json;
  colonnade_string_free(json);
  ASSERT_EQ(colonnade_file_metadata_json(file, &json, nullptr), COLONNADE_OK);
  EXPECT_NE(std::string(json).find("\"num_rows\":9"), std::string::npos) << json;
  colonnade_string_free(json);

  ArrowArrayStream stream;
  ASSERT_EQ(colonnade_file_scan(file, nullptr, &stream, nullptr), COLONNADE_OK);
  colonnade_file_free(file);
  ArrowSchema schema;
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  EXPECT_EQ(schema.n_children, 2);
  EXPECT_STREQ(schema.children[1]->name, "b");
  schema.release(&schema);
  EXPECT_EQ(drain(&stream, 0), (std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  stream.release(&stream);
}

TEST_F(CApi, ScanOptionsSelect) {
  colonnade_file* file = open(two_columns(3));
  const char* columns[] = {"b"};
  const int32_t row_groups[] = {2, 0};
  colonnade_scan_options options = COLONNADE_SCAN_OPTIONS_INIT;
  options.columns = columns;
  options.num_columns = 1;
  options.row_groups = row_groups;
  options.num_row_groups = 2;
  options.threads = 1;
  ArrowArrayStream stream;
  ASSERT_EQ(colonnade_file_scan(file, &options, &stream, nullptr), COLONNADE_OK);
  EXPECT_EQ(drain(&stream, 0), (std::vector<int32_t>{-6, -7, -8, 0, -1, -2}));
  stream.release(&stream);

  options = COLONNADE_SCAN_OPTIONS_INIT;
  options.split_length = 0;
  ASSERT_EQ(colonnade_file_scan(file, &options, &stream, nullptr), COLONNADE_OK);
  EXPECT_TRUE(drain(&stream, 0).empty());
  stream.release(&stream);
  colonnade_file_free(file);
}

// A program compiled against an older header has a shorter struct: what it does not know stays at
// its default.
TEST_F(CApi, TakesOptionsOfOlderPrograms) {
  colonnade_file* file = open(two_columns(1));
  colonnade_scan_options options;
  std::memset(&options, 0xEE, sizeof(options));
  options.columns = nullptr;
  options.num_columns = -1;
  options.struct_size = offsetof(colonnade_scan_options, row_groups);
  ArrowArrayStream stream;
  ASSERT_EQ(colonnade_file_scan(file, &options, &stream, nullptr), COLONNADE_OK);
  EXPECT_EQ(drain(&stream, 0), (std::vector<int32_t>{0, 1, 2}));
  stream.release(&stream);
  for (const size_t size : {size_t{0}, sizeof(size_t) - 1, sizeof(options) - 1}) {
    options.struct_size = size;
    EXPECT_EQ(colonnade_file_scan(file, &options, &stream, nullptr), COLONNADE_INVALID_ARGUMENT);
  }
  colonnade_file_free(file);
}

TEST_F(CApi, TakesOptionsOfNewerProgramsUnlessTheyAskForMore) {
  colonnade_file* file = open(two_columns(1));
  struct {
    colonnade_scan_options known = COLONNADE_SCAN_OPTIONS_INIT;
    int64_t unknown = 0;
  } options;
  options.known.struct_size = sizeof(options);
  ArrowArrayStream stream;
  ASSERT_EQ(colonnade_file_scan(file, &options.known, &stream, nullptr), COLONNADE_OK);
  stream.release(&stream);
  options.unknown = 1;
  EXPECT_EQ(colonnade_file_scan(file, &options.known, &stream, nullptr),
            COLONNADE_INVALID_ARGUMENT);
  colonnade_file_free(file);
}

TEST_F(CApi, RefusesCountsThatMeanNothing) {
  colonnade_file* file = open(two_columns(1));
  using Options = colonnade_scan_options;
  ArrowArrayStream stream;
  for (int64_t Options::* const count :
       {&Options::num_columns, &Options::num_row_groups, &Options::split_length}) {
    Options options = COLONNADE_SCAN_OPTIONS_INIT;
    options.*count = -2;
    EXPECT_EQ(colonnade_file_scan(file, &options, &stream, nullptr), COLONNADE_INVALID_ARGUMENT);
  }
  Options options = COLONNADE_SCAN_OPTIONS_INIT;
  options.split_offset = 4;
  EXPECT_EQ(colonnade_file_scan(file, &options, &stream, nullptr), COLONNADE_INVALID_ARGUMENT);
  colonnade_file_free(file);
}

TEST_F(CApi, ErrorsAreOwnedAndSayWhere) {
  colonnade_file* file = nullptr;
  colonnade_error* error = nullptr;
  EXPECT_EQ(colonnade_file_open("/no/such/file", nullptr, &file, &error), COLONNADE_NOT_FOUND);
  EXPECT_EQ(file, nullptr);
  const Failure missing(error);
  EXPECT_EQ(missing.code, COLONNADE_NOT_FOUND);
  EXPECT_EQ(missing.file, "/no/such/file");
  EXPECT_EQ(missing.system_errno, ENOENT);

  EXPECT_EQ(colonnade_file_open("/no/such/file", nullptr, &file, nullptr), COLONNADE_NOT_FOUND);
  EXPECT_EQ(colonnade_file_open(nullptr, nullptr, &file, nullptr), COLONNADE_INVALID_ARGUMENT);
  EXPECT_EQ(colonnade_file_open("x", nullptr, nullptr, nullptr), COLONNADE_INVALID_ARGUMENT);

  file = open(two_columns(1));
  const char* columns[] = {"nope"};
  colonnade_scan_options options = COLONNADE_SCAN_OPTIONS_INIT;
  options.columns = columns;
  options.num_columns = 1;
  ArrowArrayStream stream;
  EXPECT_EQ(colonnade_file_scan(file, &options, &stream, &error), COLONNADE_NOT_FOUND);
  EXPECT_EQ(Failure(error).column, "nope");
  options = COLONNADE_SCAN_OPTIONS_INIT;
  options.strings = 17;
  EXPECT_EQ(colonnade_file_scan(file, &options, &stream, nullptr), COLONNADE_INVALID_ARGUMENT);
  colonnade_file_free(file);
}

TEST_F(CApi, FreeingNothingIsAllowed) {
  colonnade_error_free(nullptr);
  colonnade_context_free(nullptr);
  colonnade_file_free(nullptr);
  colonnade_string_free(nullptr);
}

TEST_F(CApi, ReadsFromMemoryAndReleasesItOnce) {
  const Bytes bytes = two_columns(2);
  const auto count = [](void* releases) { ++*static_cast<int*>(releases); };
  int releases = 0;
  colonnade_file* file = nullptr;
  const auto size = static_cast<int64_t>(bytes.size());
  ASSERT_EQ(
      colonnade_file_open_memory(bytes.data(), size, count, &releases, nullptr, &file, nullptr),
      COLONNADE_OK);
  ArrowArrayStream stream;
  ASSERT_EQ(colonnade_file_scan(file, nullptr, &stream, nullptr), COLONNADE_OK);
  colonnade_file_free(file);
  EXPECT_EQ(releases, 0);
  EXPECT_EQ(drain(&stream, 0).size(), 6u);
  stream.release(&stream);
  EXPECT_EQ(releases, 1);
  EXPECT_EQ(colonnade_file_open_memory(bytes.data(), 5, count, &releases, nullptr, &file, nullptr),
            COLONNADE_CORRUPT_DATA);
  EXPECT_EQ(releases, 2);
  EXPECT_EQ(colonnade_file_open_memory(nullptr, 5, count, &releases, nullptr, &file, nullptr),
            COLONNADE_INVALID_ARGUMENT);
  EXPECT_EQ(releases, 3);
}

TEST_F(CApi, ReadsThroughCallbacksAndPassesTheirErrno) {
  struct Source {
    Bytes bytes = two_columns(2);
    int reads_until_failure = 1000;
    int releases = 0;
  } source;
  const auto read = [](void* user_data, int64_t offset, int64_t length, uint8_t* out) {
    auto* from = static_cast<Source*>(user_data);
    if (--from->reads_until_failure < 0) return ENOSPC;
    std::memcpy(out, from->bytes.data() + offset, static_cast<size_t>(length));
    return 0;
  };
  const auto release = [](void* user_data) { ++static_cast<Source*>(user_data)->releases; };
  const auto size = static_cast<int64_t>(source.bytes.size());
  colonnade_file* file = nullptr;
  ASSERT_EQ(
      colonnade_file_open_callbacks("mine", size, read, release, &source, nullptr, &file, nullptr),
      COLONNADE_OK);
  ArrowArrayStream stream;
  ASSERT_EQ(colonnade_file_scan(file, nullptr, &stream, nullptr), COLONNADE_OK);
  EXPECT_EQ(drain(&stream, 1).size(), 6u);
  stream.release(&stream);
  source.reads_until_failure = 0;
  ASSERT_EQ(colonnade_file_scan(file, nullptr, &stream, nullptr), COLONNADE_OK);
  int ended_with = 0;
  drain(&stream, 1, &ended_with);
  EXPECT_EQ(ended_with, ENOSPC);
  EXPECT_NE(std::string(stream.get_last_error(&stream)).find("mine"), std::string::npos);
  stream.release(&stream);
  colonnade_file_free(file);
  EXPECT_EQ(source.releases, 1);
}

TEST_F(CApi, ContextsLimitMemoryAndCancel) {
  colonnade_context_options limits = COLONNADE_CONTEXT_OPTIONS_INIT;
  limits.memory_limit_bytes = 10;
  colonnade_context* context = nullptr;
  ASSERT_EQ(colonnade_context_new(&limits, &context, nullptr), COLONNADE_OK);
  const std::string path = folder_.path() + "/t.parquet";
  colonnade_file* file = open(two_columns(1));
  colonnade_file_free(file);
  colonnade_open_options options = COLONNADE_OPEN_OPTIONS_INIT;
  options.context = context;
  EXPECT_EQ(colonnade_file_open(path.c_str(), &options, &file, nullptr), COLONNADE_OUT_OF_BUDGET);
  EXPECT_EQ(colonnade_context_memory_used(context), 0);
  colonnade_context_free(context);

  ASSERT_EQ(colonnade_context_new(nullptr, &context, nullptr), COLONNADE_OK);
  file = open(two_columns(2), context);
  EXPECT_GT(colonnade_context_memory_used(context), 0);
  ArrowArrayStream stream;
  ASSERT_EQ(colonnade_file_scan(file, nullptr, &stream, nullptr), COLONNADE_OK);
  colonnade_context_cancel(context);
  int ended_with = 0;
  drain(&stream, 0, &ended_with);
  EXPECT_EQ(ended_with, ECANCELED);
  stream.release(&stream);
  colonnade_file_free(file);
  EXPECT_EQ(colonnade_context_memory_used(context), 0);
  EXPECT_GT(colonnade_context_memory_peak(context), 0);
  colonnade_context_free(context);
  limits.memory_limit_bytes = -1;
  EXPECT_EQ(colonnade_context_new(&limits, &context, nullptr), COLONNADE_INVALID_ARGUMENT);
}

TEST_F(CApi, ScansSeveralFiles) {
  for (const char* name : {"b.parquet", "a.parquet", "_SUCCESS"}) {
    const Bytes bytes = two_columns(name[0] == 'a' ? 1 : 2);
    folder_.write(name, std::string(bytes.begin(), bytes.end()));
  }
  const std::string glob = folder_.path() + "/*.parquet";
  const char* paths[] = {glob.c_str()};
  ArrowArrayStream stream;
  ASSERT_EQ(colonnade_scan_files(paths, 1, nullptr, nullptr, &stream, nullptr), COLONNADE_OK);
  EXPECT_EQ(drain(&stream, 0), (std::vector<int32_t>{0, 1, 2, 0, 1, 2, 3, 4, 5}));
  stream.release(&stream);
  EXPECT_EQ(colonnade_scan_files(nullptr, 0, nullptr, nullptr, &stream, nullptr),
            COLONNADE_INVALID_ARGUMENT);
}

TEST_F(CApi, ScansFilesOfOtherColumnsInPartitionFolders) {
  const Bytes two = two_columns(1);
  const Bytes one = FileBuilder()
                        .column("b", PhysicalType::kInt32)
                        .row_group(1)
                        .chunk()
                        .page_v1({.num_values = 1}, plain_int32({7}))
                        .build();
  folder_.write("day=9/t.parquet", std::string(one.begin(), one.end()));
  folder_.write("day=2/t.parquet", std::string(two.begin(), two.end()));
  const char* paths[] = {folder_.path().c_str()};
  colonnade_scan_options options = COLONNADE_SCAN_OPTIONS_INIT;
  ArrowArrayStream stream;
  ASSERT_EQ(colonnade_scan_files(paths, 1, nullptr, &options, &stream, nullptr), COLONNADE_OK);
  int ended_with = 0;
  EXPECT_EQ(drain(&stream, 0, &ended_with).size(), 3u);
  EXPECT_EQ(ended_with, EINVAL);
  stream.release(&stream);

  options.union_by_name = 1;
  for (const auto& [kind, formats] : {std::pair<int32_t, std::string>{COLONNADE_HIVE_TYPED, "iil"},
                                      {COLONNADE_HIVE_TEXT, "iiu"},
                                      {COLONNADE_HIVE_OFF, "ii"}}) {
    options.hive_partitioning = kind;
    ASSERT_EQ(colonnade_scan_files(paths, 1, nullptr, &options, &stream, nullptr), COLONNADE_OK);
    ArrowSchema schema;
    ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
    std::string seen;
    for (int64_t i = 0; i < schema.n_children; ++i) seen += schema.children[i]->format;
    EXPECT_EQ(seen, formats);
    schema.release(&schema);
    EXPECT_EQ(drain(&stream, 1), (std::vector<int32_t>{0, -1, -2, 7}));
    stream.release(&stream);
  }
  for (const int32_t unknown : {-1, 3}) {
    options.hive_partitioning = unknown;
    EXPECT_EQ(colonnade_scan_files(paths, 1, nullptr, &options, &stream, nullptr),
              COLONNADE_INVALID_ARGUMENT);
  }
}

}  // namespace
