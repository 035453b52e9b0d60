#include <colonnade/arrow.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "arrow/c_data.h"
#include "arrow/errno_codes.h"
#include "base/fail.h"

namespace colonnade::arrow {
namespace {

// A stream as a source. Cancelling takes effect between batches: a foreign stream cannot be
// interrupted.
class ImportedSource final : public BatchSource {
 public:
  ImportedSource(const Context& context, StreamOwner stream, Validation validation)
      : context_(context),
        cancel_(context.cancel.child()),
        stream_(std::move(stream)),
        validation_(validation) {
    SchemaOwner schema;
    check_result(stream_.get(), stream_->get_schema(stream_.get(), schema.get()), "get_schema");
    schema_ = import_schema(schema.get());
  }

  const SchemaPtr& schema() const noexcept override { return schema_; }
  void cancel() noexcept override { cancel_.cancel(); }
  Metrics::Snapshot metrics() const override { return metrics_.snapshot(); }

 protected:
  std::optional<Batch> produce() override {
    for (;;) {
      cancel_.poll();
      ArrayOwner array;
      check_result(stream_.get(), stream_->get_next(stream_.get(), array.get()), "get_next");
      cancel_.check();
      if (!array) return std::nullopt;
      Batch batch = import_batch(context_, schema_, array.get(), validation_);
      metrics_.add("batches", 1);
      metrics_.add("rows", batch.num_rows());
      if (batch.num_rows() > 0) return batch;
    }
  }
  void check_cancelled() const override { cancel_.check(); }

 private:
  Context context_;
  CancelToken cancel_;
  Metrics metrics_;
  StreamOwner stream_;
  Validation validation_;
  SchemaPtr schema_;
};

}  // namespace

std::unique_ptr<BatchSource> import_stream(const Context& context, ArrowArrayStream* stream,
                                           Validation validation) {
  StreamOwner owner(stream);
  if (!owner) fail(ErrorCode::kInvalidArgument, "released Arrow stream was given to import");
  return std::make_unique<ImportedSource>(context, std::move(owner), validation);
}

}  // namespace colonnade::arrow
