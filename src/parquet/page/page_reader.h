// The pages of a column chunk, decompressed and split into levels and values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include <colonnade/context.h>
#include <colonnade/memory.h>

#include "codec/codec.h"
#include "io/read_plan.h"
#include "parquet/format/page_header.h"

namespace colonnade::parquet {

struct DictionaryPage {
  int64_t num_entries = 0;
  // The entries in PLAIN encoding; shared, so that they can outlive the reader. At least
  // MutableBuffer::kPaddingBytes behind them may be read.
  Buffer bytes;
};

// The levels of a page, as they lie in it.
struct Levels {
  // RLE / bit-packed runs, without a length in front; of kBitPacked the bits alone, the most
  // significant first. Empty where the maximum level is 0.
  std::span<const uint8_t> bytes;
  EncodingId encoding = EncodingId::kRle;  // or kBitPacked
};

// Levels and `values` are valid until the next call of the reader.
struct DataPage {
  int64_t num_values = 0;  // with nulls
  EncodingId encoding = EncodingId::kPlain;
  Levels repetition;
  Levels definition;
  // What a v2 header says; a v1 header does not say it.
  std::optional<int64_t> num_nulls;
  std::span<const uint8_t> values;
  // Bytes that may be read behind the values.
  int64_t readable_behind = 0;
  // Where pages are shared: the bytes that `values` lie in.
  Buffer memory;
};

using Page = std::variant<DictionaryPage, DataPage>;

struct PageReadOptions {
  CompressionCodec codec = CompressionCodec::kUncompressed;
  int16_t max_definition_level = 0;
  int16_t max_repetition_level = 0;
  int64_t page_limit_bytes = int64_t{256} << 20;
  bool verify_checksums = false;
  bool share_data_pages = false;  // DataPage::memory is set
};

// The codec of a number in column metadata (CompressionCodec in parquet.thrift); kNotSupported for
// LZO.
codec::Codec codec_of(CompressionCodec codec);

// Walks the pages of a column chunk. Holds the page that is current, and the bytes of its
// header while they are parsed. Checks the cancel token at each page. After an error only
// page_offset() may be asked.
class PageReader {
 public:
  // `bytes` begins at the first page header. kNotSupported for a codec that is not read.
  PageReader(const Context& context, const PageReadOptions& options, io::SequentialReader bytes);

  // The next page, or nothing at the end of the bytes. Index pages and data pages without values
  // are passed over; a dictionary page can only be the first page of all.
  std::optional<Page> next();

  // The next page, where it is a dictionary page.
  std::optional<DictionaryPage> take_dictionary();
  // Passes over the next data pages as long as they hold at most `values_left` values (with nulls)
  // together, without reading them; returns the values passed.
  int64_t skip_data_pages(int64_t values_left);

  // Where the header of the page last returned, passed over or refused begins in the file.
  int64_t page_offset() const noexcept { return page_offset_; }
  // Passes over what is left before `end` (an offset in the file), as far as it is well-formed
  // pages; returns the values (with nulls) in them. Bytes that are no page are left alone: some
  // writers' chunks are longer than their pages.
  int64_t count_remaining_values(int64_t end);

 private:
  // The header of the next page, behind which the reader stands then; the one that was put back
  // first.
  std::optional<PageHeader> next_header();
  // The page as it lies in the file: in the reader's window, or taken out of it to `shared`; its
  // checksum is right where that is to be verified.
  std::span<const uint8_t> page_bytes(const PageHeader& header, Buffer* shared);
  // Where a page that needs no decompression is to be kept; null where it can stay in the window.
  Buffer* raw_memory(codec::Codec codec, DataPage* page) const noexcept;
  DictionaryPage read_dictionary(const PageHeader& header);
  DataPage read_v1(const PageHeader& header);
  DataPage read_v2(const PageHeader& header);
  DataPage keep(DataPage page);
  // Decompresses `in` to `out_bytes` bytes, which become the page's values.
  void set_values(std::span<const uint8_t> in, int64_t out_bytes, codec::Codec codec,
                  DataPage* page);

  Context context_;
  PageReadOptions options_;
  codec::Codec codec_ = codec::Codec::kNone;
  io::SequentialReader bytes_;
  int64_t unread_bytes_ = 0;  // of the current page: looked at, not passed over yet
  MutableBuffer decompressed_;
  Buffer shared_page_;  // keeps what the current page refers to, whoever else does
  int64_t page_offset_ = -1;
  std::optional<PageHeader> put_back_;  // whose page was not read
  bool seen_page_ = false;              // a dictionary or data page
};

}  // namespace colonnade::parquet
