// What stands behind the Python class Stream: a source with one consumer, which another thread may
// close.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <colonnade/batch_stream.h>
#include <colonnade/context.h>

#include "guarded_source.h"

namespace colonnade::python {

class Stream {
 public:
  // `use` is that of the file-like object that the source reads, or null.
  Stream(Context context, std::unique_ptr<BatchSource> source, FileUse use = nullptr);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  const SchemaPtr& schema() const noexcept { return schema_; }
  const Context& context() const noexcept { return context_; }
  // The next batch. Called with Python's lock, waits without it. kInvalidArgument once closed or
  // handed over; kCancelled when close() came meanwhile.
  std::optional<Batch> next();
  // Stops the work in progress and waits for it (except when called from inside it, by a signal
  // handler or a file-like object). May be called twice, and from any thread.
  void close();
  bool closed() const;
  Metrics::Snapshot metrics();
  // The source, for an exported stream; this one is closed then.
  std::unique_ptr<GuardedSource> hand_over();

 private:
  // Holds the stream for one consumer at a time; released with the object.
  class Hold;
  // Shared by the stream and by whoever is inside next(), so that close() takes it from neither.
  struct Slot {
    std::unique_ptr<GuardedSource> source;
  };
  // Null once closed, and in the child of a fork.
  std::shared_ptr<Slot> slot() const;

  Context context_;
  SchemaPtr schema_;
  FileUse use_;
  pid_t process_;
  std::mutex consuming_;
  std::atomic<std::thread::id> consumer_{};
  mutable std::mutex guard_;  // of the members below; held shortly
  std::shared_ptr<Slot> slot_;
  Metrics::Snapshot last_metrics_;
};

}  // namespace colonnade::python
