#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <colonnade/parquet.h>

#include "base/executor.h"
#include "column/testing/reference.h"
#include "io/testing/faulty_file.h"
#include "io/testing/temporary_folder.h"
#include "parquet/testing/file_builder.h"

namespace colonnade::parquet {
namespace {

using colonnade::testing::to_values;
using colonnade::testing::Value;
using io::testing::FaultyFile;
using io::testing::FileFaults;
using testing::Bytes;
using testing::concat;
using testing::FileBuilder;

Buffer shared(Bytes bytes) {
  auto owner = std::make_shared<const Bytes>(std::move(bytes));
  return Buffer::wrap(owner->data(), static_cast<int64_t>(owner->size()), owner);
}

std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

// A root of its own with real threads, so that a test sees every byte that it leaves behind.
Context own_context(const MemoryOptions& memory = {}, int32_t executor_threads = 4) {
  Context context;
  context.memory = MemoryPool::make_root("test", memory);
  context.executor = std::make_shared<Executor>(executor_threads);
  return context;
}

// Row groups of `rows` rows: `id` counts through the file (required INT64), `word` is an optional
// string whose length swings, `flag` an optional boolean. Pages hold `page_rows` rows.
Bytes three_columns(const std::vector<int64_t>& row_groups, int64_t page_rows) {
  FileBuilder file;
  file.column("id", PhysicalType::kInt64)
      .column("word", PhysicalType::kByteArray, Repetition::kOptional,
              {.kind = LogicalType::Kind::kString})
      .column("flag", PhysicalType::kBoolean, Repetition::kOptional);
  int64_t first = 0;
  for (const int64_t rows : row_groups) {
    file.row_group(rows).chunk();
    const auto pages = [&](auto&& page) {
      for (int64_t at = 0; at < rows; at += page_rows)
        page(first + at, std::min(page_rows, rows - at));
    };
    pages([&](int64_t begin, int64_t count) {
      std::vector<int64_t> ids;
      for (int64_t i = 0; i < count; ++i) ids.push_back(begin + i);
      file.page_v1({.num_values = static_cast<int32_t>(count)}, testing::plain_int64(ids));
    });
    file.chunk();
    pages([&](int64_t begin, int64_t count) {
      std::vector<std::string> words;
      std::vector<uint32_t> levels;
      for (int64_t i = begin; i < begin + count; ++i) {
        levels.push_back(i % 7 != 3);
        if (levels.back())
          words.emplace_back(static_cast<size_t>(i * 31 % 97), static_cast<char>('a' + i % 26));
      }
      const std::vector<std::string_view> views(words.begin(), words.end());
      file.page_v1({.num_values = static_cast<int32_t>(count)},
                   concat({testing::levels_v1(levels, 1), testing::plain_byte_array(views)}));
    });
    file.chunk();
    pages([&](int64_t begin, int64_t count) {
      std::vector<bool> flags;
      std::vector<uint32_t> levels;
      for (int64_t i = begin; i < begin + count; ++i) {
        levels.push_back(i % 5 != 0);
        if (levels.back()) flags.push_back(i % 3 == 0);
      }
      file.page_v1({.num_values = static_cast<int32_t>(count)},
                   concat({testing::levels_v1(levels, 1), testing::plain_boolean(flags)}));
    });
    first += rows;
  }
  return file.build();
}

// The schema of three_columns() whose strings leave as views.
SchemaPtr with_views(const SchemaPtr& schema) {
  std::vector<Field> fields = schema->fields();
  fields[1].form = Form::kViews;
  return std::make_shared<const Schema>(std::move(fields));
}

struct Read {
  std::vector<int64_t> borders;  // rows of each batch
  std::vector<std::vector<Value>> columns;
};

Read read_all(BatchSource& source) {
  Read read;
  read.columns.resize(static_cast<size_t>(source.schema()->num_fields()));
  while (auto batch = source.next()) {
    read.borders.push_back(batch->num_rows());
    for (int32_t i = 0; i < batch->num_columns(); ++i) {
      std::vector<Value> values = to_values(*batch->column(i));
      std::move(values.begin(), values.end(),
                std::back_inserter(read.columns[static_cast<size_t>(i)]));
    }
  }
  return read;
}

ErrorCode code_of(const std::function<void()>& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::kInternal;
}

TEST(Scan, GivesTheSameRowsAndBordersForAnyNumberOfThreads) {
  const Bytes bytes = three_columns({1000, 1, 2500, 77}, 300);
  for (const int64_t batch_rows : {1, 7, 512, 8192, 0}) {
    std::optional<Read> expected;
    for (const int32_t threads : {1, 2, 4, 8}) {
      const Context context = own_context();
      {
        const File file = File::open(open_memory_file(shared(bytes)), context);
        const auto scan = file.scan({.threads = threads, .batch_rows = batch_rows});
        Read read = read_all(*scan);
        ASSERT_EQ(read.columns[0].size(), 3578u);
        for (int64_t i = 0; i < 3578; ++i) {
          ASSERT_EQ(std::get<int64_t>(read.columns[0][static_cast<size_t>(i)].content), i);
        }
        if (!expected) expected = read;
        EXPECT_EQ(read.borders, expected->borders);
        EXPECT_EQ(read.columns, expected->columns);
      }
      EXPECT_EQ(context.memory->used_bytes(), 0);
    }
    ASSERT_TRUE(expected);
    if (batch_rows == 0) {
      EXPECT_EQ(expected->borders, (std::vector<int64_t>{1000, 1, 2500, 77}));
    }
    if (batch_rows == 512) {
      EXPECT_EQ(expected->borders,
                (std::vector<int64_t>{512, 488, 1, 512, 512, 512, 512, 452, 77}));
    }
  }
}

TEST(Scan, CutsBatchesByBytesWhereverThreadsAre) {
  const Bytes bytes = three_columns({4000}, 500);
  std::optional<Read> expected;
  for (const int32_t threads : {1, 3}) {
    const File file = File::open(open_memory_file(shared(bytes)), own_context());
    const auto scan = file.scan({.threads = threads, .batch_bytes = 2000});
    Read read;
    read.columns.resize(3);
    while (auto batch = scan->next()) {
      int64_t total = 0;
      for (const ColumnPtr& column : batch->columns()) total += column->slice_bytes();
      EXPECT_TRUE(total <= 2000 || batch->num_rows() == 1) << total;
      read.borders.push_back(batch->num_rows());
      for (size_t i = 0; i < 3; ++i) {
        std::vector<Value> values = to_values(*batch->column(static_cast<int32_t>(i)));
        std::move(values.begin(), values.end(), std::back_inserter(read.columns[i]));
      }
    }
    EXPECT_GT(read.borders.size(), 50u);
    if (!expected) {
      expected = read;
      const auto whole = file.scan({.batch_bytes = 0});
      EXPECT_EQ(read_all(*whole).columns, read.columns);
    }
    EXPECT_EQ(read.borders, expected->borders);
    EXPECT_EQ(read.columns, expected->columns);
  }
}

TEST(Scan, GivesFewerRowsWhenAskedForFewer) {
  const File file = File::open(open_memory_file(shared(three_columns({100}, 30))));
  const auto scan = file.scan({.threads = 1, .batch_rows = 40});
  std::vector<int64_t> rows;
  for (const int64_t most : {15, 1, 100, 100, 100}) {
    const auto batch = scan->next(most);
    ASSERT_TRUE(batch);
    rows.push_back(batch->num_rows());
  }
  EXPECT_EQ(rows, (std::vector<int64_t>{15, 1, 24, 40, 20}));
  EXPECT_FALSE(scan->next());
  EXPECT_FALSE(scan->next());
}

TEST(Scan, ProjectsInTheOrderAsked) {
  const File file = File::open(open_memory_file(shared(three_columns({50}, 10))));
  const auto scan = file.scan({.columns = {"flag", "id"}});
  EXPECT_EQ(scan->schema()->field(0).name, "flag");
  EXPECT_EQ(scan->schema()->field(1).name, "id");
  const Read read = read_all(*scan);
  EXPECT_EQ(std::get<int64_t>(read.columns[1][49].content), 49);
  EXPECT_EQ(code_of([&] { file.scan({.columns = {"nope"}}); }), ErrorCode::kNotFound);
  EXPECT_EQ(code_of([&] { file.scan({.columns = {"id", "id"}}); }), ErrorCode::kInvalidArgument);
}

TEST(Scan, CountsRowsWithoutColumns) {
  const File file = File::open(open_memory_file(shared(three_columns({100, 20}, 30))));
  const auto scan = file.scan({.columns = ColumnSelection::none(), .threads = 2, .batch_rows = 64});
  EXPECT_EQ(read_all(*scan).borders, (std::vector<int64_t>{64, 36, 20}));
}

TEST(Scan, SplitsCoverEachRowGroupOnce) {
  const Bytes bytes = three_columns({100, 200, 300}, 50);
  const auto size = static_cast<int64_t>(bytes.size());
  for (const int64_t splits : {1, 2, 7, 64}) {
    std::vector<Value> ids;
    for (int64_t i = 0; i < splits; ++i) {
      const int64_t begin = size * i / splits;
      const int64_t end = size * (i + 1) / splits;
      const File file = File::open(open_memory_file(shared(bytes)));
      const auto scan = file.scan({.columns = {"id"}, .split = ByteRange{begin, end - begin}});
      const Read read = read_all(*scan);
      ids.insert(ids.end(), read.columns[0].begin(), read.columns[0].end());
    }
    ASSERT_EQ(ids.size(), 600u) << splits;
    for (size_t i = 0; i < ids.size(); ++i)
      EXPECT_EQ(std::get<int64_t>(ids[i].content), static_cast<int64_t>(i));
  }
}

// Old writers gave a wrong RowGroup.file_offset (A26): splits do not look at it.
TEST(Scan, SplitsIgnoreTheClaimedRowGroupOffset) {
  FileBuilder file;
  file.column("a", PhysicalType::kInt32);
  for (int i = 0; i < 3; ++i)
    file.row_group(2).chunk().page_v1({.num_values = 2}, testing::plain_int32({i, i}));
  file.lie([](testing::FooterClaims& claims) {
    for (auto& row_group : claims.row_groups) row_group.file_offset = 0;
  });
  const Bytes bytes = file.build();
  int64_t rows = 0;
  for (int64_t at = 0; at < static_cast<int64_t>(bytes.size()); at += 10) {
    const auto scan =
        File::open(open_memory_file(shared(bytes))).scan({.split = ByteRange{at, 10}});
    while (auto batch = scan->next()) rows += batch->num_rows();
  }
  EXPECT_EQ(rows, 6);
}

TEST(Scan, ReadsRowGroupsInTheOrderAsked) {
  const File file = File::open(open_memory_file(shared(three_columns({10, 20, 30}, 50))));
  const auto scan = file.scan({.row_groups = std::vector<int32_t>{2, 0}});
  EXPECT_EQ(read_all(*scan).borders, (std::vector<int64_t>{30, 10}));
  EXPECT_EQ(code_of([&] { file.scan({.row_groups = std::vector<int32_t>{3}}); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { file.scan({.row_groups = std::vector<int32_t>{-1}}); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { file.scan({.threads = -1}); }), ErrorCode::kInvalidArgument);
}

// Batches before a broken page come first, then its error, again and again, for any number of
// threads.
TEST(Scan, GivesWhatStandsBeforeAnErrorAndThenTheErrorAgain) {
  FileBuilder builder;
  builder.column("a", PhysicalType::kInt32).column("b", PhysicalType::kInt32);
  builder.row_group(6);
  builder.chunk().page_v1({.num_values = 6}, testing::plain_int32({1, 2, 3, 4, 5, 6}));
  builder.chunk().page_v1({.num_values = 4}, testing::plain_int32({1, 2, 3, 4}));
  const int64_t bad_page = builder.position();
  builder.page_v1({.num_values = 2}, testing::plain_int32({5}));  // four bytes short
  const Bytes bytes = builder.build();
  for (const int32_t threads : {1, 2, 8}) {
    const Context context = own_context();
    {
      const auto scan = File::open(open_memory_file(shared(bytes), "bad.parquet"), context)
                            .scan({.threads = threads, .batch_rows = 2});
      EXPECT_EQ(scan->next()->num_rows(), 2);
      EXPECT_EQ(scan->next()->num_rows(), 2);
      std::string message;
      for (int i = 0; i < 3; ++i) {
        try {
          scan->next();
          FAIL() << "nothing was thrown";
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
          EXPECT_EQ(error.place().file, "bad.parquet");
          EXPECT_EQ(error.place().column, "b");
          EXPECT_EQ(error.place().row_group, 0);
          EXPECT_EQ(error.place().page_offset, bad_page);
          EXPECT_TRUE(i == 0 || error.what() == message) << error.what();
          message = error.what();
        }
      }
    }
    EXPECT_EQ(context.memory->used_bytes(), 0);
  }
}

TEST(Scan, CanBeDestroyedAtAnyPoint) {
  const Bytes bytes = three_columns({3000, 3000, 3000}, 200);
  for (int batches = 0; batches < 12; ++batches) {
    const Context context = own_context();
    {
      const auto scan = File::open(open_memory_file(shared(bytes)), context)
                            .scan({.threads = 4, .batch_rows = 100});
      for (int i = 0; i < batches; ++i) ASSERT_TRUE(scan->next());
    }
    EXPECT_EQ(context.memory->used_bytes(), 0);
  }
}

// Reads block until the test lets them go; a cancelled scan must not wait for them to be all of the
// file.
TEST(Scan, CancelStopsTheConsumerAndStays) {
  const Bytes bytes = three_columns(std::vector<int64_t>(40, 2000), 100);
  for (const int32_t threads : {1, 4}) {
    const Context context = own_context();
    auto slow = std::make_shared<FaultyFile>(
        open_memory_file(shared(bytes)), FileFaults{.before_read = [](int64_t) {
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }});
    const auto scan = File::open(slow, context).scan({.threads = threads, .batch_rows = 10});
    ASSERT_TRUE(scan->next());
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      scan->cancel();
    });
    EXPECT_EQ(code_of([&] {
                for (;;) {
                  if (!scan->next()) FAIL() << "the scan ended before it was cancelled";
                  std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
              }),
              ErrorCode::kCancelled);
    canceller.join();
    EXPECT_EQ(code_of([&] { scan->next(); }), ErrorCode::kCancelled);
  }
}

TEST(Scan, CancellingTheContextStopsItsScans) {
  const Context context = own_context();
  const File file = File::open(open_memory_file(shared(three_columns({1000}, 100))), context);
  const auto scan = file.scan({.threads = 2, .batch_rows = 10});
  ASSERT_TRUE(scan->next());
  CancelToken(context.cancel).cancel();
  EXPECT_EQ(code_of([&] { scan->next(); }), ErrorCode::kCancelled);
}

TEST(Scan, ReadsSeveralFilesAsOne) {
  const io::testing::TemporaryFolder folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 5; ++i) {
    const std::vector<int64_t> row_groups =
        i == 2 ? std::vector<int64_t>{} : std::vector<int64_t>{100 + i, 50};
    paths.push_back(folder.write("part-" + std::to_string(i) + ".parquet",
                                 text_of(three_columns(row_groups, 40))));
  }
  for (const int32_t threads : {1, 4}) {
    const auto scan = scan_files(paths, {.threads = threads}, own_context());
    EXPECT_EQ(read_all(*scan).borders, (std::vector<int64_t>{100, 50, 101, 50, 103, 50, 104, 50}));
  }
  EXPECT_EQ(list_files(folder.path()), paths);
  EXPECT_EQ(code_of([&] { scan_files({}, {}); }), ErrorCode::kInvalidArgument);

  FileBuilder other;
  other.column("id", PhysicalType::kInt32);
  other.row_group(1).chunk().page_v1({.num_values = 1}, testing::plain_int32({1}));
  paths.push_back(folder.write("part-9.parquet", text_of(other.build())));
  for (const ColumnSelection& columns : {ColumnSelection{}, ColumnSelection{"id"}}) {
    const auto scan = scan_files(paths, {.columns = columns});
    int64_t rows = 0;
    try {
      while (auto batch = scan->next()) rows += batch->num_rows();
      FAIL() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_EQ(error.place().file, paths.back());
      EXPECT_EQ(rows, 608);
    }
  }
}

TEST(Scan, NoticesThatTheFileChanged) {
  auto file =
      std::make_shared<FaultyFile>(open_memory_file(shared(three_columns({1000, 1000}, 100))),
                                   FileFaults{.shrink_read = 3, .shrunk_bytes = 500});
  const auto scan = File::open(file).scan({.threads = 1});
  EXPECT_EQ(code_of([&] {
              while (scan->next()) {
              }
            }),
            ErrorCode::kIo);
}

// Each read of the file fails once: one clear error, nothing left behind.
TEST(Scan, SurvivesEachFailingRead) {
  const Bytes bytes = three_columns({500, 500}, 100);
  int64_t reads = 0;
  for (int64_t n = 1;; ++n) {
    const Context context = own_context();
    auto file =
        std::make_shared<FaultyFile>(open_memory_file(shared(bytes)), FileFaults{.fail_read = n});
    ErrorCode code{};
    try {
      const auto scan = File::open(file, context).scan({.threads = 2});
      while (scan->next()) {
      }
    } catch (const Error& error) {
      code = error.code();
      EXPECT_EQ(error.system_errno(), EIO);
    }
    EXPECT_EQ(context.memory->used_bytes(), 0);
    reads = file->num_reads();
    if (n > reads) break;
    EXPECT_EQ(code, ErrorCode::kIo) << n;
  }
  EXPECT_GE(reads, 3);
}

// With a budget of k/64 of what it needs, and with each allocation failing in turn, a scan succeeds
// or says that it is out of budget.
TEST(Scan, EndsInSuccessOrOutOfBudgetWhateverMemoryThereIs) {
  const Bytes bytes = three_columns({700, 300}, 128);
  const auto read_rows = [&](const Context& context, int32_t threads) {
    int64_t rows = 0;
    const auto scan = File::open(open_memory_file(shared(bytes)), context)
                          .scan({.threads = threads, .batch_rows = 100});
    while (auto batch = scan->next()) rows += batch->num_rows();
    return rows;
  };
  for (const int32_t threads : {1, 3}) {
    const Context unlimited = own_context();
    ASSERT_EQ(read_rows(unlimited, threads), 1000);
    const int64_t peak = unlimited.memory->peak_bytes();
    int failures = 0;
    for (int64_t k = 1; k <= 64; ++k) {
      MemoryOptions options;
      options.limit_bytes = peak * k / 64;
      const Context context = own_context(options);
      try {
        EXPECT_EQ(read_rows(context, threads), 1000);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget) << error.what();
        ++failures;
      }
      EXPECT_EQ(context.memory->used_bytes(), 0);
      EXPECT_LE(context.memory->peak_bytes(), options.limit_bytes);
    }
    EXPECT_GT(failures, 0);
    for (int64_t n = 1;; ++n) {
      MemoryOptions options;
      options.test_mode.fail_allocation = n;
      const Context context = own_context(options);
      bool failed = false;
      try {
        EXPECT_EQ(read_rows(context, threads), 1000);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget) << error.what();
        failed = true;
      }
      EXPECT_EQ(context.memory->used_bytes(), 0);
      if (!failed) break;
      ASSERT_LT(n, 10000);
    }
  }
}

