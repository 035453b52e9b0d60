#include "parquet/file/scan.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

#include <colonnade/arrow.h>

#include "base/executor.h"
#include "base/fail.h"
#include "parquet/column/chunk_span.h"
#include "parquet/column/constant_reader.h"
#include "parquet/column/field_reader.h"
#include "parquet/column/row_number_reader.h"
#include "parquet/column/widening_reader.h"
#include "parquet/file/row_group_in_work.h"

namespace colonnade::parquet {

namespace {

// Whoever waits looks at the cancel token this often (DESIGN: within 100 ms).
constexpr std::chrono::milliseconds kPollInterval{50};

// Row groups that are decoded at the same time, at least: the one whose batches are wanted, and the
// next.
constexpr int32_t kMinRowGroupsInWork = 2;
// Times as many may wait, those included whose columns are all there.
constexpr int32_t kRowGroupsWaiting = 4;

// All windows of the column chunks of a row group together, about.
constexpr int64_t kWindowsBytes = int64_t{64} << 20;
constexpr int64_t kMinWindowBytes = int64_t{64} << 10;
constexpr int64_t kMaxWindowBytes = int64_t{1} << 20;

// Under a memory limit, the shares of it that waiting columns and read windows may take.
constexpr int64_t kWaitingShare = 4;
constexpr int64_t kWindowsShare = 8;

// Locates an error of a job. Anything that is no Error is a fault of ours or an exhausted system.
std::exception_ptr located(const Place& place) noexcept try {
  try {
    throw;
  } catch (Error& error) {
    error.locate(place);
    // A derived class (a callback's own exception) stays what it is.
    return std::current_exception();
  } catch (const std::bad_alloc&) {
    return std::make_exception_ptr(
        Error(ErrorCode::kOutOfBudget, "the system has no more memory").locate(place));
  } catch (...) {
    return std::current_exception();
  }
} catch (...) {
  return std::current_exception();  // no memory for the message
}

bool has_code(const std::exception_ptr& exception, ErrorCode code) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    return error.code() == code;
  } catch (...) {
    return false;
  }
}

// A row group that is to be opened once more, and the rows of it that were given out already.
struct RowGroupAgain {
  RowGroupUnit unit;
  int64_t rows_taken = 0;
};

// The scan's shared state and its scheduling. The caller's thread and up to threads - 1 tasks of
// the executor take jobs: decode the next part of a column, or open the next row group. The caller
// works too whenever what it needs is not there, so a scan goes on even if no other thread ever
// runs.
//
// Several threads hold more memory than one. Where a job finds too little, the scan drops what it
// has decoded and opened, begins the row group whose batches are wanted anew, and goes on as a scan
// of one thread: it ends in kOutOfBudget only where that would.
class ScanState : public std::enable_shared_from_this<ScanState> {
 public:
  ScanState(const Context& context, SchemaPtr schema, RowGroupUnits units,
            const ScanOptions& options)
      : context_(context),
        schema_(std::move(schema)),
        units_(std::move(units)),
        options_(options),
        memory_limit_(context.memory->limit_bytes()) {
    context_.cancel = context.cancel.child();
    context_.metrics = std::make_shared<Metrics>();
    context_.memory = context.memory->child("scan");
    if (options.waiting_bytes > 0)
      waiting_limit_ = share_of_memory(options.waiting_bytes, kWaitingShare);
    const int64_t windows = share_of_memory(kWindowsBytes, kWindowsShare);
    const int64_t columns = std::max<int64_t>(schema_->num_fields(), 1);
    window_bytes_ = std::clamp(windows / columns, kMinWindowBytes, kMaxWindowBytes);
  }

  const SchemaPtr& schema() const noexcept { return schema_; }
  const Context& context() const noexcept { return context_; }

  // Has no effect once a batch was asked for: parts that were read before would be cut otherwise.
  void prefer_forms(const SchemaPtr& forms) {
    const std::lock_guard lock(mutex_);
    if (!begun_) forms_ = forms;
  }

