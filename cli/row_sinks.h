// Sinks that write rows as text: csv, jsonl and an aligned table.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <colonnade/batch_stream.h>
#include <colonnade/context.h>

#include "cli/output.h"

namespace colonnade::cli {

enum class RowFormat { kCsv, kJsonl, kTable };

struct RowFormatOptions {
  // csv: fields are quoted as RFC 4180 says when they hold the delimiter, a quote or a line break,
  // and also when they are empty or equal `null_text`, so that "" and null differ.
  char delimiter = ',';
  bool header = true;
  std::string null_text = {};
  // table: columns of the terminal, 0: no limit.
  int32_t max_width = 0;
};

// Text goes to the output in pieces of some 100 KB, so that what is held depends neither on the
// rows of a batch nor on the size of a value; a table charges its first rows, and a row while it is
// written, to the context's memory (kOutOfBudget).
//
// csv: values as column/scalar_text.h writes them, binary as hex. jsonl: one object a row; a string
// that is not UTF-8 is kCorruptData naming row and column. table: widths come from the first rows.
// Calling finish() also finishes the output.
std::unique_ptr<BatchSink> make_row_sink(const Context& context, RowFormat format,
                                         const RowFormatOptions& options, SchemaPtr schema,
                                         std::unique_ptr<Output> output);

}  // namespace colonnade::cli