TEST(Scan, GivesTheFormsThatItsConsumerPrefers) {
  const File file = File::open(open_memory_file(shared(three_columns({700, 300}, 128))));
  const SchemaPtr forms = with_views(file.schema());
  const auto plain = file.scan({.threads = 1, .batch_rows = 100});
  const Read expected = read_all(*plain);
  std::vector<int64_t> borders;
  for (const int32_t threads : {1, 3}) {
    const auto scan = file.scan({.threads = threads, .batch_rows = 100, .batch_bytes = 4000});
    scan->prefer_forms(forms);
    Read read;
    read.columns.resize(3);
    while (const auto batch = scan->next()) {
      scan->prefer_forms(file.schema());  // too late
      EXPECT_EQ(batch->column(1)->storage(), Storage::kViews);
      EXPECT_LE(batch->column(1)->slice_bytes(), 4000);
      read.borders.push_back(batch->num_rows());
      for (int32_t i = 0; i < 3; ++i) {
        for (Value& value : to_values(*batch->column(i)))
          read.columns[static_cast<size_t>(i)].push_back(std::move(value));
      }
    }
    EXPECT_EQ(read.columns, expected.columns);
    if (borders.empty()) borders = read.borders;
    EXPECT_EQ(read.borders, borders);
  }
}

