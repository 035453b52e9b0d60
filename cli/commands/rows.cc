// head and cat: rows as text.
#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/fail.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/row_sinks.h"
#include "cli/terminal.h"

namespace colonnade::cli {

namespace {

struct RowsArguments {
  InputOptions input;
  ScanArguments scan;
  RowFormat format = RowFormat::kTable;
  std::optional<std::string> delimiter;
  bool no_header = false;
  std::optional<std::string> null_text;
  std::string output = "-";
  int64_t rows = 10;
};

void add_format(CLI::App& command, RowsArguments& arguments) {
  static const std::map<std::string, RowFormat> kFormats{
      {"csv", RowFormat::kCsv}, {"jsonl", RowFormat::kJsonl}, {"table", RowFormat::kTable}};
  const auto name = std::find_if(kFormats.begin(), kFormats.end(),
                                 [&](const auto& f) { return f.second == arguments.format; });
  command
      .add_option_function<std::string>(
          "-f,--format",
          [&arguments](const std::string& text) {
            const auto found = kFormats.find(text);
            if (found == kFormats.end())
              fail(ErrorCode::kInvalidArgument, "no such format",
                   "--format '{}'; there are csv, jsonl and table", text);
            arguments.format = found->second;
          },
          "csv, jsonl or table (default " + name->first + ")")
      ->type_name("FORMAT");
  command
      .add_option("-d,--delimiter", arguments.delimiter,
                  "csv: one ASCII character between fields, \\t for a tab (default ,)")
      ->type_name("CHAR");
  command.add_flag("--no-header", arguments.no_header, "csv: no line of column names");
  command
      .add_option("--null", arguments.null_text,
                  "csv: what stands for null (default: nothing; an empty string is \"\")")
      ->type_name("TEXT");
  command
      .add_option("-o,--output", arguments.output,
                  "File to write, complete or not at all; - is standard output")
      ->type_name("FILE");
}

RowFormatOptions format_options(const RowsArguments& arguments) {
  RowFormatOptions options;
  std::string delimiter = arguments.delimiter.value_or(",");
  if (delimiter == "\\t") delimiter = "\t";
  if (delimiter.size() != 1 || std::string_view("\"\n\r").find(delimiter) != std::string::npos) {
    fail(ErrorCode::kInvalidArgument,
         "a delimiter is one ASCII character, no quote and no line break", "--delimiter '{}'",
         delimiter);
  }
  if (arguments.format != RowFormat::kCsv &&
      (arguments.delimiter || arguments.null_text || arguments.no_header)) {
    fail(ErrorCode::kInvalidArgument,
         "--delimiter, --no-header and --null belong to --format csv, which was not asked for");
  }
  options.delimiter = delimiter[0];
  const std::string special = delimiter + "\"\n\r";
  if (arguments.null_text && arguments.null_text->find_first_of(special) != std::string::npos) {
    fail(ErrorCode::kInvalidArgument,
         "what stands for null holds no delimiter, quote or line break", "--null '{}'",
         *arguments.null_text);
  }
  options.header = !arguments.no_header;
  options.null_text = arguments.null_text.value_or("");
  if (is_standard_output(arguments.output)) options.max_width = terminal_width(STDOUT_FILENO);
  return options;
}

// Writes up to `limit` rows.
void write_rows(const Session& session, const RowsArguments& arguments,
                const parquet::ScanOptions& options, int64_t limit) {
  const RowFormatOptions format = format_options(arguments);
  std::vector<std::string> paths = list_inputs(session, arguments.input);
  check_output(arguments.output, paths);
  const Scan scan = open_scan(session, arguments.input, std::move(paths), options);
  Progress progress(session, scan.total_rows);
  const auto sink =
      make_row_sink(session.context(), arguments.format, format, scan.source->schema(),
                    open_output(session.context(), arguments.output));
  while (limit > 0) {
    const std::optional<Batch> batch = scan.source->next(limit);
    if (!batch) break;
    sink->write(*batch);
    limit -= batch->num_rows();
    progress.add_rows(batch->num_rows());
  }
  sink->finish();
}

void run_head(const Session& session, const RowsArguments& arguments) {
  parquet::ScanOptions options = arguments.scan.apply();
  // A few rows are decoded at once and by one thread: no more than what is shown.
  options.threads = 1;
  options.batch_rows = std::clamp<int64_t>(arguments.rows, 1, Batch::kDefaultRows);
  write_rows(session, arguments, options, arguments.rows);
}

void run_cat(const Session& session, const RowsArguments& arguments) {
  write_rows(session, arguments, arguments.scan.apply(), BatchSource::kAnyRows);
}

}  // namespace

void add_head_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<RowsArguments>();
  CLI::App* command = app.add_subcommand("head", "Show the first rows");
  add_files(*command, arguments->input);
  add_amount(*command, "-n,--rows", arguments->rows, "How many rows");
  arguments->scan.add_selection(*command);
  add_format(*command, *arguments);
  command->footer(
      "Example:\n  colonnade head -n 5 --columns l_orderkey,l_comment lineitem.parquet");
  command->callback([arguments, &action] {
    action = [arguments](const Session& session) { run_head(session, *arguments); };
  });
}

void add_cat_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<RowsArguments>();
  arguments->format = RowFormat::kCsv;
  CLI::App* command = app.add_subcommand("cat", "Write all rows as csv, jsonl or a table");
  add_files(*command, arguments->input);
  arguments->scan.add_selection(*command);
  arguments->scan.add_execution(*command);
  add_format(*command, *arguments);
  command->footer("Example:\n  colonnade cat 'sales/*.parquet' --format jsonl -o sales.jsonl");
  command->callback([arguments, &action] {
    action = [arguments](const Session& session) { run_cat(session, *arguments); };
  });
}

}  // namespace colonnade::cli
