#include "parquet/column/leaf_pages.h"

#include <utility>

#include "base/fail.h"
#include "parquet/encoding/value_encoding.h"

namespace colonnade::parquet {
namespace {

PageReadOptions page_options(const ColumnReadOptions& options, const Leaf& leaf,
                             const DataType& type, const ChunkMetadata& chunk) {
  PageReadOptions page;
  page.codec = chunk.codec;
  page.max_definition_level = leaf.max_definition_level;
  page.max_repetition_level = leaf.max_repetition_level;
  page.page_limit_bytes = options.open.page_limit_bytes;
  page.verify_checksums = options.open.verify_checksums;
  page.share_data_pages = options.strings == StringForm::kViews && type.is_bytes();
  return page;
}

// The chunk's bytes.
int64_t check_chunk(const Leaf& leaf, const ChunkMetadata& chunk) {
  if (chunk.encrypted) fail(ErrorCode::kNotSupported, "encrypted columns are not read yet");
  if (!chunk.file_path.empty()) {
    fail(ErrorCode::kNotSupported, "column chunks in other files are not read", "file '{}'",
         chunk.file_path);
  }
  if (chunk.type != leaf.physical_type) {
    fail(ErrorCode::kCorruptData, "column chunk of another type than its column",
         "{} in the chunk, {} in the schema", name(chunk.type), name(leaf.physical_type));
  }
  return chunk.compressed_bytes;
}

}  // namespace

LeafPages::LeafPages(const Context& context, const ColumnReadOptions& options, const Leaf& leaf,
                     const DataType& type, const ChunkMetadata& chunk, io::SequentialReader bytes)
    : leaf_(leaf),
      chunk_end_(bytes.position() + check_chunk(leaf, chunk)),
      pages_(context, page_options(options, leaf, type, chunk), std::move(bytes)),
      values_(make_value_reader(context, leaf, type, options.strings, options.open.int96_wraps)) {}

DataPage LeafPages::next(int64_t values_left) {
  for (;;) {
    std::optional<Page> page = pages_.next();
    if (!page) {
      fail(ErrorCode::kCorruptData, "column chunk ends before its values", "{} values missing",
           values_left);
    }
    if (DictionaryPage* dictionary = std::get_if<DictionaryPage>(&*page)) {
      values_->set_dictionary(std::move(*dictionary));
      continue;
    }
    DataPage& data = std::get<DataPage>(*page);
    if (data.num_values > values_left) {
      fail(ErrorCode::kCorruptData, "column chunk holds more values than its metadata says",
           "{} values in the page, {} left", data.num_values, values_left);
    }
    return std::move(data);
  }
}

int64_t LeafPages::skip_pages(int64_t values_left) {
  if (std::optional<DictionaryPage> dictionary = pages_.take_dictionary())
    values_->set_dictionary(std::move(*dictionary));
  return pages_.skip_data_pages(values_left);
}

void LeafPages::start_values(const DataPage& page, int64_t num_valid) {
  values_->start_page(page, value_encoding(page.encoding, leaf_.physical_type), num_valid);
}

void LeafPages::check_end() {
  if (const int64_t more = pages_.count_remaining_values(chunk_end_); more > 0) {
    fail(ErrorCode::kCorruptData, "column chunk holds more values than its metadata says",
         "{} values behind the last row", more);
  }
}

void LeafPages::locate(Error& error) const {
  error.locate({.file = {}, .column = leaf_.dotted_path, .page_offset = pages_.page_offset()});
}

}  // namespace colonnade::parquet