TEST(Scan, SeveralThreadsNeedNoMoreMemoryThanOne) {
  const io::testing::TemporaryFolder folder;
  const std::vector<std::string> paths = {
      folder.write("a", text_of(three_columns({700, 300, 500}, 128))),
      folder.write("b", text_of(three_columns({900}, 64)))};
  int64_t begun_anew = 0;
  const auto read = [&](int64_t limit_bytes, int32_t threads) -> std::optional<Read> {
    const Context context = own_context({.limit_bytes = limit_bytes});
    try {
      const auto scan =
          scan_files(paths, {.threads = threads, .batch_rows = 100, .batch_bytes = 3000}, context);
      Read all = read_all(*scan);
      const Metrics::Snapshot metrics = scan->metrics();
      if (const auto found = metrics.find("begun_anew_alone"); found != metrics.end())
        begun_anew += found->second;
      EXPECT_EQ(metrics.at("rows"), 2400);
      EXPECT_EQ(metrics.at("row_groups"), 4);
      return all;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget) << error.what();
      return std::nullopt;
    }
  };
  const Context unlimited = own_context();
  const auto scan = scan_files(paths, {.threads = 4, .batch_rows = 100}, unlimited);
  const Read expected = read_all(*scan);
  const int64_t peak = unlimited.memory->peak_bytes();
  for (int64_t k = 1; k <= 128; ++k) {
    const std::optional<Read> alone = read(peak * k / 128, 1);
    for (const int32_t threads : {2, 4}) {
      const std::optional<Read> together = read(peak * k / 128, threads);
      ASSERT_EQ(together.has_value(), alone.has_value()) << k << ", " << threads << " threads";
      if (!alone) continue;
      EXPECT_EQ(together->columns, expected.columns);
      EXPECT_EQ(together->borders, alone->borders);
    }
  }
  EXPECT_GT(begun_anew, 0);
}

