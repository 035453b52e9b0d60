#include "parquet/page/page_reader.h"

#include <algorithm>
#include <utility>

#include "base/bits.h"
#include "base/cursor.h"
#include "base/fail.h"
#include "parquet/encoding/level_decoder.h"

namespace colonnade::parquet {
namespace {

// Bytes looked at for a page header at first: most are shorter, those with statistics of long
// strings are not.
constexpr int64_t kHeaderBytes = 256;
// How much of what lies behind the last row is looked at for one more page header.
constexpr int64_t kMaxTrailingHeaderBytes = int64_t{64} << 10;

// The levels that begin a v1 page: of RLE behind their length in 4 bytes, of BIT_PACKED as many
// bytes as their number asks for.
Levels take_levels(CheckedCursor& cursor, EncodingId encoding, int64_t num_values,
                   int16_t max_level, const char* what) {
  Levels levels;
  levels.encoding = encoding;
  if (max_level == 0) return levels;
  if (encoding == EncodingId::kRle) {
    levels.bytes = cursor.take(cursor.read<int32_t>("length of levels"), what);
  } else if (encoding == EncodingId::kBitPacked) {
    levels.bytes = cursor.take(bits::bytes_for(num_values * level_bit_width(max_level)), what);
  } else {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("{} in encoding {} are not read", what, name(encoding)));
  }
  return levels;
}

}  // namespace

codec::Codec codec_of(CompressionCodec codec) {
  switch (codec) {
    case CompressionCodec::kUncompressed:
      return codec::Codec::kNone;
    case CompressionCodec::kSnappy:
      return codec::Codec::kSnappy;
    case CompressionCodec::kZstd:
      return codec::Codec::kZstd;
    case CompressionCodec::kGzip:
      return codec::Codec::kGzip;
    case CompressionCodec::kBrotli:
      return codec::Codec::kBrotli;
    case CompressionCodec::kLz4:
      return codec::Codec::kLz4Hadoop;
    case CompressionCodec::kLz4Raw:
      return codec::Codec::kLz4Raw;
    case CompressionCodec::kLzo:
      throw Error(ErrorCode::kNotSupported, fmt::format("codec {} is not read", name(codec)));
  }
  fail(ErrorCode::kCorruptData, "unknown codec", "codec {}", static_cast<int>(codec));
}

PageReader::PageReader(const Context& context, const PageReadOptions& options,
                       io::SequentialReader bytes)
    : context_(context),
      options_(options),
      codec_(codec_of(options.codec)),
      bytes_(std::move(bytes)) {
  page_offset_ = bytes_.position();
}

std::optional<PageHeader> PageReader::next_header() {
  if (put_back_) return std::exchange(put_back_, std::nullopt);
  bytes_.skip(std::exchange(unread_bytes_, 0));
  if (bytes_.left() == 0) return std::nullopt;
  context_.cancel.check();
  page_offset_ = bytes_.position();
  for (int64_t wanted = kHeaderBytes;; wanted *= 2) {
    const std::span<const uint8_t> bytes = bytes_.peek(wanted);
    if (const auto parsed = PageHeader::parse(bytes)) {
      bytes_.skip(parsed->header_bytes);
      if (parsed->header.compressed_bytes > bytes_.left()) {
        fail(ErrorCode::kCorruptData, "page reaches beyond its column chunk", "{} bytes, {} left",
             parsed->header.compressed_bytes, bytes_.left());
      }
      return parsed->header;
    }
    if (static_cast<int64_t>(bytes.size()) == bytes_.left()) {
      fail(ErrorCode::kCorruptData, "column chunk ends inside a page header", "{} bytes left",
           bytes.size());
    }
  }
}

