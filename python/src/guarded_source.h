// A source as Python needs it: waits without Python's lock, knows after a fork that its threads are
// gone, and is stopped when the interpreter exits.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>

#include <colonnade/batch_stream.h>

#include "interrupt.h"
#include "python_file.h"

namespace colonnade::python {

class GuardedSource final : public BatchSource {
 public:
  // `consumer` is who calls next(); `use` that of the file-like object that is read, or null.
  GuardedSource(std::unique_ptr<BatchSource> inner, Consumer consumer, FileUse use = nullptr);
  // In the child of a fork the inner source is leaked: it would wait for threads that are not
  // there.
  ~GuardedSource() override;

  const SchemaPtr& schema() const noexcept override { return schema_; }
  // Declares other forms for the same types; before the first next().
  void declare(SchemaPtr schema) { schema_ = std::move(schema); }
  void prefer_forms(const SchemaPtr& forms) override { inner_->prefer_forms(forms); }
  void set_consumer(Consumer consumer) noexcept { consumer_ = consumer; }
  void cancel() noexcept override;
  Metrics::Snapshot metrics() const override { return inner_->metrics(); }

 private:
  std::optional<Batch> produce() override;

  std::unique_ptr<BatchSource> inner_;
  SchemaPtr schema_;
  Consumer consumer_;
  FileUse use_;
  pid_t process_;
};

// Cancels every source there is. With the lock held.
void cancel_all_sources() noexcept;

}  // namespace colonnade::python
