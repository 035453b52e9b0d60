// Values of pages become the buffers of a column: one implementation for each form a column can
// have.
#pragma once

#include <cstdint>
#include <memory>

#include <colonnade/column.h>
#include <colonnade/context.h>
#include <colonnade/parquet.h>

#include "parquet/column/leaf.h"
#include "parquet/encoding/value_encoding.h"
#include "parquet/page/page_reader.h"

namespace colonnade::parquet {

// Rows to be decoded next, all of them in the current page.
struct RowBlock {
  // More rows are never decoded at once: what a block needs meanwhile stays in the processor's
  // cache.
  static constexpr int64_t kMaxRows = 2048;

  int64_t num_rows = 0;
  int64_t num_valid = 0;
  // Validity of the column's rows; the block's begin at bit `row`. Null where every row of the
  // block is valid.
  const uint8_t* validity = nullptr;
  int64_t row = 0;  // rows of the column before the block
};

// Call order: set_dictionary() at most once; start_page() for each data page; begin(), append()
// some times and finish() for each column. A page may give to several columns, and a column take
// from several pages. One user at a time. After an error only destruction is allowed.
class ValueReader {
 public:
  virtual ~ValueReader() = default;

  virtual void set_dictionary(DictionaryPage page) = 0;
  // `page` holds num_valid values. It stays valid until the next page is started. kCorruptData when
  // it is dictionary-encoded, has values, and there is no dictionary.
  virtual void start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid) = 0;

  // A column of some max_rows rows and at most max_bytes bytes (0: no limit) begins: a hint of what
  // to reserve.
  virtual void begin(int64_t max_rows, int64_t max_bytes) = 0;
  // Decodes the block's rows; returns the bits they take in the column. Where that is more than
  // max_bits (or than a column can hold), nothing is decoded and -1 returned.
  virtual int64_t append(const RowBlock& block, int64_t max_bits) = 0;
  // Passes over the next num_valid values of the page, which has so many left. Also between
  // append()s.
  virtual void skip(int64_t num_valid) = 0;
  // Type, encoding, storage and buffers of the rows appended since begin(), without validity.
  virtual ColumnParts finish() = 0;

 protected:
  ValueReader() = default;
};

// kNotSupported for a leaf that is not read as this type.
std::unique_ptr<ValueReader> make_value_reader(const Context& context, const Leaf& leaf,
                                               const DataType& type, StringForm strings,
                                               bool int96_wraps);

// What a column reserves before its pages are seen: `bytes`, but no more than this; the rest as the
// rows come. A file may claim any number of rows.
inline constexpr int64_t kMaxReservedAheadBytes = int64_t{64} << 20;
// min(rows * bits_per_row, kMaxReservedAheadBytes, max_bytes where that is not 0) in bytes, rounded
// up.
int64_t bytes_to_reserve(int64_t rows, int64_t bits_per_row, int64_t max_bytes) noexcept;

}  // namespace colonnade::parquet
