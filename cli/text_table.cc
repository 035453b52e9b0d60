#include "cli/text_table.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cli/terminal.h"

namespace colonnade::cli {

namespace {

constexpr int64_t kGap = 2;       // spaces between columns
constexpr int64_t kMinWidth = 6;  // a column is not cut below this
constexpr std::string_view kLeftOutCell = "…";

// Takes up to `excess` columns off the widths, one by one off the widest (the first of several);
// none goes below kMinWidth. Returns what is left of the excess.
int64_t level(const std::vector<int64_t*>& widths, int64_t excess) {
  const auto taken_above = [&](int64_t limit) {
    int64_t taken = 0;
    for (const int64_t* width : widths) taken += std::max<int64_t>(*width - limit, 0);
    return taken;
  };
  if (excess <= 0) return excess;
  // The highest limit that takes enough off.
  int64_t limit = kMinWidth;
  int64_t too_high = kMinWidth;
  for (const int64_t* width : widths) too_high = std::max(too_high, *width);
  while (too_high - limit > 1) {
    const int64_t middle = limit + (too_high - limit) / 2;
    (taken_above(middle) >= excess ? limit : too_high) = middle;
  }
  const int64_t taken = taken_above(limit);
  int64_t given_back = std::max<int64_t>(taken - excess, 0);  // less than one for each
  for (auto width = widths.rbegin(); width != widths.rend(); ++width) {
    if (**width <= limit) continue;
    **width = given_back > 0 ? limit + 1 : limit;
    given_back = std::max<int64_t>(given_back - 1, 0);
  }
  return std::max<int64_t>(excess - taken, 0);
}

}  // namespace

TextTable::TextTable(std::vector<TextColumn> columns,
                     const std::vector<std::vector<std::string>>& rows, int32_t max_width)
    : columns_(std::move(columns)) {
  const int64_t enough = max_width > 0 ? max_width : std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < columns_.size(); ++i) {
    int64_t width = display_width(columns_[i].title, enough);
    for (const std::vector<std::string>& row : rows)
      width = std::max(width, display_width(row[i], enough));
    widths_.push_back(width);
  }
  if (max_width <= 0 || columns_.empty()) return;
  int64_t excess = -max_width - kGap;
  std::vector<int64_t*> may_be_cut;
  for (size_t i = 0; i < widths_.size(); ++i) {
    excess += widths_[i] + kGap;
    if (columns_[i].may_be_cut()) may_be_cut.push_back(&widths_[i]);
  }
  excess = level(may_be_cut, excess);
  while (excess > 0 && widths_.size() > 1) {
    // The title comes in with the first column that goes; it may become a digit longer.
    const size_t old_title = left_out_.empty() ? 0 : left_out_.size() + kGap;
    excess -= widths_.back() + kGap;
    widths_.pop_back();
    left_out_ = fmt::format("+{}", columns_.size() - widths_.size());
    excess += static_cast<int64_t>(left_out_.size() + kGap - old_title);
  }
}

void TextTable::append_titles(std::string& out) const {
  std::vector<std::string> titles;
  for (const TextColumn& column : columns_) titles.push_back(column.title);
  append_cells(out, titles, left_out_);
}

void TextTable::append_row(std::string& out, const std::vector<std::string>& cells) const {
  append_cells(out, cells, left_out_.empty() ? std::string_view() : kLeftOutCell);
}

void TextTable::append_cells(std::string& out, const std::vector<std::string>& cells,
                             std::string_view left_out) const {
  size_t padding = 0;  // is written when something follows it
  for (size_t i = 0; i < widths_.size(); ++i) {
    int64_t width = display_width(cells[i]);
    std::string cut;
    if (width > widths_[i] && columns_[i].may_be_cut()) {
      cut = fit(cells[i], widths_[i]);
      width = display_width(cut);
    }
    const std::string_view cell = cut.empty() ? std::string_view(cells[i]) : cut;
    const auto missing = static_cast<size_t>(std::max<int64_t>(widths_[i] - width, 0));
    if (i > 0) padding += kGap;
    if (columns_[i].right) padding += missing;
    if (!cell.empty()) {
      out.append(std::exchange(padding, 0), ' ');
      out += cell;
    }
    if (!columns_[i].right) padding += missing;
  }
  if (!left_out.empty()) {
    out.append(padding + kGap, ' ');
    out += left_out;
  }
  out.push_back('\n');
}

int64_t TextTable::row_bytes(const std::vector<std::string>& cells) const noexcept {
  auto bytes = static_cast<int64_t>(1 + kGap + left_out_.size() + kLeftOutCell.size());
  for (size_t i = 0; i < widths_.size(); ++i)
    bytes += widths_[i] + kGap + static_cast<int64_t>(cells[i].size());
  return bytes;
}

std::string TextTable::render(std::vector<TextColumn> columns,
                              const std::vector<std::vector<std::string>>& rows,
                              int32_t max_width) {
  const TextTable table(std::move(columns), rows, max_width);
  std::string out;
  table.append_titles(out);
  for (const std::vector<std::string>& row : rows) table.append_row(out, row);
  return out;
}

}  // namespace colonnade::cli
