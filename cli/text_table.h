// Rows of cells in aligned columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace colonnade::cli {

struct TextColumn {
  std::string title;
  bool right = false;  // numbers stand at the right
  bool whole = false;  // not cut, as numbers never are: a part would look like another value

  bool may_be_cut() const noexcept { return !right && !whole; }
};

// Widths come from the rows given to the constructor (and the titles); later rows are cut to them,
// where they may be cut.
class TextTable {
 public:
  // Cells are printable (see terminal.h), one per column. `max_width`: of the whole table, in
  // columns of the terminal; 0: no limit. The widest columns that may be cut are cut first; what
  // still does not fit is left out at the right, and a last column says how many that are.
  TextTable(std::vector<TextColumn> columns, const std::vector<std::vector<std::string>>& rows,
            int32_t max_width);

  void append_titles(std::string& out) const;
  void append_row(std::string& out, const std::vector<std::string>& cells) const;
  // Bytes that append_row appends for these cells, at most.
  int64_t row_bytes(const std::vector<std::string>& cells) const noexcept;

  // Titles and all rows.
  static std::string render(std::vector<TextColumn> columns,
                            const std::vector<std::vector<std::string>>& rows, int32_t max_width);

 private:
  // `left_out`: what stands for the columns that are left out; empty for nothing.
  void append_cells(std::string& out, const std::vector<std::string>& cells,
                    std::string_view left_out) const;

  std::vector<TextColumn> columns_;
  std::vector<int64_t> widths_;  // of the columns that are shown
  std::string left_out_;         // the title that says how many are not; empty where all are
};

}  // namespace colonnade::cli
