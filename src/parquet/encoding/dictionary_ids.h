// Dictionary-encoded values: a byte of bit width, then ids as RLE / bit-packed runs.
#pragma once

#include <cstdint>
#include <span>

#include "parquet/encoding/rle_bit_packed.h"

namespace colonnade::parquet {

// A value: a copy decodes on from the same place. Refers to the bytes. Every id that comes out lies
// inside the dictionary: kCorruptData otherwise.
class DictionaryIdDecoder {
 public:
  DictionaryIdDecoder() = default;
  // `bytes` may be empty where num_values is 0 (a page of nulls only).
  void start(std::span<const uint8_t> bytes, int64_t num_values, int64_t dictionary_size);

  void decode(int64_t n, uint32_t* ids);
  void skip(int64_t n) { runs_.skip(n); }
  // When the next ids are a run of one id: that id, and how many of them (1 to max_values) were
  // passed over; else 0. max_values >= 1.
  int64_t take_repeated(int64_t max_values, uint32_t* id);

 private:
  void check(int64_t n, const uint32_t* ids) const;
  [[noreturn, gnu::cold]] void fail_id(uint32_t id) const;

  RleBitPackedDecoder runs_;
  int64_t dictionary_size_ = 0;
  bool every_id_fits_ = false;  // no value of this bit width lies outside the dictionary
};

}  // namespace colonnade::parquet