// What comes out does not depend on what memory held before.
TEST(Scan, GivesTheSameBytesUnderTwoFillPatterns) {
  const Bytes bytes = three_columns({900}, 128);
  std::vector<std::string> outputs;
  for (const uint8_t pattern : {uint8_t{0x00}, uint8_t{0xFF}}) {
    MemoryOptions options;
    options.test_mode = {.fill = true, .pattern = pattern};
    const auto scan = File::open(open_memory_file(shared(bytes)), own_context(options))
                          .scan({.threads = 2, .batch_rows = 333});
    std::string output;
    while (auto batch = scan->next()) {
      for (const ColumnPtr& column : batch->columns()) {
        const ColumnParts& parts = column->parts();
        for (const Buffer* buffer :
             {&parts.validity, &parts.values, &parts.offsets, &parts.bytes}) {
          // With the slack up to the next multiple of 64, which an export would show.
          const int64_t with_slack = (buffer->size() + 63) / 64 * 64;
          output.append(reinterpret_cast<const char*>(buffer->data()),
                        static_cast<size_t>(with_slack));
        }
      }
    }
    outputs.push_back(std::move(output));
  }
  EXPECT_GT(outputs[0].size(), 10000u);
  EXPECT_EQ(outputs[0], outputs[1]);
}

