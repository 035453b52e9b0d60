#include <unistd.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "cli/text_table.h"

namespace colonnade::cli {

namespace {

struct SchemaArguments {
  InputOptions input;
  bool json = false;
};

std::string schema_text(const parquet::File& file) {
  std::vector<std::vector<std::string>> rows;
  for (int32_t i = 0; i < file.schema()->num_fields(); ++i) {
    const Field& field = file.schema()->field(i);
    std::string notes = field.nullable ? "" : "not null";
    if (!file.refusal(i).empty()) notes += (notes.empty() ? "" : "; ") + file.refusal(i);
    rows.push_back({printable(field.name), printable(field.type.to_string()), printable(notes)});
  }
  return TextTable::render({{"column"}, {"type"}, {""}}, rows, terminal_width(STDOUT_FILENO));
}

void run_schema(const Session& session, const SchemaArguments& arguments) {
  const std::vector<std::string> paths = list_inputs(session, arguments.input);
  std::string out;
  for (const std::string& path : paths) {
    const parquet::File file = open_input(session, arguments.input, path);
    if (arguments.json) {
      out += file.schema_json() + "\n";
      continue;
    }
    if (paths.size() > 1) out += (out.empty() ? "" : "\n") + printable(file.name()) + "\n";
    out += schema_text(file);
  }
  print(session.context(), out);
}

}  // namespace

void add_schema_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<SchemaArguments>();
  CLI::App* command = app.add_subcommand("schema", "Show the columns of files and their types");
  add_files(*command, arguments->input);
  command->add_flag("--json", arguments->json, "As JSON, a line per file");
  command->footer("Example:\n  colonnade schema lineitem.parquet");
  command->callback([arguments, &action] {
    action = [arguments](const Session& session) { run_schema(session, *arguments); };
  });
}

}  // namespace colonnade::cli
