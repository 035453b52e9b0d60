// Moving values of a fixed width: through a dictionary, as a run, and apart to make room for nulls.
#pragma once

#include <cstdint>

namespace colonnade::parquet {

// out[i] = dictionary[ids[i]]. Every id lies inside the dictionary. width_bytes >= 0.
void gather_values(const uint8_t* dictionary, const uint32_t* ids, int64_t n, int32_t width_bytes,
                   uint8_t* out);

// n times the value at `value`, which does not lie in `out`.
void repeat_value(const uint8_t* value, int64_t n, int32_t width_bytes, uint8_t* out);

// Makes room for nulls in place: `values` begins with the num_valid values of the rows that are
// valid, and afterwards holds num_rows values, those of null rows all zero bytes. Validity of row i
// is bit bit_offset + i; num_valid of them are set.
void spread_values(const uint8_t* validity, int64_t bit_offset, int64_t num_rows, int64_t num_valid,
                   int32_t width_bytes, uint8_t* values);

// The same for values of one bit each, from `packed` (num_valid bits from bit 0) to bits
// [bit_offset, bit_offset + num_rows) of `out`; other bits of `out` stay.
void spread_bits(const uint8_t* validity, int64_t bit_offset, int64_t num_rows,
                 const uint8_t* packed, uint8_t* out);

}  // namespace colonnade::parquet