TEST(FileOpen, RefusesWhatIsNotThere) {
  const auto code = [](auto&& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kInternal;
  };
  EXPECT_EQ(code([] { File::open(FilePtr()); }), ErrorCode::kInvalidArgument);
  const FilePtr file = open_memory_file(shared(three_columns({10}, 10)));
  for (int missing = 0; missing < 3; ++missing) {
    Context context = own_context();
    if (missing == 0) context.memory = nullptr;
    if (missing == 1) context.executor = nullptr;
    if (missing == 2) context.metrics = nullptr;
    EXPECT_EQ(code([&] { File::open(file, context); }), ErrorCode::kInvalidArgument);
    EXPECT_EQ(code([&] { scan_files({"x"}, {}, context); }), ErrorCode::kInvalidArgument);
  }
  const auto batch = File::open(file, own_context()).scan()->next();
  EXPECT_EQ(code([&] { batch->column(3); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code([&] { batch->column(-1); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code([&] { batch->schema()->field(3); }), ErrorCode::kInvalidArgument);
}

TEST(FileOpen, RefusesWhatIsNoParquetFile) {
  const auto open = [](std::string_view text) {
    return code_of([&] { File::open(open_memory_file(shared(testing::bytes_of(text)))); });
  };
  EXPECT_EQ(open(""), ErrorCode::kCorruptData);
  EXPECT_EQ(open("PAR1"), ErrorCode::kCorruptData);
  EXPECT_EQ(open("PAR1PAR1PAR1"), ErrorCode::kCorruptData);
  EXPECT_EQ(open(std::string_view("PAR1\xff\xff\xff\xffPAR1", 12)), ErrorCode::kCorruptData);
  EXPECT_EQ(open("something else altogether"), ErrorCode::kCorruptData);
  EXPECT_EQ(open(std::string_view("PARE\0\0\0\0PARE", 12)), ErrorCode::kNotSupported);
}

}  // namespace
}  // namespace colonnade::parquet
