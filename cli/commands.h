// The commands: each adds itself to the command line and runs when it was named.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/inputs.h"
#include "cli/session.h"

namespace colonnade::cli {

// What a named command does. Throws Error.
using Action = std::function<void(const Session&)>;

// Each adds its subcommand with options, help and an example; naming it sets `action`.
void add_schema_command(CLI::App& app, Action& action);
void add_meta_command(CLI::App& app, Action& action);
void add_head_command(CLI::App& app, Action& action);
void add_cat_command(CLI::App& app, Action& action);
void add_count_command(CLI::App& app, Action& action);
void add_scan_command(CLI::App& app, Action& action);

// Options that several commands have, under the same names.
void add_files(CLI::App& command, InputOptions& input);

// An option that is a number, at least 0, given to `set`. What is no number, negative or too large
// is kInvalidArgument naming the option's long name, which stands last in `names`.
template <typename Number>  // int32_t
CLI::Option& add_number(CLI::App& command, const std::string& names,
                        std::function<void(Number)> set, const std::string& help);
// The same for a variable that holds the default.
template <typename Number>  // int32_t or int64_t
void add_amount(CLI::App& command, const std::string& names, Number& number,
                const std::string& help);

// --columns, --row-groups, --split, --row-ranges, --row-numbers, --threads, --batch-rows; apply()
// turns the text into options.
struct ScanArguments {
  std::vector<std::string> columns;     // one text each time the option was given
  std::vector<std::string> row_groups;  // likewise
  std::optional<std::string> split;
  std::vector<std::string> row_ranges;  // as columns
  parquet::ScanOptions options;

  void add_selection(CLI::App& command);
  void add_execution(CLI::App& command);
  // kInvalidArgument for text that means nothing.
  parquet::ScanOptions apply() const;
};

// "a,b": the parts as they are, spaces too. "\," is a comma in a part, "\\" a backslash.
std::vector<std::string> split_list(const std::string& text);

}  // namespace colonnade::cli
