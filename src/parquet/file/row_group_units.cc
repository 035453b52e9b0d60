#include "parquet/file/row_group_units.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/fail.h"

namespace colonnade::parquet {

namespace {

std::vector<int32_t> selected_row_groups(const FileReader& reader, const ScanOptions& options) {
  const auto count = static_cast<int32_t>(reader.footer().row_groups().size());
  std::vector<int32_t> candidates;
  if (options.row_groups) {
    candidates = *options.row_groups;
    for (const int32_t row_group : candidates) {
      if (row_group < 0 || row_group >= count) throw no_such_row_group(reader, row_group);
    }
  } else {
    candidates.resize(static_cast<size_t>(count));
    std::iota(candidates.begin(), candidates.end(), 0);
  }
  if (!options.split) return candidates;
  const ByteRange split = *options.split;
  if (split.offset < 0 || split.length < 0) {
    fail(ErrorCode::kInvalidArgument, "a split must not be negative", "offset {}, length {}",
         split.offset, split.length);
  }
  std::vector<int32_t> inside;
  for (const int32_t row_group : candidates) {
    const int64_t midpoint = reader.midpoint(row_group);
    if (midpoint >= split.offset && midpoint - split.offset < split.length)
      inside.push_back(row_group);
  }
  return inside;
}

// kInvalidArgument for ranges that are not sorted and apart, or outside of the file.
void check_ranges(const std::vector<RowRange>& ranges, const FileReader& reader) {
  int64_t end = 0;
  const int64_t num_rows = reader.footer().num_rows();
  for (const RowRange& range : ranges) {
    if (range.offset < end || range.length < 0 || range.offset > num_rows ||
        range.length > num_rows - range.offset) {
      throw Error(ErrorCode::kInvalidArgument,
                  "row ranges must be sorted, apart from one another and inside the file",
                  fmt::format("offset {} and length {}, the range before ends at row {}, the file "
                              "has {} rows",
                              range.offset, range.length, end, num_rows))
          .locate({.file = reader.file()->name()});
    }
    end = range.offset + range.length;
  }
}

// Rows [first, first + num_rows) of the file that lie in the ranges, counted from `first`; null for
// all of them.
std::shared_ptr<const RowSpans> spans_within(const std::vector<RowRange>& ranges, int64_t first,
                                             int64_t num_rows) {
  auto spans = std::make_shared<RowSpans>();
  auto range = std::partition_point(ranges.begin(), ranges.end(), [&](const RowRange& r) {
    return r.offset + r.length <= first;
  });
  for (; range != ranges.end() && range->offset < first + num_rows; ++range) {
    const RowSpan span{std::max(range->offset - first, int64_t{0}),
                       std::min(range->offset + range->length - first, num_rows)};
    if (span.begin < span.end) spans->push_back(span);
  }
  const bool all =
      spans->size() == 1 && spans->front().begin == 0 && spans->front().end == num_rows;
  return all ? nullptr : spans;
}

// Hands out the given row groups of a file, without those of which no row is read.
class FileUnits {
 public:
  FileUnits(std::shared_ptr<const FileReader> reader, std::vector<SelectedColumn> columns,
            std::vector<int32_t> row_groups, std::optional<std::vector<RowRange>> ranges,
            int64_t rows_before)
      : reader_(std::move(reader)),
        columns_(std::make_shared<const std::vector<SelectedColumn>>(std::move(columns))),
        row_groups_(std::move(row_groups)),
        ranges_(std::move(ranges)),
        rows_before_(rows_before) {
    if (ranges_) check_ranges(*ranges_, *reader_);
    int64_t row = 0;
    for (const Footer::RowGroup& group : reader_->footer().row_groups()) {
      first_rows_.push_back(row);
      row += group.num_rows;
    }
  }

  std::optional<RowGroupUnit> next() {
    while (next_ < row_groups_.size()) {
      const int32_t row_group = row_groups_[next_++];
      const auto index = static_cast<size_t>(row_group);
      const int64_t num_rows = reader_->footer().row_groups()[index].num_rows;
      const int64_t first = first_rows_[index];
      RowCursor rows(num_rows, ranges_ ? spans_within(*ranges_, first, num_rows) : nullptr);
      if (rows.left() > 0)
        return RowGroupUnit{reader_, columns_, row_group, first, rows_before_, std::move(rows)};
    }
    return std::nullopt;
  }

  int64_t rows_behind() const noexcept { return rows_before_ + reader_->footer().num_rows(); }

 private:
  std::shared_ptr<const FileReader> reader_;
  std::shared_ptr<const std::vector<SelectedColumn>> columns_;
  std::vector<int32_t> row_groups_;
  std::optional<std::vector<RowRange>> ranges_;
  int64_t rows_before_;
  std::vector<int64_t> first_rows_;  // of every row group of the file
  size_t next_ = 0;
};

}  // namespace

RowGroupUnits units_of_file(std::shared_ptr<const FileReader> reader,
                            std::vector<SelectedColumn> columns, const ScanOptions& options) {
  std::vector<int32_t> row_groups = selected_row_groups(*reader, options);
  auto units = std::make_shared<FileUnits>(std::move(reader), std::move(columns),
                                           std::move(row_groups), options.row_ranges, 0);
  return [units] { return units->next(); };
}

RowGroupUnits units_of_files(std::shared_ptr<const FileSet> files, const ScanOptions& options) {
  struct State {
    std::optional<FileUnits> current;
    size_t next_file = 0;
    int64_t rows_before = 0;  // in the files before next_file
  };
  auto state = std::make_shared<State>();
  return [=, files = std::move(files)]() -> std::optional<RowGroupUnit> {
    for (;;) {
      if (state->current) {
        if (auto unit = state->current->next()) return unit;
        state->rows_before = state->current->rows_behind();
        state->current.reset();
      }
      if (state->next_file == files->num_files()) return std::nullopt;
      std::shared_ptr<const FileReader> reader = files->open(state->next_file);
      std::vector<SelectedColumn> columns = files->columns_of(*reader, state->next_file);
      std::vector<int32_t> row_groups = selected_row_groups(*reader, options);
      state->current.emplace(std::move(reader), std::move(columns), std::move(row_groups),
                             options.row_ranges, state->rows_before);
      ++state->next_file;
    }
  };
}

}  // namespace colonnade::parquet
