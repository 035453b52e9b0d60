// A whole file, through the public interface: opened, described as JSON, scanned. Each step ends in
// values or in one clear error within a memory budget, and the values are the same however the scan
// cuts its batches.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <colonnade/error.h>
#include <colonnade/file.h>
#include <colonnade/parquet.h>

#include "column/testing/reference.h"
#include "parquet/testing/fuzz_oracle.h"

namespace {

using namespace colonnade;
using colonnade::testing::Value;
using parquet::testing::check;
using parquet::testing::is_answer;

constexpr int64_t kBudgetBytes = int64_t{64} << 20;
// A legal file of a few bytes may have 2^31 rows.
constexpr int64_t kMaxRows = 10'000;

// The values up to kMaxRows, by column; an error only where it comes before them.
struct Outcome {
  std::vector<std::vector<Value>> columns;
  std::optional<ErrorCode> error;
};

Outcome read(const parquet::File& file, const parquet::ColumnSelection& columns,
             int64_t batch_rows) {
  Outcome outcome;
  parquet::ScanOptions options;
  options.columns = columns;
  options.threads = 1;
  options.batch_rows = batch_rows;
  try {
    const auto scan = file.scan(options);
    outcome.columns.resize(static_cast<size_t>(scan->schema()->num_fields()));
    for (int64_t rows = 0; rows < kMaxRows;) {
      const std::optional<Batch> batch = scan->next(kMaxRows - rows);
      if (!batch) break;
      rows += batch->num_rows();
      for (int32_t i = 0; i < batch->num_columns(); ++i) {
        const std::vector<Value> part = colonnade::testing::to_values(*batch->column(i));
        auto& values = outcome.columns[static_cast<size_t>(i)];
        values.insert(values.end(), part.begin(), part.end());
      }
    }
  } catch (const Error& error) {
    check(is_answer(error));
    outcome.error = error.code();
    outcome.columns.clear();
  }
  return outcome;
}

void compare_scans(const parquet::File& file, const parquet::ColumnSelection& columns) {
  const Outcome many = read(file, columns, 1000);
  const Outcome few = read(file, columns, 7);
  // Which of several errors comes first, and whether it comes before kMaxRows, depends on the
  // batches.
  if (many.error || few.error) return;
  check(many.columns == few.columns);
}

void read_file(const Context& context, const uint8_t* data, size_t size) {
  const FilePtr bytes =
      open_memory_file(Buffer::wrap(data, static_cast<int64_t>(size), nullptr), "fuzz");
  const parquet::File file = parquet::File::open(bytes, context);
  check(!file.schema_json().empty());
  try {
    check(!file.metadata_json().empty());
  } catch (const Error& error) {
    check(is_answer(error));
  }
  compare_scans(file, {});
  // A column that is not read hides the others.
  for (const Field& field : file.schema()->fields()) {
    if (std::count_if(file.schema()->fields().begin(), file.schema()->fields().end(),
                      [&](const Field& other) { return other.name == field.name; }) == 1) {
      compare_scans(file, parquet::ColumnSelection({field.name}));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Context context;
  context.memory = MemoryPool::make_root("file", {.limit_bytes = kBudgetBytes});
  try {
    read_file(context, data, size);
  } catch (const Error& error) {
    check(is_answer(error));
  }
  check(context.memory->used_bytes() == 0);
  return 0;
}
