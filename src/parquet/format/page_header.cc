#include "parquet/format/page_header.h"

#include "base/fail.h"
#include "parquet/format/thrift.h"

namespace colonnade::parquet {

namespace {

using thrift::Field;
using thrift::Reader;

// A set of field ids below 32.
class Seen {
 public:
  void add(int16_t id) noexcept { ids_ |= 1u << id; }
  bool has(int16_t id) const noexcept { return (ids_ >> id & 1u) != 0; }

 private:
  uint32_t ids_ = 0;
};

// A member of the header by kind of page, numbers as written: only the one that fits the page's
// type is looked at.
struct PageFields {
  Seen seen;
  int32_t num_values = 0;
  int32_t encoding = 0;
  int32_t definition = 0;  // v1: encoding of the levels; v2: bytes of the levels
  int32_t repetition = 0;
  int32_t num_nulls = 0;
  int32_t num_rows = 0;
  bool flag = false;  // dictionary: is_sorted; v2: is_compressed
};

PageFields parse_v1(Reader& reader) {
  PageFields page;
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        page.num_values = reader.i32(field, "num_values");
        break;
      case 2:
        page.encoding = reader.i32(field, "encoding");
        break;
      case 3:
        page.definition = reader.i32(field, "definition_level_encoding");
        break;
      case 4:
        page.repetition = reader.i32(field, "repetition_level_encoding");
        break;
      default:
        reader.skip(field);
        continue;
    }
    page.seen.add(field.id);
  }
  return page;
}

PageFields parse_dictionary(Reader& reader) {
  PageFields page;
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        page.num_values = reader.i32(field, "num_values");
        break;
      case 2:
        page.encoding = reader.i32(field, "encoding");
        break;
      case 3:
        page.flag = reader.boolean(field, "is_sorted");
        break;
      default:
        reader.skip(field);
        continue;
    }
    page.seen.add(field.id);
  }
  return page;
}

PageFields parse_v2(Reader& reader) {
  PageFields page;
  page.flag = true;
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        page.num_values = reader.i32(field, "num_values");
        break;
      case 2:
        page.num_nulls = reader.i32(field, "num_nulls");
        break;
      case 3:
        page.num_rows = reader.i32(field, "num_rows");
        break;
      case 4:
        page.encoding = reader.i32(field, "encoding");
        break;
      case 5:
        page.definition = reader.i32(field, "definition_levels_byte_length");
        break;
      case 6:
        page.repetition = reader.i32(field, "repetition_levels_byte_length");
        break;
      case 7:
        page.flag = reader.boolean(field, "is_compressed");
        break;
      default:
        reader.skip(field);
        continue;
    }
    page.seen.add(field.id);
  }
  return page;
}

void require(const Reader& reader, const Seen& seen, int16_t id, const char* what) {
  if (!seen.has(id)) [[unlikely]]
    reader.fail_missing(what);
}

int64_t not_negative(int32_t number, const char* what) {
  if (number < 0) [[unlikely]] {
    fail(ErrorCode::kCorruptData, "negative number in a page header", "{} is {}", what, number);
  }
  return number;
}

EncodingId known_encoding(int32_t number, const char* what) {
  const std::optional<EncodingId> encoding = encoding_id(number);
  if (!encoding) [[unlikely]] {
    fail(ErrorCode::kNotSupported, "unknown encoding in a page header", "{} is {}", what, number);
  }
  return *encoding;
}

void fill_v1(const Reader& reader, const PageFields& page, PageHeader& header) {
  require(reader, page.seen, 1, "num_values");
  require(reader, page.seen, 2, "encoding");
  require(reader, page.seen, 3, "definition_level_encoding");
  require(reader, page.seen, 4, "repetition_level_encoding");
  header.num_values = not_negative(page.num_values, "num_values");
  header.encoding = known_encoding(page.encoding, "encoding");
  header.definition_encoding = known_encoding(page.definition, "definition_level_encoding");
  header.repetition_encoding = known_encoding(page.repetition, "repetition_level_encoding");
}

