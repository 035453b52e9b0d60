// Columns, batches, tables and sources as Arrow capsules, in the forms a consumer asks for.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include <colonnade/batch_stream.h>
#include <colonnade/context.h>

#include "guarded_source.h"
#include "tabular.h"

namespace colonnade::python {

// (schema capsule, array capsule). `requested`: a schema capsule or None.
nanobind::tuple export_column(const NamedColumn& column, nanobind::handle requested);
nanobind::tuple export_batch(const Batch& batch, nanobind::handle requested);

// A stream capsule.
nanobind::object export_chunks(const ChunkedColumn& column, nanobind::handle requested);
nanobind::object export_table(const Table& table, nanobind::handle requested);
// `forms`: the source's schema in the forms wanted (requested_forms()).
nanobind::object export_source(const Context& context, std::unique_ptr<GuardedSource> source,
                               Schema forms);

}  // namespace colonnade::python
