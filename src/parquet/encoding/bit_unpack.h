// Unpacking bit-packed unsigned integers, least significant bit first.
#pragma once

#include <cstdint>

namespace colonnade::parquet {

// Values that one call of an unpack function gives.
inline constexpr int64_t kUnpackBlock = 32;
// Bytes that an unpack function may read beyond the 4 * bit_width bytes of its block: values are
// taken out of 8-byte loads, the last of which begins at least one byte before the end of the
// block.
inline constexpr int64_t kUnpackOverread = 8;

// Writes 32 values from `in`, of which 4 * bit_width + kUnpackOverread bytes must be readable.
using UnpackFunction = void (*)(const uint8_t* in, uint32_t* out);

// 0 <= bit_width <= 32.
UnpackFunction unpack_function(int32_t bit_width) noexcept;

inline constexpr int32_t kMaxUnpackWidth = 64;  // of unpack_block, in bits

// Writes 32 values of 0 <= bit_width <= kMaxUnpackWidth from `in` without reading at or behind
// `readable_end`: bits that would lie there are zero.
void unpack_block(const uint8_t* in, const uint8_t* readable_end, int32_t bit_width,
                  uint64_t* out) noexcept;

}  // namespace colonnade::parquet
