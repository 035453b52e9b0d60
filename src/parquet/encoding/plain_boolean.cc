#include "parquet/encoding/plain_boolean.h"

#include "base/bits.h"
#include "base/fail.h"

namespace colonnade::parquet {

void PlainBooleanDecoder::start(std::span<const uint8_t> bytes, int64_t num_values) {
  if (bits::bytes_for(num_values) > static_cast<int64_t>(bytes.size())) {
    fail(ErrorCode::kCorruptData, "page shorter than its values", "{} booleans in {} bytes",
         num_values, bytes.size());
  }
  bytes_ = bytes.data();
  position_ = 0;
}

void PlainBooleanDecoder::decode(int64_t n, uint8_t* bits, int64_t bit_offset) {
  bits::copy(bytes_, position_, n, bits, bit_offset);
  position_ += n;
}

}  // namespace colonnade::parquet
