// The options that commands share.
#include <algorithm>
#include <charconv>
#include <utility>

#include "base/fail.h"
#include "cli/commands.h"
#include "cli/quantity.h"

namespace colonnade::cli {

namespace {

template <typename Number>
Number parse_number(std::string_view text, const std::string& option) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range)
    fail(ErrorCode::kInvalidArgument, "a number is out of range", "{} {}", option, text);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail(ErrorCode::kInvalidArgument, "not a number", "{} '{}'", option, text);
  }
  return number;
}

// A list, which goes on where the option is given again.
CLI::Option& add_list(CLI::App& command, const std::string& names, std::vector<std::string>& texts,
                      const std::string& help) {
  return *command.add_option(names, texts, help)->allow_extra_args(false)->take_all();
}

// OFFSET:LENGTH
std::pair<int64_t, int64_t> parse_range(const std::string& text, const std::string& option) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos)
    fail(ErrorCode::kInvalidArgument, "a range is OFFSET:LENGTH", "{} '{}'", option, text);
  return {parse_number<int64_t>(text.substr(0, colon), option),
          parse_number<int64_t>(text.substr(colon + 1), option)};
}

TimeUnit parse_unit(const std::string& text) {
  if (text == "s") return TimeUnit::kSecond;
  if (text == "ms") return TimeUnit::kMilli;
  if (text == "us") return TimeUnit::kMicro;
  if (text == "ns") return TimeUnit::kNano;
  fail(ErrorCode::kInvalidArgument, "no such unit", "--int96-unit '{}'; there are s, ms, us and ns",
       text);
}

parquet::HivePartitioning parse_partitioning(const std::string& text) {
  if (text == "typed") return parquet::HivePartitioning::kTyped;
  if (text == "text") return parquet::HivePartitioning::kText;
  if (text == "off") return parquet::HivePartitioning::kOff;
  fail(ErrorCode::kInvalidArgument, "no such partitioning",
       "--hive-partitioning '{}'; there are typed, text and off", text);
}

std::string_view without_spaces_around(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts{""};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\\')) {
      parts.back().push_back(text[++i]);
    } else if (text[i] == ',') {
      parts.emplace_back();
    } else {
      parts.back().push_back(text[i]);
    }
  }
  return parts;
}

void add_files(CLI::App& command, InputOptions& input) {
  command.add_option("FILE", input.files, "Parquet files, globs or folders; - is standard input")
      ->required()
      ->take_all()
      ->type_name("");
  command
      .add_option_function<std::string>(
          "--page-limit",
          [&input](const std::string& text) {
            input.open.page_limit_bytes = parse_bytes(text, "--page-limit");
          },
          "Refuse pages that are larger when decompressed (default 256MiB)")
      ->type_name("SIZE");
  command
      .add_option_function<std::string>(
          "--int96-unit",
          [&input](const std::string& text) { input.open.int96_unit = parse_unit(text); },
          "Unit of timestamps stored as INT96: s, ms, us or ns (default ns)")
      ->type_name("UNIT");
  command.add_flag("--verify-checksums", input.open.verify_checksums,
                   "Compare pages with their checksums, where they have some");
}

template <typename Number>
CLI::Option& add_number(CLI::App& command, const std::string& names,
                        std::function<void(Number)> set, const std::string& help) {
  const std::string name = names.substr(names.find("--"));
  return *command
              .add_option_function<std::string>(
                  names,
                  [name, set = std::move(set)](const std::string& text) {
                    const auto number = parse_number<Number>(text, name);
                    if (number < 0)
                      fail(ErrorCode::kInvalidArgument, "a number must not be negative", "{} {}",
                           name, text);
                    set(number);
                  },
                  help)
              ->type_name("N");
}

template <typename Number>
void add_amount(CLI::App& command, const std::string& names, Number& number,
                const std::string& help) {
  add_number<Number>(
      command, names, [&number](Number given) { number = given; }, help)
      .default_str(std::to_string(number));
}

template void add_amount(CLI::App&, const std::string&, int32_t&, const std::string&);
template void add_amount(CLI::App&, const std::string&, int64_t&, const std::string&);
template CLI::Option& add_number(CLI::App&, const std::string&, std::function<void(int32_t)>,
                                 const std::string&);

void ScanArguments::add_selection(CLI::App& command) {
  const CLI::Validator is_name(
      [](const std::string& text) { return std::string(text.empty() ? "the name is empty" : ""); },
      "");
  add_list(
      command, "-c,--columns", columns,
      "Columns to read, in this order: a,b,c.part (default: all); a comma in a name is \\, and a "
      "backslash \\\\")
      .type_name("NAMES");
  add_list(command, "--row-groups", row_groups, "Row groups to read, in this order: 0,3 (one file)")
      .type_name("NUMBERS");
  command.add_option("--split", split, "Row groups whose middle lies in these bytes (one file)")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw)
      ->type_name("OFFSET:LENGTH");
  add_list(command, "--row-ranges", row_ranges,
           "Only these rows, counted from 0: 0:10,500:5 (one file; sorted)")
      .type_name("OFFSET:LENGTH");
  command
      .add_option("--row-numbers", options.row_number_column,
                  "Add a column of this name that numbers the rows of each file")
      ->check(is_name)
      ->type_name("NAME");
  command
      .add_option("--global-row-numbers", options.global_row_number_column,
                  "The same, on from file to file")
      ->check(is_name)
      ->type_name("NAME");
  command.add_flag("--union-by-name", options.union_by_name,
                   "Files may differ in their columns: what one lacks is null there, and types "
                   "are widened");
  command
      .add_option_function<std::string>(
          "--hive-partitioning",
          [this](const std::string& text) { options.hive_partitioning = parse_partitioning(text); },
          "What folders called key=value become: typed columns, text columns, or off (default "
          "typed)")
      ->type_name("KIND");
}

void ScanArguments::add_execution(CLI::App& command) {
  add_amount(command, "-t,--threads", options.threads, "Threads; 0: one per CPU");
  add_amount(command, "--batch-rows", options.batch_rows, "Rows of a batch, at most; 0: no limit");
}

parquet::ScanOptions ScanArguments::apply() const {
  parquet::ScanOptions result = options;
  std::vector<std::string> names;
  for (const std::string& text : columns) {
    for (std::string& name : split_list(text)) {
      if (name.empty())
        fail(ErrorCode::kInvalidArgument,
             "a column name is empty (a comma in a name is written '\\,')", "--columns '{}'", text);
      names.push_back(std::move(name));
    }
  }
  if (!columns.empty()) result.columns = std::move(names);
  if (!row_groups.empty()) result.row_groups.emplace();
  for (const std::string& text : row_groups) {
    for (const std::string& part : split_list(text)) {
      result.row_groups->push_back(
          parse_number<int32_t>(without_spaces_around(part), "--row-groups"));
    }
  }
  if (split) {
    const auto [offset, length] = parse_range(*split, "--split");
    result.split = parquet::ByteRange{offset, length};
  }
  if (!row_ranges.empty()) result.row_ranges.emplace();
  for (const std::string& text : row_ranges) {
    for (const std::string& part : split_list(text)) {
      const auto [offset, length] = parse_range(part, "--row-ranges");
      result.row_ranges->push_back({offset, length});
    }
  }
  return result;
}

}  // namespace colonnade::cli
