// The two interfaces that carry everything: a source of batches and a sink of batches.
#pragma once

#include <cstdint>
#include <exception>
#include <limits>
#include <optional>

#include <colonnade/column.h>
#include <colonnade/context.h>
#include <colonnade/export.h>

namespace colonnade {

// Gives batches of one schema, in order. One consumer at a time; only cancel() may be called from
// another thread. May be destroyed at any point, also before the end; that stops its work and
// waits for its threads.
class COLONNADE_API BatchSource {
 public:
  static constexpr int64_t kAnyRows = std::numeric_limits<int64_t>::max();

  virtual ~BatchSource() = default;
  BatchSource(const BatchSource&) = delete;
  BatchSource& operator=(const BatchSource&) = delete;

  virtual const SchemaPtr& schema() const noexcept = 0;

  // Says that whoever takes the batches needs them in the layouts that the fields of `forms`
  // declare, which has the types of schema(). A source may give them so from the start, on the
  // threads that make them, or ignore it; batches cut by bytes are then cut by the bytes of that
  // layout. Before the first next().
  virtual void prefer_forms(const SchemaPtr& forms) { static_cast<void>(forms); }

  // The next batch, of 1 to `max_rows` rows (max_rows >= 1), or nothing at the end, then nothing
  // again. After an error every further call throws the same error.
  std::optional<Batch> next(int64_t max_rows = kAnyRows);

  // Makes the next() in progress and every later one throw kCancelled, within 100 ms. Thread-safe.
  virtual void cancel() noexcept = 0;

  virtual Metrics::Snapshot metrics() const = 0;

 protected:
  BatchSource() = default;
  // The next batch as the source would cut it (no empty batches), or nothing at the end. Called by
  // next(), never again after it gave nothing or threw.
  virtual std::optional<Batch> produce() = 0;
  // Throws kCancelled once cancel() was called. next() asks before it hands out rows that were
  // produced earlier; a source that cuts its batches itself need not override it.
  virtual void check_cancelled() const {}

 private:
  std::optional<Batch> pending_;  // the rest of a batch that was larger than max_rows
  std::exception_ptr error_;
  bool ended_ = false;
};

// Takes batches of one schema. Destruction without finish() is abort(), which is what makes an
// exception, a kill or a cancel safe: nothing half-written stays. One producer at a time.
class COLONNADE_API BatchSink {
 public:
  virtual ~BatchSink() = default;
  BatchSink(const BatchSink&) = delete;
  BatchSink& operator=(const BatchSink&) = delete;

  // kInvalidArgument for another schema, or after finish() or abort(). After an error only abort()
  // and destruction are allowed.
  virtual void write(const Batch& batch) = 0;
  // Completes the output; called once.
  virtual void finish() = 0;
  // Gives up and removes what was written. Allowed at any time, also twice; does nothing after
  // finish().
  virtual void abort() noexcept = 0;

 protected:
  BatchSink() = default;
};

}  // namespace colonnade
