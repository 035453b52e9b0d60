// The bytes of pages, put together by hand: levels, dictionary ids and values, slow and plain.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "parquet/format/types.h"
#include "parquet/testing/thrift_writer.h"

namespace colonnade::parquet::testing {

// One after the other.
Bytes concat(std::initializer_list<Bytes> parts);
Bytes bytes_of(std::string_view text);

// PLAIN values of a fixed width, little endian.
template <typename T>
  requires std::is_trivially_copyable_v<T>
Bytes plain(const std::vector<T>& values) {
  static_assert(std::endian::native == std::endian::little);
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
Bytes plain_int32(const std::vector<int32_t>& values);
Bytes plain_int64(const std::vector<int64_t>& values);
Bytes plain_boolean(const std::vector<bool>& values);
// A length of 4 bytes in front of each value.
Bytes plain_byte_array(const std::vector<std::string_view>& values);
// Values of one length, without any prefix.
Bytes plain_fixed(const std::vector<std::string_view>& values);
// DELTA_BINARY_PACKED, in blocks of 128 values and 4 miniblocks; differences wrap around at `bits`,
// 32 or 64.
Bytes delta_binary_packed(const std::vector<int64_t>& values, int bits = 64);
// DELTA_LENGTH_BYTE_ARRAY.
Bytes delta_length_byte_array(const std::vector<std::string_view>& values);
// DELTA_BYTE_ARRAY: each value shares as many bytes as it can with the one before.
Bytes delta_byte_array(const std::vector<std::string_view>& values);
// The values of a PLAIN page, `width` bytes each, in the encoding BYTE_STREAM_SPLIT.
Bytes byte_stream_split(const Bytes& plain, int32_t width);

// ALP of float or double values, all vectors with one exponent and factor. Every other exception is
// put at the front, so that their positions do not rise, where `shuffled`.
template <typename T>
Bytes alp(const std::vector<T>& values, int exponent, int factor, int log_vector_values = 10,
          bool shuffled = false);

// Bits to hold numbers of 0 to `max_value`.
int bit_width_for(uint64_t max_value);

// Parts of the RLE/bit-packed hybrid: `count` times `value`, of ceil(bit_width / 8) bytes.
Bytes rle_run(uint64_t count, uint64_t value, int bit_width);
// Groups of eight; the last is filled up with zeros.
Bytes bit_packed_run(const std::vector<uint32_t>& values, int bit_width);
// A run for each stretch of eight or more equal values, bit-packed groups for the rest. Decodes to
// `values`, and perhaps up to seven zeros behind them.
Bytes hybrid(const std::vector<uint32_t>& values, int bit_width);

// Levels of a v1 page: their length in 4 bytes, then the hybrid. Nothing for max_level 0.
Bytes levels_v1(const std::vector<uint32_t>& levels, uint32_t max_level);
// Levels of a v2 page: the hybrid alone.
Bytes levels_v2(const std::vector<uint32_t>& levels, uint32_t max_level);
// Ids of a dictionary-encoded page: a byte of bit width, then the hybrid.
Bytes dictionary_ids(const std::vector<uint32_t>& ids, int bit_width);

// `bytes` compressed; codecs that are read only.
Bytes compressed(CompressionCodec codec, const Bytes& bytes);

}  // namespace colonnade::parquet::testing
