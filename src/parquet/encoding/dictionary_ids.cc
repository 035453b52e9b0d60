#include "parquet/encoding/dictionary_ids.h"

#include <algorithm>

namespace colonnade::parquet {

void DictionaryIdDecoder::start(std::span<const uint8_t> bytes, int64_t num_values,
                                int64_t dictionary_size) {
  *this = DictionaryIdDecoder();
  if (num_values == 0) return;
  if (bytes.empty()) {
    fail(ErrorCode::kCorruptData, "dictionary ids without their bit width", "{} values",
         num_values);
  }
  const int32_t bit_width = bytes[0];
  if (bit_width > 32) {
    fail(ErrorCode::kCorruptData, "bit width of dictionary ids above 32", "bit width {}",
         bit_width);
  }
  runs_.start(bytes.subspan(1), bit_width);
  dictionary_size_ = dictionary_size;
  every_id_fits_ = (int64_t{1} << bit_width) <= dictionary_size;
}

void DictionaryIdDecoder::decode(int64_t n, uint32_t* ids) {
  runs_.decode(n, ids);
  if (every_id_fits_ || n == 0) return;
  uint32_t largest = 0;
  for (int64_t i = 0; i < n; ++i) largest = std::max(largest, ids[i]);
  if (largest >= dictionary_size_) fail_id(largest);
}

int64_t DictionaryIdDecoder::take_repeated(int64_t max_values, uint32_t* id) {
  const int64_t count = runs_.take_repeated(max_values, id);
  if (count > 0 && *id >= dictionary_size_) fail_id(*id);
  return count;
}

void DictionaryIdDecoder::fail_id(uint32_t id) const {
  fail(ErrorCode::kCorruptData, "dictionary id outside the dictionary", "id {}, entries {}", id,
       dictionary_size_);
}

}  // namespace colonnade::parquet
