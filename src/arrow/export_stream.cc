#include <colonnade/arrow.h>

#include <cerrno>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrow/c_data.h"
#include "arrow/errno_codes.h"
#include "base/fail.h"

namespace colonnade::arrow {
namespace {

// Batches as struct arrays.
class Batches {
 public:
  explicit Batches(std::unique_ptr<BatchSource> source)
      : source_(std::move(source)), schema_(source_->schema()) {
    source_->prefer_forms(schema_);
  }
  ~Batches() {
    if (source_) source_->cancel();
  }
  Batches(Batches&&) noexcept = default;
  Batches& operator=(Batches&&) = delete;

  void export_type(ArrowSchema* out) const { export_schema(*schema_, out); }
  // False at the end.
  bool export_next(const Context& context, ArrowArray* out) {
    const std::optional<Batch> batch = source_->next();
    if (batch) export_batch(context, *schema_, *batch, out);
    return batch.has_value();
  }

 private:
  std::unique_ptr<BatchSource> source_;
  SchemaPtr schema_;
};

// The pieces of one column.
class Chunks {
 public:
  Chunks(Field field, std::vector<ColumnPtr> chunks)
      : field_(std::move(field)), chunks_(std::move(chunks)) {}

  void export_type(ArrowSchema* out) const { export_field(field_, out); }
  bool export_next(const Context& context, ArrowArray* out) {
    if (next_ == chunks_.size()) return false;
    export_column(context, field_, chunks_[next_++], out);
    return true;
  }

 private:
  Field field_;
  std::vector<ColumnPtr> chunks_;
  size_t next_ = 0;
};

// What an exported stream is. After an error get_next returns the same error again, also where a
// conversion failed and the source could go on: a consumer that ignored it would miss rows.
template <typename Content>
class ExportedStream {
 public:
  static void begin(const Context& context, Content content, ArrowArrayStream* out) {
    auto stream = std::make_unique<ExportedStream>(context, std::move(content));
    *out = ArrowArrayStream{&get_schema, &get_next, &last_error, &release, stream.release()};
  }

  ExportedStream(const Context& context, Content content)
      : context_(context), content_(std::move(content)) {}

 private:
  static ExportedStream& of(ArrowArrayStream* stream) noexcept {
    return *static_cast<ExportedStream*>(stream->private_data);
  }
  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    return of(stream).guarded([&] { of(stream).content_.export_type(out); });
  }
  static int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    ExportedStream& self = of(stream);
    if (self.failure_ != 0) return self.failure_;
    self.failure_ = self.guarded([&] {
      self.context_.cancel.poll();  // conversions below ask again on this thread
      if (!self.content_.export_next(self.context_, out)) *out = ArrowArray{};  // a released array
    });
    return self.failure_;
  }
  static const char* last_error(ArrowArrayStream* stream) {
    return of(stream).has_error_ ? of(stream).last_error_.c_str() : nullptr;
  }
  static void release(ArrowArrayStream* stream) {
    delete &of(stream);
    stream->private_data = nullptr;
    stream->release = nullptr;
  }

  // No exception crosses C.
  template <typename Function>
  int guarded(const Function& function) noexcept {
    try {
      try {
        function();
        return 0;
      } catch (const Error& error) {
        remember(error.what());
        return errno_of(error);
      } catch (const std::bad_alloc&) {
        remember("out of memory");
        return ENOMEM;
      } catch (const std::exception& error) {
        remember(error.what());
      } catch (...) {
        remember("unknown exception");
      }
    } catch (...) {
      return ENOMEM;  // there was no memory for the message
    }
    return ENOTRECOVERABLE;  // as kInternal
  }

  void remember(const char* message) {
    last_error_ = message;
    has_error_ = true;
  }

  Context context_;
  Content content_;
  int failure_ = 0;
  bool has_error_ = false;
  std::string last_error_;
};

}  // namespace

void export_stream(const Context& context, std::unique_ptr<BatchSource> source,
                   ArrowArrayStream* out) {
  if (!source) fail(ErrorCode::kInvalidArgument, "no source to export as a stream");
  ExportedStream<Batches>::begin(context, Batches(std::move(source)), out);
}

void export_chunks(const Context& context, const Field& field, std::vector<ColumnPtr> chunks,
                   ArrowArrayStream* out) {
  ExportedStream<Chunks>::begin(context, Chunks(field, std::move(chunks)), out);
}

}  // namespace colonnade::arrow