  std::optional<Batch> next() {
    std::unique_lock lock(mutex_);
    begun_ = true;
    for (;;) {
      unlocked(lock, [&] { context_.cancel.poll(); });
      if (urgent_error_) std::rethrow_exception(urgent_error_);
      if (out_of_budget_) {
        if (running_ > 0) {
          changed_.wait_for(lock, kPollInterval);
          continue;
        }
        begin_anew_alone();
      }
      if (!work_.empty() && work_.front()->finished()) work_.pop_front();
      if (work_.empty() && again_.empty()) {
        if (open_error_) std::rethrow_exception(open_error_);
        if (exhausted_ && !opening_) return std::nullopt;
      }
      if (!work_.empty() && work_.front()->is_ready()) {
        Batch batch = take_batch();
        start_workers();
        return batch;
      }
      start_workers();
      if (!run_one_job(lock, /*of_caller=*/true)) changed_.wait_for(lock, kPollInterval);
    }
  }

  // Ends all work; afterwards no task of this scan runs any more, and one that is still queued does
  // nothing.
  void stop() {
    context_.cancel.cancel();
    std::unique_lock lock(mutex_);
    stopped_ = true;
    changed_.wait(lock, [&] { return running_ == 0; });
    work_.clear();
    again_.clear();
    units_ = nullptr;
  }

 private:
  // `wanted` bytes, or less where a share of the context's limit is less.
  int64_t share_of_memory(int64_t wanted, int64_t share) const noexcept {
    return std::clamp<int64_t>(memory_limit_ / share, 1, wanted);
  }

  template <typename Function>
  static void unlocked(std::unique_lock<std::mutex>& lock, Function&& function) {
    lock.unlock();
    struct Relock {
      std::unique_lock<std::mutex>& lock;
      ~Relock() { lock.lock(); }
    } relock{lock};
    function();
  }

  // The row group whose furthest_behind() column is decoded next: the first that has one. Past the
  // limit of waiting bytes only what the caller waits for; null for nothing.
  RowGroupInWork* pick_row_group() const noexcept {
    for (const auto& group : work_) {
      const ColumnQueue* behind = group->furthest_behind();
      if (behind == nullptr) continue;
      return over_limit() && !is_wanted_now(*group) ? nullptr : group.get();
    }
    return nullptr;
  }

  bool is_wanted_now(const RowGroupInWork& group) const noexcept {
    return &group == work_.front().get() && !group.furthest_behind()->has_part();
  }

  bool over_limit() const noexcept {
    return waiting_limit_ > 0 && waiting_bytes_ >= waiting_limit_;
  }

  bool may_open() const noexcept {
    if (opening_ || (again_.empty() && (exhausted_ || open_error_))) return false;
    if (work_.empty()) return true;
    const int32_t most_in_work = std::max(kMinRowGroupsInWork, options_.threads);
    // Each keeps its file open, however few bytes of it wait.
    if (std::ssize(work_) >= int64_t{kRowGroupsWaiting} * most_in_work) return false;
    const auto in_work = std::count_if(work_.begin(), work_.end(),
                                       [](const auto& g) { return !g->finished_reading(); });
    return in_work < most_in_work && !over_limit();
  }

  // Takes and runs one job; false when there is none now. The caller alone decodes only what it
  // needs when there are no other threads, so that nothing waits.
  bool run_one_job(std::unique_lock<std::mutex>& lock, bool of_caller) {
    if (RowGroupInWork* const row_group = pick_row_group()) {
      if (of_caller && options_.threads == 1 && !is_wanted_now(*row_group)) return false;
      decode(lock, *row_group);
      return true;
    }
    if (may_open() && (!of_caller || options_.threads != 1 || work_.empty())) {
      open_next(lock);
      return true;
    }
    return false;
  }

  void note_cancellation(const std::exception_ptr& error) {
    if (has_code(error, ErrorCode::kCancelled)) urgent_error_ = error;
  }

  // Whether the scan goes on alone after `error`.
  bool note_out_of_budget(const std::exception_ptr& error) {
    if (options_.threads == 1 || !has_code(error, ErrorCode::kOutOfBudget)) return false;
    out_of_budget_ = true;
    changed_.notify_all();
    return true;
  }

  // Called when no job runs.
  void begin_anew_alone() {
    out_of_budget_ = false;
    options_.threads = 1;
    for (; !work_.empty(); work_.pop_back())
      again_.push_front({work_.back()->unit(), work_.back()->rows_taken()});
    waiting_bytes_ = 0;
    context_.metrics->add("begun_anew_alone", 1);
  }

