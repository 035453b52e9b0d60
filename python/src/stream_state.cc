#include <unistd.h>

#include <utility>

#include "base/fail.h"
#include "gil.h"
#include "interrupt.h"
#include "stream.h"

namespace colonnade::python {

class Stream::Hold {
 public:
  explicit Hold(Stream& stream) : stream_(stream) {
    if (stream.process_ != getpid()) {
      fail(ErrorCode::kInvalidArgument,
           "a stream that was begun before fork() cannot be used in the child: open it anew there");
    }
    refuse_inside_read(stream.use_);
    if (stream.consumer_.load() == std::this_thread::get_id()) {
      fail(ErrorCode::kInvalidArgument, "the stream is being read by this very thread");
    }
    stream.consuming_.lock();
    stream.consumer_.store(std::this_thread::get_id());
  }
  ~Hold() {
    stream_.consumer_.store(std::thread::id());
    stream_.consuming_.unlock();
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Stream& stream_;
};

Stream::Stream(Context context, std::unique_ptr<BatchSource> source, FileUse use)
    : context_(std::move(context)),
      schema_(source->schema()),
      use_(std::move(use)),
      process_(getpid()),
      slot_(std::make_shared<Slot>(
          std::make_unique<GuardedSource>(std::move(source), Consumer::kPython, use_))) {}

Stream::~Stream() = default;

std::shared_ptr<Stream::Slot> Stream::slot() const {
  if (process_ != getpid()) return nullptr;  // guard_ may have been held by a thread that is gone
  const std::lock_guard lock(guard_);
  return slot_;
}

bool Stream::closed() const { return slot() == nullptr; }

std::optional<Batch> Stream::next() {
  const LeavePython unlocked;
  const Hold hold(*this);
  const std::shared_ptr<Slot> taken = slot();
  if (!taken) fail(ErrorCode::kInvalidArgument, "the stream is closed");
  return taken->source->next();
}

void Stream::close() {
  if (process_ != getpid()) return;
  const LeavePython unlocked;
  std::shared_ptr<Slot> closing;
  {
    const std::lock_guard lock(guard_);
    closing = std::exchange(slot_, nullptr);
  }
  if (!closing) return;
  closing->source->cancel();
  // Whoever cannot wait for the consumer leaves the rest to the destructors.
  const bool inside_read = use_ && use_->held_by_this_thread();
  if (inside_read || consumer_.load() == std::this_thread::get_id()) return;
  const Hold hold(*this);
  Metrics::Snapshot snapshot = closing->source->metrics();
  closing.reset();
  const std::lock_guard lock(guard_);
  last_metrics_ = std::move(snapshot);
}

Metrics::Snapshot Stream::metrics() {
  const LeavePython unlocked;
  const Hold hold(*this);
  if (const std::shared_ptr<Slot> taken = slot()) return taken->source->metrics();
  const std::lock_guard lock(guard_);
  return last_metrics_;
}

std::unique_ptr<GuardedSource> Stream::hand_over() {
  const LeavePython unlocked;
  const Hold hold(*this);
  std::shared_ptr<Slot> taken;
  {
    const std::lock_guard lock(guard_);
    taken = std::exchange(slot_, nullptr);
  }
  if (!taken) fail(ErrorCode::kInvalidArgument, "the stream is closed");
  return std::move(taken->source);
}

}  // namespace colonnade::python
