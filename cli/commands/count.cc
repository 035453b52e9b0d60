#include "base/checked.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace colonnade::cli {

namespace {

struct CountArguments {
  InputOptions input;
  bool per_file = false;
};

// The answer stands in the footers; no page is read.
void run_count(const Session& session, const CountArguments& arguments) {
  std::string out;
  int64_t total = 0;
  for (const std::string& path : list_inputs(session, arguments.input)) {
    const parquet::File file = open_input(session, arguments.input, path);
    if (arguments.per_file) out += fmt::format("{}\t{}\n", file.num_rows(), printable(file.name()));
    total = checked_add(total, file.num_rows(), "number of rows");
  }
  out += arguments.per_file ? fmt::format("{}\ttotal\n", total) : fmt::format("{}\n", total);
  print(session.context(), out);
}

}  // namespace

void add_count_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<CountArguments>();
  CLI::App* command = app.add_subcommand("count", "Count the rows of files");
  add_files(*command, arguments->input);
  command->add_flag("--per-file", arguments->per_file, "A line per file, then the total");
  command->footer("Example:\n  colonnade count 'sales/*.parquet'");
  command->callback([arguments, &action] {
    action = [arguments](const Session& session) { run_count(session, *arguments); };
  });
}

}  // namespace colonnade::cli
