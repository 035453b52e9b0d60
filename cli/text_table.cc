#include "cli/text_table.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cli/terminal.h"

namespace colonnade::cli {

namespace {

constexpr int32_t kGap = 2;       // spaces between columns
constexpr int32_t kMinWidth = 4;  // a column is not cut below this

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
  const auto gaps = static_cast<int32_t>(columns_.size() - 1) * kGap;
  while (std::accumulate(widths_.begin(), widths_.end(), gaps) > max_width) {
    const auto widest = std::max_element(widths_.begin(), widths_.end());
    if (*widest <= kMinWidth) break;
    --*widest;
  }
}

void TextTable::append_titles(std::string& out) const {
  std::vector<std::string> titles;
  for (const TextColumn& column : columns_) titles.push_back(column.title);
  append_row(out, titles);
}

void TextTable::append_row(std::string& out, const std::vector<std::string>& cells) const {
  for (size_t i = 0; i < columns_.size(); ++i) {
    const std::string cell = fit(cells[i], widths_[i]);
    const auto padding = static_cast<size_t>(std::max(widths_[i] - display_width(cell), 0));
    const bool last = i + 1 == columns_.size();
    if (i > 0) out.append(kGap, ' ');
    if (columns_[i].right) out.append(padding, ' ');
    out += cell;
    if (!columns_[i].right && !last) out.append(padding, ' ');
  }
  out.push_back('\n');
}

int64_t TextTable::row_bytes(const std::vector<std::string>& cells) const noexcept {
  int64_t bytes = 1;  // the line break
  for (size_t i = 0; i < cells.size(); ++i)
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
