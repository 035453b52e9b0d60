#include <unistd.h>

#include <algorithm>

#include "base/fail.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/quantity.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "column/no_such_column.h"

namespace colonnade::cli {

namespace {

struct MetaArguments {
  InputOptions input;
  std::optional<int32_t> row_group;
  std::optional<std::string> column;
  bool json = false;
};

using Rows = std::vector<std::vector<std::string>>;

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string optional_count(const std::optional<int64_t>& number) {
  return number ? format_count(*number) : "";
}

std::string counted(int64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", format_count(number), thing, number == 1 ? "" : "s");
}

// A bound of a column; an empty string is not none.
std::string bound(const std::optional<std::string>& text) {
  if (!text) return "";
  return text->empty() ? "\"\"" : fit(printable(*text), 24);
}

std::string overview(const parquet::File& file, int32_t width) {
  std::string out = printable(file.name()) + "\n";
  out += fmt::format("  {}, {}, {}\n", counted(file.num_rows(), "row"),
                     counted(file.num_row_groups(), "row group"),
                     counted(file.num_leaf_columns(), "column"));
  out +=
      fmt::format("  footer {}, format version {}, written by {}\n",
                  format_bytes(file.footer_bytes()), file.format_version(),
                  file.created_by().empty() ? "an unnamed writer" : printable(file.created_by()));
  for (const auto& [key, value] : file.key_value_metadata()) {
    const std::string line = fmt::format("  metadata {} = {}", printable(key), printable(value));
    out += fit(line, width > 0 ? width : 100) + "\n";
  }
  return out;
}

std::string row_group_table(const parquet::File& file, int32_t width) {
  Rows rows;
  for (int32_t i = 0; i < file.num_row_groups(); ++i) {
    const parquet::RowGroupInfo info = file.row_group(i);
    rows.push_back({std::to_string(i), format_count(info.num_rows),
                    format_bytes(info.compressed_bytes), format_bytes(info.uncompressed_bytes),
                    format_count(info.first_page_offset)});
  }
  return TextTable::render({{"row group", true},
                            {"rows", true},
                            {"compressed", true},
                            {"uncompressed", true},
                            {"offset", true}},
                           rows, width);
}

// One line per chunk; `row_groups` and `leaves` say which.
std::string chunk_table(const parquet::File& file, const std::vector<int32_t>& row_groups,
                        const std::vector<int32_t>& leaves, int32_t width) {
  Rows rows;
  for (const int32_t row_group : row_groups) {
    for (const int32_t leaf : leaves) {
      const parquet::ColumnChunkInfo info = file.column_chunk(row_group, leaf);
      rows.push_back({std::to_string(row_group), printable(info.path), info.physical_type,
                      info.codec, joined(info.encodings), format_count(info.num_values),
                      format_bytes(info.compressed_bytes), format_bytes(info.uncompressed_bytes),
                      optional_count(info.null_count), bound(info.min), bound(info.max)});
    }
  }
  return TextTable::render({{"row group", true},
                            {"column"},
                            {"physical"},
                            {"codec"},
                            {"encodings"},
                            {"values", true},
                            {"compressed", true},
                            {"uncompressed", true},
                            {"nulls", true},
                            {"min"},
                            {"max"}},
                           rows, width);
}

std::vector<int32_t> up_to(int32_t count) {
  std::vector<int32_t> numbers;
  for (int32_t i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

// The leaves of that dotted path, or below it.
std::vector<int32_t> leaves_of(const parquet::File& file, const std::string& column) {
  std::vector<int32_t> leaves;
  if (file.num_row_groups() == 0) return leaves;
  for (int32_t leaf = 0; leaf < file.num_leaf_columns(); ++leaf) {
    const std::string path = file.column_chunk(0, leaf).path;
    if (path == column || path.starts_with(column + ".")) leaves.push_back(leaf);
  }
  if (leaves.empty()) throw no_such_column(*file.schema(), column).locate({.file = file.name()});
  return leaves;
}

std::string meta_text(const parquet::File& file, const MetaArguments& arguments) {
  const int32_t width = terminal_width(STDOUT_FILENO);
  std::string out = overview(file, width);
  if (!arguments.row_group && !arguments.column) {
    out += "\n" + row_group_table(file, width);
    if (file.num_row_groups() > 0)
      out += "\n" + chunk_table(file, {0}, up_to(file.num_leaf_columns()), width);
    if (file.num_row_groups() > 1)
      out += "\nColumns of row group 0; --row-group N and --column NAME show others.\n";
    return out;
  }
  if (arguments.row_group) file.row_group(*arguments.row_group);  // says so when there is none
  const std::vector<int32_t> row_groups = arguments.row_group
                                              ? std::vector<int32_t>{*arguments.row_group}
                                              : up_to(file.num_row_groups());
  const std::vector<int32_t> leaves =
      arguments.column ? leaves_of(file, *arguments.column) : up_to(file.num_leaf_columns());
  return out + "\n" + chunk_table(file, row_groups, leaves, width);
}

void run_meta(const Session& session, const MetaArguments& arguments) {
  if (arguments.json && (arguments.row_group || arguments.column)) {
    fail(ErrorCode::kInvalidArgument,
         "--json gives the whole document: it goes with neither --row-group nor --column");
  }
  std::string out;
  for (const std::string& path : list_inputs(session, arguments.input)) {
    const parquet::File file = open_input(session, arguments.input, path);
    if (!out.empty() && !arguments.json) out += "\n";
    out += arguments.json ? file.metadata_json() + "\n" : meta_text(file, arguments);
  }
  print(session.context(), out);
}

}  // namespace

void add_meta_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<MetaArguments>();
  CLI::App* command = app.add_subcommand(
      "meta", "Show row groups, chunks, encodings, codecs, sizes and statistics");
  add_files(*command, arguments->input);
  add_number<int32_t>(
      *command, "--row-group", [arguments](int32_t number) { arguments->row_group = number; },
      "The chunks of this row group")
      .multi_option_policy(CLI::MultiOptionPolicy::Throw);
  command->add_option("--column", arguments->column, "The chunks of this column")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw)
      ->type_name("NAME");
  command->add_flag("--json", arguments->json, "As JSON, a line per file");
  command->footer("Example:\n  colonnade meta --column l_comment lineitem.parquet");
  command->callback([arguments, &action] {
    action = [arguments](const Session& session) { run_meta(session, *arguments); };
  });
}

}  // namespace colonnade::cli