  void decode(std::unique_lock<std::mutex>& lock, RowGroupInWork& row_group) {
    const size_t index = row_group.begin_read();
    ColumnQueue::Part part;
    std::exception_ptr error;
    unlocked(lock, [&] {
      try {
        context_.cancel.check();
        part = read_part(row_group.columns()[index], index);
      } catch (...) {
        error = located({.file = row_group.unit().reader->file()->name(),
                         .row_group = row_group.unit().row_group});
      }
    });
    if (error && note_out_of_budget(error)) return;
    if (error) note_cancellation(error);
    waiting_bytes_ += part.bytes;
    row_group.end_read(index, std::move(part), error);
    if (&row_group == work_.front().get()) changed_.notify_all();
  }

  void open_next(std::unique_lock<std::mutex>& lock) {
    opening_ = true;
    std::optional<RowGroupAgain> next;
    if (!again_.empty()) {
      next = std::move(again_.front());
      again_.pop_front();
    }
    std::unique_ptr<RowGroupInWork> opened;
    std::exception_ptr error;
    unlocked(lock, [&] {
      try {
        context_.cancel.check();
        if (!next) {
          if (std::optional<RowGroupUnit> unit = units_()) next = {std::move(*unit), 0};
        }
        if (next) opened = open(*next);
      } catch (...) {
        Place place;
        if (next)
          place = {.file = next->unit.reader->file()->name(), .row_group = next->unit.row_group};
        error = located(place);
      }
    });
    opening_ = false;
    if (error) {
      if (note_out_of_budget(error)) {
        if (next) again_.push_back(std::move(*next));
        return;
      }
      note_cancellation(error);
      open_error_ = error;
    } else if (opened) {
      waiting_bytes_ += opened->waiting_bytes();
      work_.push_back(std::move(opened));
    } else {
      exhausted_ = true;
    }
    changed_.notify_all();
  }

  std::unique_ptr<RowGroupInWork> open(const RowGroupAgain& wanted) const {
    const RowGroupUnit& unit = wanted.unit;
    const FileReader& reader = *unit.reader;
    reader.check_unchanged();
    std::vector<io::ByteSpan> ranges;
    std::vector<ChunkMetadata> chunks;
    for (const SelectedColumn& column : *unit.columns) {
      for (const int32_t leaf : column.leaves) {
        chunks.push_back(reader.footer().chunk(unit.row_group, leaf));
        ranges.push_back(chunk_span(reader.footer(), chunks.back(), reader.file()->size()));
      }
    }
    io::ReadPlanOptions plan_options;
    plan_options.window_bytes = window_bytes_;
    io::ReadPlan plan(context_, reader.file(), std::move(ranges), plan_options);
    const ColumnReadOptions read_options{options_.strings, reader.options()};
    std::vector<ColumnQueue> columns;
    columns.reserve(static_cast<size_t>(schema_->num_fields()));
    const auto add = [&](std::unique_ptr<RowReader> rows) {
      columns.emplace_back(std::move(rows), unit.rows.left());
      pass_over(columns.back(), columns.size() - 1, wanted.rows_taken);
    };
    size_t chunk = 0;
    for (const SelectedColumn& column : *unit.columns) {
      if (column.value) {
        add(std::make_unique<ConstantReader>(column.value, unit.rows.left()));
        continue;
      }
      std::vector<LeafChunk> leaves;
      for (const int32_t leaf : column.leaves) {
        leaves.push_back({reader.schema().leaves[static_cast<size_t>(leaf)],
                          std::move(chunks[chunk]), plan.open(chunk)});
        ++chunk;
      }
      std::unique_ptr<RowReader> rows = std::make_unique<FieldReader>(
          context_, read_options, column.field, column.shape, std::move(leaves), unit.rows);
      const DataType& type = schema_->fields()[columns.size()].type;
      if (!(type == column.field.type))
        rows = std::make_unique<WideningReader>(context_, type, std::move(rows));
      add(std::move(rows));
    }
    const auto add_numbers = [&](const std::string& name, int64_t first) {
      if (!name.empty()) add(std::make_unique<RowNumberReader>(context_, first, unit.rows));
    };
    add_numbers(options_.row_number_column, unit.first_row);
    add_numbers(options_.global_row_number_column, unit.rows_before_file + unit.first_row);
    return std::make_unique<RowGroupInWork>(unit, std::move(columns), wanted.rows_taken);
  }

