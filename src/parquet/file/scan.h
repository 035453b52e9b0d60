// Reads row groups into batches, in order, by one or many threads.
#pragma once

#include <memory>

#include <colonnade/batch_stream.h>
#include <colonnade/context.h>
#include <colonnade/parquet.h>

#include "parquet/file/row_group_units.h"

namespace colonnade::parquet {

// `schema` is what scan_schema() gives; `units` selects one column for each of it but the row
// numbers, of the same type or one that it takes in (common_type()). `options.columns`,
// `row_groups` and `split` have been applied already.
std::unique_ptr<BatchSource> make_scan(const Context& context, SchemaPtr schema,
                                       RowGroupUnits units, const ScanOptions& options);

// The schema of a scan: its columns, in the forms that `options.strings` gives, and the row numbers
// asked for. kInvalidArgument where one of these has the name of another column.
SchemaPtr scan_schema(std::vector<Field> columns, const std::vector<KeyValue>& metadata,
                      const ScanOptions& options);

}  // namespace colonnade::parquet