std::span<const uint8_t> PageReader::page_bytes(const PageHeader& header, Buffer* shared) {
  if (header.uncompressed_bytes > options_.page_limit_bytes) {
    fail(ErrorCode::kOutOfBudget, "page larger than the limit for one page", "{} bytes, limit {}",
         header.uncompressed_bytes, options_.page_limit_bytes);
  }
  std::span<const uint8_t> bytes;
  if (shared != nullptr) {
    *shared = bytes_.take(header.compressed_bytes);
    bytes = shared->as<uint8_t>();
  } else {
    unread_bytes_ = header.compressed_bytes;
    bytes = bytes_.peek(header.compressed_bytes);
  }
  if (options_.verify_checksums && header.crc) {
    const uint32_t crc = codec::crc32(bytes);
    if (crc != *header.crc) {
      fail(ErrorCode::kCorruptData, "page with a wrong checksum",
           "CRC-32 {:08x} in the header, {:08x} of the {} bytes", *header.crc, crc, bytes.size());
    }
  }
  return bytes;
}

std::optional<Page> PageReader::next() {
  while (const std::optional<PageHeader> header = next_header()) {
    switch (header->type) {
      case PageType::kDictionaryPage:
        return read_dictionary(*header);
      case PageType::kDataPage:
        seen_page_ = true;
        if (header->num_values > 0) return keep(read_v1(*header));
        break;
      case PageType::kDataPageV2:
        seen_page_ = true;
        if (header->num_values > 0) return keep(read_v2(*header));
        break;
      case PageType::kIndexPage:
        break;
    }
    unread_bytes_ = header->compressed_bytes;
  }
  return std::nullopt;
}

std::optional<DictionaryPage> PageReader::take_dictionary() {
  const std::optional<PageHeader> header = next_header();
  if (header && header->type == PageType::kDictionaryPage) return read_dictionary(*header);
  put_back_ = header;
  return std::nullopt;
}

int64_t PageReader::skip_data_pages(int64_t values_left) {
  int64_t passed = 0;
  while (const std::optional<PageHeader> header = next_header()) {
    const bool is_data =
        header->type == PageType::kDataPage || header->type == PageType::kDataPageV2;
    if (!is_data || header->num_values > values_left - passed) {
      put_back_ = header;
      break;
    }
    seen_page_ = true;
    passed += header->num_values;
    unread_bytes_ = header->compressed_bytes;
  }
  return passed;
}

DataPage PageReader::keep(DataPage page) {
  shared_page_ = page.memory;
  return page;
}

DictionaryPage PageReader::read_dictionary(const PageHeader& header) {
  if (std::exchange(seen_page_, true)) {
    fail(ErrorCode::kCorruptData, "dictionary page behind another page of its column chunk");
  }
  if (header.encoding != EncodingId::kPlain && header.encoding != EncodingId::kPlainDictionary) {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("dictionary page in encoding {} is not read", name(header.encoding)));
  }
  const std::span<const uint8_t> in = page_bytes(header, nullptr);
  DictionaryPage page;
  page.num_entries = header.num_values;
  if (header.uncompressed_bytes == 0) return page;
  codec::check_expansion(codec_, in, header.uncompressed_bytes, options_.page_limit_bytes);
  // Also where nothing is compressed: a copy of its own outlives the page and can be read beyond.
  MutableBuffer bytes = context_.memory->allocate(header.uncompressed_bytes);
  codec::info(codec_).decompress(in, {bytes.data(), static_cast<size_t>(bytes.size())});
  page.bytes = std::move(bytes).freeze();
  return page;
}

Buffer* PageReader::raw_memory(codec::Codec codec, DataPage* page) const noexcept {
  return options_.share_data_pages && codec == codec::Codec::kNone ? &page->memory : nullptr;
}

DataPage PageReader::read_v1(const PageHeader& header) {
  DataPage page;
  page.num_values = header.num_values;
  page.encoding = header.encoding;
  const std::span<const uint8_t> in = page_bytes(header, raw_memory(codec_, &page));
  set_values(in, header.uncompressed_bytes, codec_, &page);
  CheckedCursor cursor(page.values);
  page.repetition = take_levels(cursor, header.repetition_encoding, header.num_values,
                                options_.max_repetition_level, "repetition levels");
  page.definition = take_levels(cursor, header.definition_encoding, header.num_values,
                                options_.max_definition_level, "definition levels");
  page.values = page.values.subspan(static_cast<size_t>(cursor.position()));
  return page;
}

