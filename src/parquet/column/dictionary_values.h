// Columns of strings as ids into a dictionary: the chunk's own where its pages have one, else one
// that is made of the column's values.
#pragma once

#include <optional>

#include "parquet/column/byte_array_source.h"
#include "parquet/column/string_dictionary_builder.h"
#include "parquet/column/value_reader.h"

namespace colonnade::parquet {

// Columns share the chunk's dictionary as long as the pages they come from are dictionary-encoded.
// A column that takes values from another page gets a dictionary of its own. The values of every
// dictionary are unique.
class DictionaryValues final : public ValueReader {
 public:
  DictionaryValues(const Context& context, DataType type);

  void set_dictionary(DictionaryPage page) override;
  void start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid) override;
  void begin(int64_t max_rows, int64_t max_bytes) override;
  int64_t append(const RowBlock& block, int64_t max_bits) override;
  void skip(int64_t num_valid) override { source_.skip(num_valid); }
  ColumnParts finish() override;

 private:
  // Each decodes the block's values to ids; -1 where that takes more than max_bits.
  int64_t append_page_ids(const RowBlock& block, int64_t max_bits, uint32_t* out);
  int64_t append_values(const RowBlock& block, int64_t max_bits, uint32_t* out);
  void start_own_dictionary();

  Context context_;
  DataType type_;
  ByteArraySource source_;

  DictionaryPtr chunk_dictionary_;
  // Where the dictionary page repeats values: its ids → ids of chunk_dictionary_, int32. Else
  // empty.
  Buffer unique_ids_;

  MutableBuffer ids_;
  int64_t rows_ = 0;
  std::optional<StringDictionaryBuilder> own_dictionary_;
};

}  // namespace colonnade::parquet
