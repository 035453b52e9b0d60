#include "parquet/encoding/dictionary_ids.h"

#include <algorithm>
#include <cstring>

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
  runs_.start(bytes.subspan(1), bit_width, num_values);
  dictionary_size_ = dictionary_size;
  every_id_fits_ = (int64_t{1} << bit_width) <= dictionary_size;
}

void DictionaryIdDecoder::decode(int64_t n, uint32_t* ids) {
  runs_.decode(n, ids);
  if (!every_id_fits_) check(n, ids);
}

void DictionaryIdDecoder::check(int64_t n, const uint32_t* ids) const {
  // Two ids at a time: last - id, whose bit 31 is set where the id is too large. Neither id nor
  // last has bit 31 itself, so that the low half borrows from the high one only where it is too
  // large.
  constexpr uint64_t kBits31 = 0x8000'0000'8000'0000;
  const uint64_t last = static_cast<uint64_t>(std::max<int64_t>(dictionary_size_, 1) - 1);
  const uint64_t lasts = last << 32 | last;
  uint64_t differences = dictionary_size_ == 0 ? kBits31 : 0;
  int64_t i = 0;
  for (; i + 2 <= n; i += 2) {
    uint64_t pair;
    std::memcpy(&pair, ids + i, sizeof(pair));
    differences |= (lasts - pair) | pair;
  }
  if (i < n) differences |= (last - ids[i]) | ids[i];
  if ((differences & kBits31) == 0) return;
  for (i = 0; i < n; ++i) {
    if (ids[i] >= dictionary_size_) fail_id(ids[i]);
  }
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
