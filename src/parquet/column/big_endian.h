// Decimals as Parquet writes them into bytes: two's complement, most significant byte first, of any
// length.
#pragma once

#include <cstdint>

namespace colonnade::parquet {

// n values of `in_bytes` bytes each, one after another, to little-endian two's complement of
// out_bytes (4, 8, 16 or 32). Shorter values are sign-extended; longer ones must fit: kCorruptData.
// in_bytes >= 1. Reads n * in_bytes bytes.
void convert_big_endian(const uint8_t* in, int32_t in_bytes, int64_t n, int32_t out_bytes,
                        uint8_t* out);

// One value of `in_bytes` bytes, likewise. kCorruptData when in_bytes is 0.
void convert_big_endian_value(const uint8_t* in, int64_t in_bytes, int32_t out_bytes, uint8_t* out);

}  // namespace colonnade::parquet
