// Timestamps as INT96: nanoseconds of the day in 8 bytes and the Julian day in 4, little endian.
// Deprecated; the form that Impala, Hive and Spark write. Source: parquet.thrift, Type.INT96, and
// Spark's ParquetRowConverter.binaryToSQLTimestamp.
#pragma once

#include <cstdint>
#include <string>

#include <colonnade/type.h>

namespace colonnade::parquet {

inline constexpr int32_t kInt96Bytes = 12;

// Converts n values to int64 since 1970-01-01T00:00 in that unit, rounded toward the past; those
// outside of its range wrap around modulo 2^64. Returns the first of these, n where there is none.
int64_t convert_int96(const uint8_t* in, int64_t n, TimeUnit unit, uint8_t* out) noexcept;

// "Julian day 2440588, nanosecond 0 of the day"
std::string int96_text(const uint8_t* value);

}  // namespace colonnade::parquet
