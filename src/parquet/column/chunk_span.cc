#include "parquet/column/chunk_span.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

namespace colonnade::parquet {
namespace {

// More than the header of any dictionary page that parquet-mr wrote.
constexpr int64_t kMaxMissingBytes = 100;

// "parquet-mr version 1.2.8 (build 1a2b)"; without a version it is an old one.
bool leaves_out_dictionary_header(std::string_view created_by) {
  constexpr std::string_view kWriter = "parquet-mr";
  constexpr std::string_view kVersion = " version ";
  if (!created_by.starts_with(kWriter)) return false;
  created_by.remove_prefix(kWriter.size());
  if (!created_by.starts_with(kVersion)) return true;
  created_by.remove_prefix(kVersion.size());
  for (const int fixed : {1, 2, 9}) {
    int number = 0;
    const char* end = created_by.data() + created_by.size();
    const auto [behind, error] = std::from_chars(created_by.data(), end, number);
    if (error != std::errc()) return true;
    if (number != fixed) return number < fixed;
    created_by.remove_prefix(static_cast<size_t>(behind - created_by.data()));
    if (created_by.starts_with('.')) created_by.remove_prefix(1);
  }
  return false;
}

}  // namespace

io::ByteSpan chunk_span(const Footer& footer, const ChunkMetadata& chunk, int64_t file_size) {
  io::ByteSpan span{chunk.first_page_offset(), chunk.compressed_bytes};
  if (leaves_out_dictionary_header(footer.created_by())) {
    const int64_t behind = file_size - span.length - span.offset;
    span.length += std::clamp<int64_t>(behind, 0, kMaxMissingBytes);
  }
  return span;
}

}  // namespace colonnade::parquet
