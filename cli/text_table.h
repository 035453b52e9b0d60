// Rows of cells in aligned columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace colonnade::cli {

struct TextColumn {
  std::string title;
  bool right = false;  // numbers stand at the right
};

// Widths come from the rows given to the constructor (and the titles); later rows are cut to them.
class TextTable {
 public:
  // Cells are printable (see terminal.h), one per column. `max_width`: of the whole table, in
  // columns of the terminal; 0: no limit. The widest columns are cut first.
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
  std::vector<TextColumn> columns_;
  std::vector<int32_t> widths_;
};

}  // namespace colonnade::cli
