// colonnade: Parquet files from the shell.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <clocale>
#include <iostream>
#include <sstream>

#include "base/fail.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/quantity.h"
#include "cli/terminal.h"

namespace colonnade::cli {

namespace {

int report(const char* message, int code) {
  const bool color = wants_color(STDERR_FILENO);
  std::cerr << (color ? "\x1b[31mcolonnade:\x1b[0m " : "colonnade: ") << printable(message)
            << std::endl;
  return code;
}

void add_global_options(CLI::App& app, GlobalOptions& options) {
  app.add_flag("-q,--quiet", options.quiet, "No progress on the terminal");
  app.add_option_function<std::string>(
         "--memory",
         [&options](const std::string& text) {
           options.memory_bytes = parse_bytes(text, "--memory");
         },
         "Fail rather than use more memory than this, for instance 256MB (default: no limit)")
      ->type_name("SIZE");
}

// What the user may have meant by an option that there is not.
std::string near(const CLI::App& command, const std::string& word) {
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      const std::string known = "--" + name;
      if (word.size() > 3 && (known.starts_with(word) || word.starts_with(known)))
        return "there is " + known;
    }
  }
  return "'colonnade " + command.get_name() + " --help' lists them";
}

// Which option was given twice, or without its value.
std::string mismatch(const CLI::App& command, const CLI::ParseError& error) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() > 1 && option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw)
      return option->get_name() + " is given " + std::to_string(option->count()) + " times";
  }
  return error.what();
}

// CLI11 misses the command before it sees what stands in its place.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  if (!app.get_subcommands().empty()) {
    const CLI::App& command = *app.get_subcommands().front();
    for (const std::string& word : command.remaining()) {
      if (word.starts_with('-')) return "no such option: '" + word + "'; " + near(command, word);
    }
    for (const std::string& word : app.remaining()) {
      if (word.starts_with('-'))
        return "no such option before the command: '" + word + "'; those of '" +
               command.get_name() + "' stand behind its name";
    }
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
      return "a file is missing; - is standard input";
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
      return mismatch(command, error);
    return error.what();
  }
  const std::vector<std::string> words = app.remaining();
  const std::string hint = "; 'colonnade --help' lists them";
  if (words.empty()) return "a command is missing" + hint;
  return (words[0].starts_with('-') ? "no such option: '" : "no such command: '") + words[0] + "'" +
         hint;
}

// Whether the argument behind `argument` is its value.
bool takes_next(const CLI::App& app, const std::string& argument) {
  if (!argument.starts_with('-') || argument == "-" || argument.find('=') != std::string::npos)
    return false;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (const CLI::Option* option = command->get_option_no_throw(argument))
      return option->get_type_size() > 0;
  }
  return true;
}

// The arguments in the reverse order that CLI11 wants, put so that it takes them as users mean
// them. By itself it takes "--output=" for an option whose value is the next argument, "[a-c]" for
// a list of one file "a-c", "++" for an end of its own, and files behind "--" only where none
// stands before it.
std::vector<std::string> arguments(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> given;
  bool options_ended = false;
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    const auto is_wanted = [&](const CLI::App* command) {
      return argc > 2 && command->get_name() == argv[2];
    };
    const auto commands = app.get_subcommands({});
    // Of what is no command there is no help, but an error.
    if (argc == 2 || std::any_of(commands.begin(), commands.end(), is_wanted))
      given.emplace_back("--help");
    if (argc > 2) given.emplace_back(argv[2]);
    return given;
  }
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    const bool is_value = !options_ended && i > 1 && takes_next(app, argv[i - 1]);
    if (argument == "--" && !options_ended) {
      options_ended = true;
    } else if (!is_value &&
               (argument == "++" || (argument.starts_with('[') && argument.ends_with(']')) ||
                (options_ended && argument.size() > 1 && argument[0] == '-'))) {
      given.push_back("./" + argument);
    } else if (!options_ended && argument.starts_with("--") &&
               argument.find('=') == argument.size() - 1) {
      argument.pop_back();
      given.push_back(std::move(argument));
      given.emplace_back();
    } else {
      given.push_back(std::move(argument));
    }
  }
  std::reverse(given.begin(), given.end());
  return given;
}

int run(int argc, char** argv) {
  CLI::App app("Reads Parquet files: their schema, metadata and rows.", "colonnade");
  app.set_version_flag("--version", std::string("colonnade ") + COLONNADE_VERSION);
  app.require_subcommand(1);
  app.option_defaults()->take_last();  // where an option does not say otherwise
  app.footer("Example:\n  colonnade head -n 5 lineitem.parquet\n\nExit codes: 'man colonnade'.");
  GlobalOptions options;
  add_global_options(app, options);
  Action action;
  add_schema_command(app, action);
  add_meta_command(app, action);
  add_head_command(app, action);
  add_cat_command(app, action);
  add_count_command(app, action);
  add_scan_command(app, action);
  for (CLI::App* command : app.get_subcommands({})) {
    add_global_options(*command, options);  // before or behind its name
  }
  try {
    app.parse(arguments(app, argc, argv));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return report(usage_message(app, error).c_str(), kExitUsage);
    std::ostringstream text;  // of --help or --version
    app.exit(error, text, text);
    print(Context(), text.str());
    return 0;
  }
  action(Session(options));
  return 0;
}

}  // namespace

}  // namespace colonnade::cli

int main(int argc, char** argv) {
  using namespace colonnade;
  std::setlocale(LC_CTYPE, "C.UTF-8");  // for the width of characters
  try {
    return cli::run(argc, argv);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kCancelled && cli::caught_signal() != 0)
      return 128 + cli::caught_signal();  // as a shell reports it
    return cli::report(error.what(), cli::exit_code(error.code()));
  } catch (const std::bad_alloc&) {
    return cli::report("the system has no more memory", cli::exit_code(ErrorCode::kOutOfBudget));
  } catch (const std::exception& error) {
    return cli::report(error.what(), 1);
  }
}