  // The next part of the scan's column at `index`, in the form that was asked for.
  ColumnQueue::Part read_part(ColumnQueue& column, size_t index) const {
    ColumnQueue::Part part = column.read(options_.batch_rows, options_.batch_bytes);
    if (forms_) {
      part.column = arrow::convert_to_form(context_, forms_->fields()[index], part.column);
      part.bytes = part.column->slice_bytes();
    }
    return part;
  }

  // Reads and drops rows, so that parts end where they ended before.
  void pass_over(ColumnQueue& column, size_t index, int64_t rows) const {
    while (rows > 0) {
      if (!column.has_part()) column.push(read_part(column, index));
      const int64_t dropped = std::min(rows, column.front().column->length());
      column.take(dropped);
      rows -= dropped;
    }
  }

  // Cuts the next batch from the front parts: as many rows as all of them have, fewer where these
  // would pass batch_bytes. Called when the front is_ready().
  Batch take_batch() {
    RowGroupInWork& group = *work_.front();
    int64_t rows = group.unit().rows.left() - group.rows_taken();
    if (group.columns().empty() && options_.batch_rows > 0)
      rows = std::min(rows, options_.batch_rows);
    int64_t bytes = 0;
    for (const ColumnQueue& column : group.columns()) {
      if (!column.has_part()) std::rethrow_exception(column.error);
      rows = std::min(rows, column.front().column->length());
      bytes += column.front().bytes;
    }
    if (options_.batch_bytes > 0 && bytes > options_.batch_bytes)
      rows = rows_within_bytes(group, rows);
    if (group.rows_taken() == 0) context_.metrics->add("row_groups", 1);
    int64_t taken_bytes = 0;
    std::vector<ColumnPtr> columns = group.take(rows, taken_bytes);
    waiting_bytes_ -= taken_bytes;
    if (group.finished()) group.unit().reader->check_unchanged();
    context_.metrics->add("rows", rows);
    context_.metrics->add("batches", 1);
    return Batch(schema_, rows, std::move(columns));
  }

  // The most rows, at least one, whose bytes fit; they grow with the rows, so a binary search finds
  // them.
  int64_t rows_within_bytes(const RowGroupInWork& group, int64_t max_rows) const {
    int64_t fits = 1;
    int64_t too_many = max_rows + 1;
    while (too_many - fits > 1) {
      const int64_t middle = fits + (too_many - fits) / 2;
      int64_t bytes = 0;
      for (const ColumnQueue& column : group.columns())
        bytes += column.front().column->slice(0, middle)->slice_bytes();
      (bytes <= options_.batch_bytes ? fits : too_many) = middle;
    }
    return fits;
  }

  bool has_job() const noexcept { return pick_row_group() != nullptr || may_open(); }

  void start_workers() {
    const int32_t most = std::min(options_.threads - 1, context_.executor->num_threads());
    while (workers_ < most && has_job()) {
      try {
        context_.executor->submit([self = shared_from_this()] { self->work(); });
      } catch (const Error&) {
        break;  // the system has no thread for us; the caller's works alone
      }
      ++workers_;
    }
  }

  void work() {
    std::unique_lock lock(mutex_);
    ++running_;
    try {
      while (!stopped_ && !out_of_budget_ && options_.threads > 1 &&
             run_one_job(lock, /*of_caller=*/false)) {
      }
    } catch (...) {
      // Between jobs only a system without memory throws, which the thread must not die of.
      urgent_error_ = std::current_exception();
    }
    --running_;
    --workers_;
    changed_.notify_all();
  }

  Context context_;
  SchemaPtr schema_;
  RowGroupUnits units_;
  ScanOptions options_;
  int64_t memory_limit_;
  int64_t waiting_limit_ = 0;  // 0: none
  int64_t window_bytes_ = 0;
  SchemaPtr forms_;  // null, or what read_part() converts to; set before any job runs

