// The Arrow C Data and C Stream interfaces: export and import.
// Structures: https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <colonnade/arrow_c.h>
#include <colonnade/batch_stream.h>
#include <colonnade/export.h>

namespace colonnade::arrow {

// Schema and field to ArrowSchema. `out` is overwritten; the caller releases it.
COLONNADE_API void export_schema(const Schema& schema, ArrowSchema* out);
COLONNADE_API void export_field(const Field& field, ArrowSchema* out);

// A batch as a struct array in the forms that `schema` declares (Field::form, Field::dictionary);
// its types must equal the batch's. Buffers that have the form already are shared, not copied, are
// charged to the consumer, and keep their pool alive; others are converted in context.memory.
COLONNADE_API void export_batch(const Context& context, const Schema& schema, const Batch& batch,
                                ArrowArray* out);
COLONNADE_API void export_column(const Context& context, const Field& field,
                                 const ColumnPtr& column, ArrowArray* out);

// A source as a stream in its schema's forms. The stream owns the source; releasing it cancels and
// destroys the source. get_last_error gives Error::what(); return codes are errno values
// (docs/errors.md).
COLONNADE_API void export_stream(const Context& context, std::unique_ptr<BatchSource> source,
                                 ArrowArrayStream* out);

// The chunks of one column as a stream whose schema is the field rather than a struct; each array
// has the form that `field` declares, its type must be the field's.
COLONNADE_API void export_chunks(const Context& context, const Field& field,
                                 std::vector<ColumnPtr> chunks, ArrowArrayStream* out);

// Takes ownership of `schema` resp. `array` (moved from: their release becomes null), also when it
// throws. Unions, list views and unknown formats are kNotSupported.
COLONNADE_API SchemaPtr import_schema(ArrowSchema* schema);
COLONNADE_API Field import_field(ArrowSchema* schema);

enum class Validation : uint8_t {
  kStructure,  // counts, null pointers, lengths: O(buffers). Offsets and ids are trusted.
  kFull,       // every offset, id, view, run end and UTF-8 byte is looked at, as pyarrow's
               // validate(full=True) does
};
// An array of the field's type, without copying; the column keeps the array alive. Run-end-encoded
// arrays are expanded. kCorruptData when validation fails.
COLONNADE_API ColumnPtr import_column(const Context& context, const Field& field, ArrowArray* array,
                                      Validation validation = Validation::kStructure);
COLONNADE_API Batch import_batch(const Context& context, const SchemaPtr& schema, ArrowArray* array,
                                 Validation validation = Validation::kStructure);
// A stream as a source. A stream's error becomes an Error with the code its errno stands for.
COLONNADE_API std::unique_ptr<BatchSource> import_stream(
    const Context& context, ArrowArrayStream* stream,
    Validation validation = Validation::kStructure);

// Validates a column as pyarrow's validate / validate(full=True) does; kCorruptData with what and
// where, kCancelled once context.cancel says so.
COLONNADE_API void validate(const Context& context, const Field& field, const Column& column,
                            Validation validation);

// `column` in the layout that `field` declares; the same column when it has it already.
COLONNADE_API ColumnPtr convert_to_form(const Context& context, const Field& field,
                                        const ColumnPtr& column);

}  // namespace colonnade::arrow
