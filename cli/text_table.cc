#include "cli/text_table.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/terminal.h"

namespace colonnade::cli {

namespace {

constexpr int32_t kGap = 2;       // spaces between columns
constexpr int32_t kMinWidth = 6;  // a column is not cut below this
constexpr std::string_view kLeftOutCell = "…";

}  // namespace

TextTable::TextTable(std::vector<TextColumn> columns,
                     const std::vector<std::vector<std::string>>& rows, int32_t max_width)
    : columns_(std::move(columns)) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    int32_t width = display_width(columns_[i].title);
    for (const std::vector<std::string>& row : rows) width = std::max(width, display_width(row[i]));
    widths_.push_back(width);
  }
  if (max_width <= 0 || columns_.empty()) return;
  int32_t excess = -max_width - kGap;
  for (const int32_t width : widths_) excess += width + kGap;
  for (; excess > 0; --excess) {
    int32_t* widest = nullptr;
    for (size_t i = 0; i < widths_.size(); ++i) {
      if (columns_[i].may_be_cut() && (widest == nullptr || widths_[i] > *widest))
        widest = &widths_[i];
    }
    if (widest == nullptr || *widest <= kMinWidth) break;
    --*widest;
  }
  while (excess > 0 && widths_.size() > 1) {
    // The title comes in with the first column that goes; it may become a digit longer.
    const size_t old_title = left_out_.empty() ? 0 : left_out_.size() + kGap;
    excess -= widths_.back() + kGap;
    widths_.pop_back();
    left_out_ = fmt::format("+{}", columns_.size() - widths_.size());
    excess += static_cast<int32_t>(left_out_.size() + kGap - old_title);
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
    const std::string cell = columns_[i].may_be_cut() ? fit(cells[i], widths_[i]) : cells[i];
    const auto missing = static_cast<size_t>(std::max(widths_[i] - display_width(cell), 0));
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
