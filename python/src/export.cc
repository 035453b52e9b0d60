#include "export.h"

#include <memory>
#include <utility>

#include <colonnade/arrow.h>

#include "capsule.h"
#include "gil.h"
#include "interrupt.h"
#include "requested_schema.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

// A stream whose consumer may be anybody: it is called without Python's lock, and what signal
// handlers raise meanwhile is never thrown through the consumer, not even through our own import.
class ForeignStream {
 public:
  // Takes over what `stream` holds and stands in its place.
  static void wrap(ArrowArrayStream* stream) {
    auto wrapper = std::make_unique<ForeignStream>();
    wrapper->inner_ = *stream;
    *stream = {&get_schema, &get_next, &get_last_error, &release, wrapper.release()};
  }

 private:
  static ArrowArrayStream* inner(ArrowArrayStream* stream) noexcept {
    return &static_cast<ForeignStream*>(stream->private_data)->inner_;
  }
  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    return inner(stream)->get_schema(inner(stream), out);
  }
  static int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    const LeavePython unlocked;
    const ConsumerScope scope(Consumer::kForeign);
    return inner(stream)->get_next(inner(stream), out);
  }
  static const char* get_last_error(ArrowArrayStream* stream) {
    return inner(stream)->get_last_error(inner(stream));
  }
  static void release(ArrowArrayStream* stream) {
    inner(stream)->release(inner(stream));
    delete static_cast<ForeignStream*>(stream->private_data);
    stream->private_data = nullptr;
    stream->release = nullptr;
  }

  ArrowArrayStream inner_;
};

}  // namespace

nb::tuple export_column(const NamedColumn& column, nb::handle requested) {
  const Context context = make_context();
  const Field field = requested_form(context, column.field, requested);
  auto schema = new_schema_capsule();
  auto array = new_array_capsule();
  arrow::export_field(field, schema.content);
  {
    const OwnWork work(context);
    arrow::export_column(context, field, column.column, array.content);
  }
  return nb::make_tuple(schema.capsule, array.capsule);
}

nb::tuple export_batch(const Batch& batch, nb::handle requested) {
  const Context context = make_context();
  const Schema forms = requested_forms(context, *batch.schema(), requested);
  auto schema = new_schema_capsule();
  auto array = new_array_capsule();
  arrow::export_schema(forms, schema.content);
  {
    const OwnWork work(context);
    arrow::export_batch(context, forms, batch, array.content);
  }
  return nb::make_tuple(schema.capsule, array.capsule);
}

nb::object export_chunks(const ChunkedColumn& column, nb::handle requested) {
  const Context context = make_context();
  auto stream = new_stream_capsule();
  arrow::export_chunks(context, requested_form(context, column.field(), requested), column.chunks(),
                       stream.content);
  ForeignStream::wrap(stream.content);
  return stream.capsule;
}

nb::object export_table(const Table& table, nb::handle requested) {
  const Context context = make_context();
  Schema forms = requested_forms(context, *table.schema(), requested);
  return export_source(
      context,
      std::make_unique<GuardedSource>(
          std::make_unique<TableSource>(table.schema(), table.batches()), Consumer::kForeign),
      std::move(forms));
}

nb::object export_source(const Context& context, std::unique_ptr<GuardedSource> source,
                         Schema forms) {
  source->set_consumer(Consumer::kForeign);
  source->declare(std::make_shared<const Schema>(std::move(forms)));
  auto stream = new_stream_capsule();
  arrow::export_stream(context, std::move(source), stream.content);
  ForeignStream::wrap(stream.content);
  return stream.capsule;
}

}  // namespace colonnade::python
