// Page headers: Thrift compact structs in front of each page.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "parquet/format/types.h"

namespace colonnade::parquet {

// One header with the members of its kind of page. Numbers are as written but checked: no count or
// size is negative.
struct PageHeader {
  PageType type = PageType::kDataPage;
  int64_t uncompressed_bytes = 0;  // of the page behind the header; v2: with its levels
  int64_t compressed_bytes = 0;
  std::optional<uint32_t> crc;
  int64_t num_values = 0;  // data pages: with nulls; dictionary pages: entries
  EncodingId encoding = EncodingId::kPlain;
  // v1 data pages
  EncodingId definition_encoding = EncodingId::kRle;
  EncodingId repetition_encoding = EncodingId::kRle;
  // v2 data pages
  int64_t num_nulls = 0;
  int64_t num_rows = 0;
  int64_t definition_bytes = 0;
  int64_t repetition_bytes = 0;
  bool is_compressed = true;  // v2; true where absent
  bool is_sorted = false;     // dictionary pages

  // The header at the front of `bytes` and its length in bytes, or nothing when `bytes` ends inside
  // it (ask again with more). kCorruptData for what can never become a header, kNotSupported for an
  // unknown encoding or page type.
  struct Parsed;
  static std::optional<Parsed> parse(std::span<const uint8_t> bytes);
};

struct PageHeader::Parsed {
  PageHeader header;
  int64_t header_bytes = 0;
};

}  // namespace colonnade::parquet
