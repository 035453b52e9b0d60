// Page headers: parsed, refused, or in need of more bytes; and the same answer for a header with
// more bytes behind it.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <colonnade/error.h>

#include "parquet/format/page_header.h"
#include "parquet/testing/fuzz_oracle.h"

namespace {

using namespace colonnade;
using namespace colonnade::parquet;
using colonnade::parquet::testing::check;

void check_numbers(const PageHeader& header) {
  check(header.uncompressed_bytes >= 0 && header.compressed_bytes >= 0 && header.num_values >= 0);
  check(header.num_nulls >= 0 && header.num_rows >= 0 && header.num_nulls <= header.num_values);
  check(header.definition_bytes >= 0 && header.repetition_bytes >= 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto parsed = PageHeader::parse({data, size});
    if (!parsed) return 0;
    check(parsed->header_bytes > 0 && parsed->header_bytes <= static_cast<int64_t>(size));
    check_numbers(parsed->header);
    // Exactly its bytes are enough; one less is not.
    const auto exact = static_cast<size_t>(parsed->header_bytes);
    const std::vector<uint8_t> alone(data, data + exact);
    const auto again = PageHeader::parse(alone);
    check(again && again->header_bytes == parsed->header_bytes &&
          again->header.num_values == parsed->header.num_values);
    check(!PageHeader::parse({alone.data(), exact - 1}));
  } catch (const Error& error) {
    check(error.code() == ErrorCode::kCorruptData || error.code() == ErrorCode::kNotSupported);
  }
  return 0;
}
