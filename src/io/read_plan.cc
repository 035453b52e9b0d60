#include "io/read_plan.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/fail.h"
#include "io/sequential_reader.h"

namespace colonnade::io {
namespace {

// Of the ranges' beginnings, the file is told at most so much before anything is read.
constexpr int64_t kMaxHintBytes = int64_t{16} << 20;

// Several ranges that are read at once.
struct Group {
  int64_t begin = 0;
  int64_t end = 0;
  std::mutex mutex;  // held during the read: the others who open a member need the same bytes
  int64_t num_unopened = 0;
  bool is_read = false;
  Buffer bytes;
};

struct PlannedRange {
  ByteSpan span;
  Group* group = nullptr;  // none: read alone, window by window
  bool opened = false;
};

void check_options(const ReadPlanOptions& options) {
  if (options.window_bytes >= 1 && options.max_gap_bytes >= 0 && options.max_group_bytes >= 0)
    return;
  fail(ErrorCode::kInvalidArgument, "sizes of a read plan are too small",
       "window of {} bytes, gap of {}, group of {}", options.window_bytes, options.max_gap_bytes,
       options.max_group_bytes);
}

void check_inside(const ByteSpan& span, const RandomAccessFile& file) {
  const int64_t file_bytes = file.size();
  if (span.offset >= 0 && span.length >= 0 && span.offset <= file_bytes &&
      span.length <= file_bytes - span.offset) {
    return;
  }
  throw Error(ErrorCode::kCorruptData, "bytes wanted outside of the file",
              fmt::format("{} bytes at {}, file of {}", span.length, span.offset, file_bytes))
      .locate({.file = file.name()});
}

}  // namespace

struct ReadPlan::State {
  std::shared_ptr<const CountedFile> source;
  std::vector<std::unique_ptr<Group>> groups;
  std::mutex mutex;  // of `ranges`
  std::vector<PlannedRange> ranges;

  void plan();
  Buffer bytes_of(Group& group, const ByteSpan& span);
};

// Walks over the ranges in the order of the file and cuts them into groups.
void ReadPlan::State::plan() {
  const ReadPlanOptions& options = source->options;
  std::vector<PlannedRange*> order;
  order.reserve(ranges.size());
  for (PlannedRange& range : ranges) {
    if (range.span.length > 0) order.push_back(&range);
  }
  std::sort(order.begin(), order.end(), [](const PlannedRange* a, const PlannedRange* b) {
    return std::pair(a->span.offset, a->span.length) < std::pair(b->span.offset, b->span.length);
  });

  int64_t hint_left = kMaxHintBytes;
  const auto hint = [&](int64_t offset, int64_t length) {
    const int64_t hinted = std::min(length, hint_left);
    if (hinted > 0) source->file->will_need(offset, hinted);
    hint_left -= hinted;
  };

  for (size_t i = 0; i < order.size();) {
    const int64_t begin = order[i]->span.offset;
    int64_t end = begin + order[i]->span.length;
    size_t next = i + 1;
    if (order[i]->span.length <= options.window_bytes) {
      for (; next < order.size(); ++next) {
        const ByteSpan& span = order[next]->span;
        const int64_t joined_end = std::max(end, span.offset + span.length);
        if (span.length > options.window_bytes || span.offset - end > options.max_gap_bytes ||
            joined_end - begin > options.max_group_bytes) {
          break;
        }
        end = joined_end;
      }
    }
    if (next - i > 1) {
      auto group = std::make_unique<Group>();
      group->begin = begin;
      group->end = end;
      group->num_unopened = static_cast<int64_t>(next - i);
      for (size_t k = i; k < next; ++k) order[k]->group = group.get();
      groups.push_back(std::move(group));
      hint(begin, end - begin);
    } else {
      hint(begin, std::min(end - begin, options.window_bytes));
    }
    i = next;
  }
}

Buffer ReadPlan::State::bytes_of(Group& group, const ByteSpan& span) {
  const std::lock_guard lock(group.mutex);
  if (!group.is_read) {
    MutableBuffer bytes = source->context.memory->allocate(group.end - group.begin);
    source->read(group.begin, bytes.size(), bytes.data());
    group.bytes = std::move(bytes).freeze();
    group.is_read = true;
  }
  Buffer slice = group.bytes.slice(span.offset - group.begin, span.length);
  if (--group.num_unopened == 0) group.bytes = Buffer();
  return slice;
}

ReadPlan::ReadPlan(const Context& context, FilePtr file, std::vector<ByteSpan> ranges,
                   const ReadPlanOptions& options)
    : state_(std::make_shared<State>()) {
  check_options(options);
  for (const ByteSpan& span : ranges) check_inside(span, *file);
  state_->source =
      std::make_shared<const CountedFile>(CountedFile{context, std::move(file), options});
  state_->ranges.resize(ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) state_->ranges[i].span = ranges[i];
  state_->plan();
}

ReadPlan::~ReadPlan() = default;

SequentialReader ReadPlan::open(size_t i) {
  State& state = *state_;
  if (i >= state.ranges.size()) {
    fail(ErrorCode::kInternal, "no such range in the read plan", "range {} of {}", i,
         state.ranges.size());
  }
  PlannedRange& range = state.ranges[i];
  {
    const std::lock_guard lock(state.mutex);
    if (std::exchange(range.opened, true)) {
      fail(ErrorCode::kInternal, "range of a read plan opened twice", "range {}", i);
    }
  }
  try {
    auto reader = std::make_unique<SequentialReader::Impl>();
    reader->source = state.source;
    reader->position = range.span.offset;
    reader->end = range.span.offset + range.span.length;
    if (range.group != nullptr) {
      reader->shared = state.bytes_of(*range.group, range.span);
      reader->window_begin = range.span.offset;
      reader->kept_alive_bytes = range.group->end - range.group->begin;
    }
    return SequentialReader(std::move(reader));
  } catch (...) {
    const std::lock_guard lock(state.mutex);
    range.opened = false;
    throw;
  }
}

}  // namespace colonnade::io