void fill_dictionary(const Reader& reader, const PageFields& page, PageHeader& header) {
  require(reader, page.seen, 1, "num_values");
  require(reader, page.seen, 2, "encoding");
  header.num_values = not_negative(page.num_values, "num_values");
  header.encoding = known_encoding(page.encoding, "encoding");
  header.is_sorted = page.flag;
}

void fill_v2(const Reader& reader, const PageFields& page, PageHeader& header) {
  require(reader, page.seen, 1, "num_values");
  require(reader, page.seen, 2, "num_nulls");
  require(reader, page.seen, 3, "num_rows");
  require(reader, page.seen, 4, "encoding");
  require(reader, page.seen, 5, "definition_levels_byte_length");
  require(reader, page.seen, 6, "repetition_levels_byte_length");
  header.num_values = not_negative(page.num_values, "num_values");
  header.num_nulls = not_negative(page.num_nulls, "num_nulls");
  header.num_rows = not_negative(page.num_rows, "num_rows");
  header.encoding = known_encoding(page.encoding, "encoding");
  header.definition_bytes = not_negative(page.definition, "definition_levels_byte_length");
  header.repetition_bytes = not_negative(page.repetition, "repetition_levels_byte_length");
  header.is_compressed = page.flag;
  if (header.num_nulls > header.num_values) [[unlikely]] {
    fail(ErrorCode::kCorruptData, "page with more nulls than values",
         "{} nulls, {} values with nulls", header.num_nulls, header.num_values);
  }
}

}  // namespace

std::optional<PageHeader::Parsed> PageHeader::parse(std::span<const uint8_t> bytes) {
  Reader reader(bytes, "page header", thrift::AtEnd::kStop);
  Seen seen;
  int32_t type = 0;
  int32_t uncompressed_bytes = 0;
  int32_t compressed_bytes = 0;
  PageFields v1, dictionary, v2;
  Parsed parsed;
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        type = reader.i32(field, "type");
        break;
      case 2:
        uncompressed_bytes = reader.i32(field, "uncompressed_page_size");
        break;
      case 3:
        compressed_bytes = reader.i32(field, "compressed_page_size");
        break;
      case 4:
        parsed.header.crc = static_cast<uint32_t>(reader.i32(field, "crc"));
        break;
      case 5:
        reader.begin_struct(field, "data_page_header");
        v1 = parse_v1(reader);
        break;
      case 7:
        reader.begin_struct(field, "dictionary_page_header");
        dictionary = parse_dictionary(reader);
        break;
      case 8:
        reader.begin_struct(field, "data_page_header_v2");
        v2 = parse_v2(reader);
        break;
      default:
        reader.skip(field);
        continue;
    }
    seen.add(field.id);
  }
  if (reader.ended()) return std::nullopt;

  require(reader, seen, 1, "type");
  require(reader, seen, 2, "uncompressed_page_size");
  require(reader, seen, 3, "compressed_page_size");
  const std::optional<PageType> known_type = page_type(type);
  if (!known_type) [[unlikely]] {
    fail(ErrorCode::kNotSupported, "unknown type of page", "type is {}", type);
  }
  parsed.header.type = *known_type;
  parsed.header.uncompressed_bytes = not_negative(uncompressed_bytes, "uncompressed_page_size");
  parsed.header.compressed_bytes = not_negative(compressed_bytes, "compressed_page_size");
  switch (*known_type) {
    case PageType::kDataPage:
      require(reader, seen, 5, "data_page_header");
      fill_v1(reader, v1, parsed.header);
      break;
    case PageType::kIndexPage:
      break;
    case PageType::kDictionaryPage:
      require(reader, seen, 7, "dictionary_page_header");
      fill_dictionary(reader, dictionary, parsed.header);
      break;
    case PageType::kDataPageV2:
      require(reader, seen, 8, "data_page_header_v2");
      fill_v2(reader, v2, parsed.header);
      break;
  }
  parsed.header_bytes = reader.position();
  return parsed;
}

}  // namespace colonnade::parquet
