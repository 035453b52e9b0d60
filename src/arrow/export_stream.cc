#include <colonnade/arrow.h>

#include <cerrno>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "arrow/c_data.h"
#include "arrow/errno_codes.h"
#include "base/fail.h"

namespace colonnade::arrow {
namespace {

// What an exported stream is. After an error get_next returns the same error again, also where a
// conversion failed and the source could go on: a consumer that ignored it would miss rows.
class ExportedStream {
 public:
  ExportedStream(const Context& context, std::unique_ptr<BatchSource> source)
      : context_(context), source_(std::move(source)), schema_(source_->schema()) {}
  ~ExportedStream() { source_->cancel(); }
  ExportedStream(const ExportedStream&) = delete;
  ExportedStream& operator=(const ExportedStream&) = delete;

  int get_schema(ArrowSchema* out) noexcept {
    return guarded([&] { export_schema(*schema_, out); });
  }

  int get_next(ArrowArray* out) noexcept {
    if (failure_ != 0) return failure_;
    failure_ = guarded([&] {
      context_.cancel.poll();  // conversions below ask again on this thread
      std::optional<Batch> batch = source_->next();
      if (batch) {
        export_batch(context_, *schema_, *batch, out);
      } else {
        *out = ArrowArray{};  // the end: a released array
      }
    });
    return failure_;
  }

  const char* last_error() const noexcept { return has_error_ ? last_error_.c_str() : nullptr; }

 private:
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
  std::unique_ptr<BatchSource> source_;
  SchemaPtr schema_;
  int failure_ = 0;
  bool has_error_ = false;
  std::string last_error_;
};

ExportedStream* stream_of(ArrowArrayStream* stream) noexcept {
  return static_cast<ExportedStream*>(stream->private_data);
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return stream_of(stream)->get_schema(out);
}
int get_next(ArrowArrayStream* stream, ArrowArray* out) { return stream_of(stream)->get_next(out); }
const char* get_last_error(ArrowArrayStream* stream) { return stream_of(stream)->last_error(); }
void release_stream(ArrowArrayStream* stream) {
  delete stream_of(stream);
  stream->private_data = nullptr;
  stream->release = nullptr;
}

}  // namespace

void export_stream(const Context& context, std::unique_ptr<BatchSource> source,
                   ArrowArrayStream* out) {
  if (!source) fail(ErrorCode::kInvalidArgument, "no source to export as a stream");
  auto stream = std::make_unique<ExportedStream>(context, std::move(source));
  *out = ArrowArrayStream{get_schema, get_next, get_last_error, release_stream, stream.release()};
}

}  // namespace colonnade::arrow
