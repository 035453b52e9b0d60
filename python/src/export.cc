#include "export.h"

#include <cerrno>
#include <string>
#include <utility>

#include <colonnade/arrow.h>
#include <colonnade/error.h>

#include "arrow/errno_codes.h"
#include "capsule.h"
#include "gil.h"
#include "interrupt.h"
#include "requested_schema.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

// The private data of a stream of a column's chunks: a stream whose schema is not a struct.
struct ChunkStream {
  Context context;
  ChunkedColumn column;
  size_t next = 0;
  std::string last_error = {};
};

ChunkStream& chunk_stream(ArrowArrayStream* stream) {
  return *static_cast<ChunkStream*>(stream->private_data);
}

// Runs `action`; its error becomes an errno and the text of last_error.
template <typename Action>
int guarded(ArrowArrayStream* stream, Action action) noexcept {
  ChunkStream& chunks = chunk_stream(stream);
  try {
    action(chunks);
    return 0;
  } catch (const std::exception& error) {
    try {
      chunks.last_error = error.what();
    } catch (const std::exception&) {
      chunks.last_error.clear();
    }
    const auto* const own = dynamic_cast<const Error*>(&error);
    return own != nullptr ? arrow::errno_of(*own) : ENOMEM;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return guarded(stream,
                 [out](ChunkStream& chunks) { arrow::export_field(chunks.column.field(), out); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return guarded(stream, [out](ChunkStream& chunks) {
    const LeavePython unlocked;
    chunks.context.cancel.poll();
    if (chunks.next == chunks.column.chunks().size()) {
      *out = ArrowArray{};
      return;
    }
    arrow::export_column(chunks.context, chunks.column.field(), chunks.column.chunks()[chunks.next],
                         out);
    ++chunks.next;
  });
}

const char* get_last_error(ArrowArrayStream* stream) {
  const std::string& text = chunk_stream(stream).last_error;
  return text.empty() ? nullptr : text.c_str();
}

void release(ArrowArrayStream* stream) {
  delete &chunk_stream(stream);
  stream->release = nullptr;
}

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
  stream.content->private_data = new ChunkStream{
      context, {requested_form(context, column.field(), requested), column.chunks()}};
  stream.content->get_schema = get_schema;
  stream.content->get_next = get_next;
  stream.content->get_last_error = get_last_error;
  stream.content->release = release;
  return stream.capsule;
}

nb::object export_table(const Table& table, nb::handle requested) {
  return export_source(
      make_context(),
      std::make_unique<GuardedSource>(
          std::make_unique<TableSource>(table.schema(), table.batches()), Consumer::kForeign),
      requested);
}

nb::object export_source(const Context& context, std::unique_ptr<GuardedSource> source,
                         nb::handle requested) {
  source->set_consumer(Consumer::kForeign);
  source->declare(
      std::make_shared<const Schema>(requested_forms(context, *source->schema(), requested)));
  auto stream = new_stream_capsule();
  arrow::export_stream(context, std::move(source), stream.content);
  return stream.capsule;
}

}  // namespace colonnade::python
