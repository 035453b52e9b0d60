#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/quantity.h"

namespace colonnade::cli {

namespace {

struct ScanCommandArguments {
  InputOptions input;
  ScanArguments scan;
  bool json = false;
};

struct Totals {
  int64_t rows = 0;
  int64_t batches = 0;
  int64_t column_bytes = 0;  // of the columns as they lie in memory
  double seconds = 0;
};

std::string as_text(const Totals& totals, int64_t read_bytes, int64_t peak_bytes) {
  const auto per_second = [&](int64_t amount) {
    return static_cast<int64_t>(static_cast<double>(amount) / std::max(totals.seconds, 1e-9));
  };
  return fmt::format(
      "rows         {}\nbatches      {}\nread bytes   {}\ncolumn bytes {}\nseconds      "
      "{:.3f}\nrows/s       {}\n"
      "bytes/s      {}\npeak memory  {}\n",
      format_count(totals.rows), format_count(totals.batches), format_bytes(read_bytes),
      format_bytes(totals.column_bytes), totals.seconds, format_count(per_second(totals.rows)),
      format_bytes(per_second(totals.column_bytes)), format_bytes(peak_bytes));
}

std::string as_json(const Totals& totals, int64_t read_bytes, int64_t peak_bytes) {
  json::Writer writer;
  writer.begin_object().key("rows").value(totals.rows).key("batches").value(totals.batches);
  writer.key("read_bytes").value(read_bytes).key("column_bytes").value(totals.column_bytes);
  writer.key("nanoseconds").value(static_cast<int64_t>(totals.seconds * 1e9));
  writer.key("peak_memory_bytes").value(peak_bytes).end_object();
  return std::move(writer).take() + "\n";
}

void run_scan(const Session& session, const ScanCommandArguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  const Scan scan = open_scan(session, arguments.input, list_inputs(session, arguments.input),
                              arguments.scan.apply());
  Totals totals;
  {
    Progress progress(session, scan.total_rows);
    while (const std::optional<Batch> batch = scan.source->next()) {
      totals.rows += batch->num_rows();
      ++totals.batches;
      for (const ColumnPtr& column : batch->columns()) totals.column_bytes += column->slice_bytes();
      progress.add_rows(batch->num_rows());
    }
  }
  totals.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const Metrics::Snapshot metrics = scan.source->metrics();
  const auto counted = metrics.find("read_bytes");
  const int64_t read_bytes = counted == metrics.end() ? 0 : counted->second;
  // Of all that the command did, as --memory counts it: opening the files, too.
  const int64_t peak_bytes = session.context().memory->peak_bytes();
  print(session.context(), arguments.json ? as_json(totals, read_bytes, peak_bytes)
                                          : as_text(totals, read_bytes, peak_bytes));
}

}  // namespace

void add_scan_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ScanCommandArguments>();
  CLI::App* command = app.add_subcommand("scan", "Read everything, show how long it took");
  add_files(*command, arguments->input);
  arguments->scan.add_selection(*command);
  arguments->scan.add_execution(*command);
  command->add_flag("--json", arguments->json, "As JSON");
  command->footer(
      "Example:\n  colonnade scan --columns l_orderkey,l_shipdate --threads 2 --memory 256MB "
      "lineitem.parquet");
  command->callback([arguments, &action] {
    action = [arguments](const Session& session) { run_scan(session, *arguments); };
  });
}

}  // namespace colonnade::cli