DataPage PageReader::read_v2(const PageHeader& header) {
  // Repetition levels, definition levels, values. The levels are never compressed.
  const int64_t level_bytes = header.repetition_bytes + header.definition_bytes;
  if (level_bytes > header.compressed_bytes || level_bytes > header.uncompressed_bytes) {
    fail(ErrorCode::kCorruptData, "levels longer than their page",
         "{} bytes of levels, {} compressed, {} uncompressed", level_bytes, header.compressed_bytes,
         header.uncompressed_bytes);
  }
  if (options_.max_repetition_level == 0 && header.num_rows != header.num_values) {
    fail(ErrorCode::kCorruptData, "page of a flat column with another number of rows than values",
         "{} rows, {} values", header.num_rows, header.num_values);
  }
  const codec::Codec codec = header.is_compressed ? codec_ : codec::Codec::kNone;
  DataPage page;
  page.num_values = header.num_values;
  page.num_nulls = header.num_nulls;
  page.encoding = header.encoding;
  const std::span<const uint8_t> in = page_bytes(header, raw_memory(codec, &page));
  if (options_.max_repetition_level > 0) {
    page.repetition.bytes = in.first(static_cast<size_t>(header.repetition_bytes));
  }
  if (options_.max_definition_level > 0) {
    page.definition.bytes = in.subspan(static_cast<size_t>(header.repetition_bytes),
                                       static_cast<size_t>(header.definition_bytes));
  }
  set_values(in.subspan(static_cast<size_t>(level_bytes)), header.uncompressed_bytes - level_bytes,
             codec, &page);
  return page;
}

void PageReader::set_values(std::span<const uint8_t> in, int64_t out_bytes, codec::Codec codec,
                            DataPage* page) {
  // No value at all: what lies there (nothing, or a frame of no bytes) needs no decompression.
  if (out_bytes == 0) return;
  codec::check_expansion(codec, in, out_bytes, options_.page_limit_bytes);
  if (codec == codec::Codec::kNone) {
    page->values = in;
    return;
  }
  const auto decompress = [&](MutableBuffer& out) {
    codec::info(codec).decompress(in, {out.data(), static_cast<size_t>(out_bytes)});
  };
  if (options_.share_data_pages) {
    MutableBuffer shared = context_.memory->allocate(out_bytes);
    decompress(shared);
    page->memory = std::move(shared).freeze();
    page->values = {page->memory.data(), static_cast<size_t>(out_bytes)};
  } else {
    if (decompressed_.capacity() < out_bytes) {
      decompressed_ = {};  // first, so that both are never held at once
      decompressed_ = context_.memory->allocate(out_bytes);
    }
    decompressed_.resize(out_bytes);
    decompress(decompressed_);
    page->values = {decompressed_.data(), static_cast<size_t>(out_bytes)};
  }
  page->readable_behind = MutableBuffer::kPaddingBytes;
}

int64_t PageReader::count_remaining_values(int64_t end) {
  int64_t num_values = 0;
  for (;;) {
    bytes_.skip(std::exchange(unread_bytes_, 0));
    if (bytes_.left() == 0 || bytes_.position() >= end) return num_values;
    context_.cancel.check();
    const std::span<const uint8_t> bytes = bytes_.peek(kMaxTrailingHeaderBytes);
    std::optional<PageHeader::Parsed> parsed;
    try {
      parsed = PageHeader::parse(bytes);
    } catch (const Error&) {
      return num_values;
    }
    if (!parsed) return num_values;
    const PageHeader& header = parsed->header;
    if (header.compressed_bytes > bytes_.left() - parsed->header_bytes) return num_values;
    page_offset_ = bytes_.position();
    bytes_.skip(parsed->header_bytes);
    unread_bytes_ = header.compressed_bytes;
    if (header.type == PageType::kDataPage || header.type == PageType::kDataPageV2) {
      num_values += header.num_values;
    }
  }
}

}  // namespace colonnade::parquet