  std::mutex mutex_;  // guards what follows; never held while decoding, reading or opening
  std::condition_variable changed_;
  std::deque<std::unique_ptr<RowGroupInWork>> work_;  // the front's batches are next
  std::deque<RowGroupAgain> again_;                   // come after work_ and before units_
  int64_t waiting_bytes_ = 0;                         // of all parts in work_
  int32_t workers_ = 0;                               // tasks queued or running
  int32_t running_ = 0;                               // of these
  bool begun_ = false;
  bool opening_ = false;
  bool exhausted_ = false;
  bool stopped_ = false;
  bool out_of_budget_ = false;       // to be begun anew alone once nothing runs
  std::exception_ptr open_error_;    // comes after all of work_
  std::exception_ptr urgent_error_;  // a cancellation, or no memory to go on; comes at once
};

class Scan final : public BatchSource {
 public:
  explicit Scan(std::shared_ptr<ScanState> state) : state_(std::move(state)), process_(getpid()) {}

  ~Scan() override {
    if (getpid() == process_) {
      state_->stop();
    } else {
      // A forked child: its copy of the state may be locked by threads that do not exist here.
      new std::shared_ptr<ScanState>(std::move(state_));
    }
  }

  const SchemaPtr& schema() const noexcept override { return state_->schema(); }
  void prefer_forms(const SchemaPtr& forms) override { state_->prefer_forms(forms); }
  void cancel() noexcept override { CancelToken(state_->context().cancel).cancel(); }
  Metrics::Snapshot metrics() const override {
    Metrics::Snapshot snapshot = state_->context().metrics->snapshot();
    snapshot["peak_memory_bytes"] = state_->context().memory->peak_bytes();
    return snapshot;
  }

 protected:
  void check_cancelled() const override { state_->context().cancel.check(); }

  std::optional<Batch> produce() override {
    if (getpid() != process_) {
      fail(ErrorCode::kInvalidArgument, "a scan cannot go on in a forked process; start a new one");
    }
    return state_->next();
  }

 private:
  std::shared_ptr<ScanState> state_;
  pid_t process_;
};

}  // namespace

std::unique_ptr<BatchSource> make_scan(const Context& context, SchemaPtr schema,
                                       RowGroupUnits units, const ScanOptions& options) {
  if (options.threads < 0 || options.batch_rows < 0 || options.batch_bytes < 0 ||
      options.waiting_bytes < 0) {
    fail(ErrorCode::kInvalidArgument, "a scan option must not be negative",
         "threads {}, batch_rows {}, batch_bytes {}, waiting_bytes {}", options.threads,
         options.batch_rows, options.batch_bytes, options.waiting_bytes);
  }
  ScanOptions effective = options;
  if (effective.threads == 0) effective.threads = available_cpus();
  return std::make_unique<Scan>(
      std::make_shared<ScanState>(context, std::move(schema), std::move(units), effective));
}

namespace {

// `field` with the form of its strings, at every depth.
Field with_string_form(Field field, StringForm strings) {
  if (field.type.is_bytes()) {
    field.dictionary = strings == StringForm::kDictionary;
    if (strings == StringForm::kOffsets64) field.form = Form::kOffsets64;
    if (strings == StringForm::kViews) field.form = Form::kViews;
  } else if (field.type.is_nested()) {
    std::vector<Field> children;
    for (const Field& child : field.type.fields())
      children.push_back(with_string_form(child, strings));
    switch (field.type.id()) {
      case TypeId::kList:
        field.type = DataType::list(std::move(children[0]));
        break;
      case TypeId::kMap:
        field.type = DataType::map_of_entries(std::move(children[0]), field.type.keys_sorted());
        break;
      default:
        field.type = DataType::struct_of(std::move(children));
    }
  }
  return field;
}

}  // namespace

SchemaPtr scan_schema(std::vector<Field> columns, const std::vector<KeyValue>& metadata,
                      const ScanOptions& options) {
  for (Field& column : columns) column = with_string_form(std::move(column), options.strings);
  for (const std::string& name : {options.row_number_column, options.global_row_number_column}) {
    if (name.empty()) continue;
    for (const Field& field : columns) {
      if (field.name == name) {
        throw Error(ErrorCode::kInvalidArgument, "row numbers with the name of another column")
            .locate({.column = name});
      }
    }
    columns.push_back({name, DataType(TypeId::kInt64), false});
  }
  return std::make_shared<const Schema>(std::move(columns), metadata);
}

}  // namespace colonnade::parquet
