#include "parquet/encoding/alp.h"

#include <algorithm>
#include <cstring>

#include "base/cursor.h"
#include "base/fail.h"
#include "parquet/encoding/bit_unpack.h"

namespace colonnade::parquet {
namespace {

// AlpEncoding.md, "Encoding Formula": the nearest numbers to these literals, and no others.
template <typename T>
struct Powers;
template <>
struct Powers<double> {
  using Integer = int64_t;
  static constexpr int32_t kMaxExponent = 18;
  static constexpr double kUp[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                   1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
  static constexpr double kDown[] = {1e-0,  1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,
                                     1e-7,  1e-8,  1e-9,  1e-10, 1e-11, 1e-12, 1e-13,
                                     1e-14, 1e-15, 1e-16, 1e-17, 1e-18};
};
template <>
struct Powers<float> {
  using Integer = int32_t;
  static constexpr int32_t kMaxExponent = 10;
  static constexpr float kUp[] = {1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F,
                                  1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
  static constexpr float kDown[] = {1e-0F, 1e-1F, 1e-2F, 1e-3F, 1e-4F, 1e-5F,
                                    1e-6F, 1e-7F, 1e-8F, 1e-9F, 1e-10F};
};

// A vector's parts, in their order in the file: AlpInfo, ForInfo, PackedValues, ExceptionPositions,
// ExceptionValues.
struct Vector {
  uint8_t exponent = 0;
  uint8_t factor = 0;
  uint16_t num_exceptions = 0;
  int64_t least = 0;
  uint8_t bit_width = 0;
  const uint8_t* packed = nullptr;
  const uint8_t* positions = nullptr;
  const uint8_t* exceptions = nullptr;
};

// `read<T>(what)` gives the next number of a cursor.
template <typename Read>
Vector read_header(int32_t value_bytes, Read&& read) {
  Vector vector;
  vector.exponent = read.template operator()<uint8_t>("exponent of an ALP vector");
  vector.factor = read.template operator()<uint8_t>("factor of an ALP vector");
  vector.num_exceptions = read.template operator()<uint16_t>("number of ALP exceptions");
  vector.least = value_bytes == sizeof(float)
                     ? read.template operator()<int32_t>("frame of reference of an ALP vector")
                     : read.template operator()<int64_t>("frame of reference of an ALP vector");
  vector.bit_width = read.template operator()<uint8_t>("bit width of an ALP vector");
  return vector;
}

int64_t packed_bytes(const Vector& vector, int64_t num_values) noexcept {
  return (num_values * vector.bit_width + 7) / 8;
}

uint16_t position_at(const uint8_t* positions, int64_t index) noexcept {
  uint16_t position;
  std::memcpy(&position, positions + index * int64_t{sizeof(position)}, sizeof(position));
  return position;
}

// The vector at `cursor`, whose exceptions lie within its num_values values; *is_sorted becomes
// false where their positions do not rise.
void check_vector(CheckedCursor& cursor, int64_t num_values, int32_t value_bytes, bool* is_sorted) {
  const Vector vector = read_header(
      value_bytes, [&cursor]<typename T>(const char* what) { return cursor.read<T>(what); });
  const int32_t max_exponent =
      value_bytes == sizeof(float) ? Powers<float>::kMaxExponent : Powers<double>::kMaxExponent;
  if (vector.exponent > max_exponent || vector.factor > vector.exponent ||
      vector.bit_width > 8 * value_bytes || vector.num_exceptions > num_values) {
    fail(ErrorCode::kCorruptData, "impossible ALP vector",
         "{} values of {} bits, exponent {}, factor {}, {} exceptions", num_values,
         vector.bit_width, vector.exponent, vector.factor, vector.num_exceptions);
  }
  cursor.skip(packed_bytes(vector, num_values), "packed values of an ALP vector");
  const uint8_t* const positions =
      cursor.take(int64_t{sizeof(uint16_t)} * vector.num_exceptions, "positions of ALP exceptions")
          .data();
  for (int64_t i = 0; i < vector.num_exceptions; ++i) {
    const int64_t position = position_at(positions, i);
    if (position >= num_values) {
      fail(ErrorCode::kCorruptData, "ALP exception behind its vector", "position {} of {} values",
           position, num_values);
    }
    if (i > 0 && position <= position_at(positions, i - 1)) *is_sorted = false;
  }
  cursor.skip(int64_t{value_bytes} * vector.num_exceptions, "values of ALP exceptions");
}

// A vector that was checked.
Vector open_vector(const uint8_t* begin, int64_t num_values, int32_t value_bytes) noexcept {
  RawCursor cursor(begin);
  Vector vector =
      read_header(value_bytes, [&cursor]<typename T>(const char*) { return cursor.read<T>(); });
  vector.packed = cursor.data();
  vector.positions = vector.packed + packed_bytes(vector, num_values);
  vector.exceptions = vector.positions + int64_t{sizeof(uint16_t)} * vector.num_exceptions;
  return vector;
}

// Values begin to end of a vector, as if none of them were an exception.
template <typename T>
void decode_packed(const Vector& vector, int64_t begin, int64_t end, const uint8_t* readable_end,
                   T* out) noexcept {
  const T up = Powers<T>::kUp[vector.factor];
  const T down = Powers<T>::kDown[vector.exponent];
  for (int64_t block = begin / kUnpackBlock * kUnpackBlock; block < end; block += kUnpackBlock) {
    uint64_t deltas[kUnpackBlock];
    unpack_block(vector.packed + block / 8 * vector.bit_width, readable_end, vector.bit_width,
                 deltas);
    const int64_t block_end = std::min(end, block + kUnpackBlock);
    for (int64_t i = std::max(begin, block); i < block_end; ++i) {
      const uint64_t integer = deltas[i - block] + static_cast<uint64_t>(vector.least);
      // Two products, as the specification says: one by 10^(factor - exponent) rounds otherwise.
      out[i - begin] =
          static_cast<T>(static_cast<typename Powers<T>::Integer>(integer)) * up * down;
    }
  }
}

// Puts in the exceptions among values begin to end. Of two at one position the last counts, as if
// they had been written in turn.
template <typename T>
void patch(const Vector& vector, int64_t begin, int64_t end, bool is_sorted, T* out) noexcept {
  int64_t i = 0;
  if (is_sorted) {  // the first that is not before `begin`
    for (int64_t count = vector.num_exceptions; count > 0;) {
      const int64_t half = count / 2;
      const bool is_before = position_at(vector.positions, i + half) < begin;
      i += is_before ? half + 1 : 0;
      count = is_before ? count - half - 1 : half;
    }
  }
  for (; i < vector.num_exceptions; ++i) {
    const int64_t position = position_at(vector.positions, i);
    if (position >= begin && position < end) {
      std::memcpy(out + position - begin, vector.exceptions + i * int64_t{sizeof(T)}, sizeof(T));
    } else if (is_sorted) {
      return;
    }
  }
}

}  // namespace

void AlpDecoder::start(std::span<const uint8_t> bytes, int64_t num_values, int32_t value_bytes,
                       int64_t readable_behind) {
  *this = {};
  if (num_values == 0) return;  // pages of nulls alone may have no bytes at all
  CheckedCursor header(bytes);
  const auto mode = header.read<uint8_t>("compression mode of ALP");
  const auto integers = header.read<uint8_t>("integer encoding of ALP");
  if (mode != 0 || integers != 0) {
    fail(ErrorCode::kNotSupported, "an ALP page of a kind that is not read",
         "compression mode {}, integer encoding {}", mode, integers);
  }
  log_vector_values_ = header.read<uint8_t>("vector size of ALP");
  if (log_vector_values_ < 3 || log_vector_values_ > 15) {
    fail(ErrorCode::kCorruptData, "impossible size of ALP vectors", "2^{} values",
         log_vector_values_);
  }
  num_values_ = header.read<int32_t>("number of ALP values");
  if (num_values_ != num_values) {
    fail(ErrorCode::kCorruptData, "page of another number of values than its header says",
         "{} ALP values, {} by the page's header", num_values_, num_values);
  }
  const int64_t vector_values = int64_t{1} << log_vector_values_;
  const int64_t num_vectors = (num_values + vector_values - 1) / vector_values;
  // Offsets count from their own begin.
  CheckedCursor cursor(bytes.subspan(static_cast<size_t>(header.position())));
  offsets_ = cursor.data();
  cursor.skip(num_vectors * int64_t{sizeof(uint32_t)}, "offsets of ALP vectors");
  RawCursor offsets(offsets_);
  for (int64_t i = 0; i < num_vectors; ++i) {
    const int64_t offset = offsets.read<uint32_t>();
    if (offset != cursor.position()) {
      fail(ErrorCode::kCorruptData, "ALP vector not behind the one before",
           "vector {} at {}, expected at {}", i, offset, cursor.position());
    }
    check_vector(cursor, std::min(vector_values, num_values - i * vector_values), value_bytes,
                 &is_sorted_);
  }
  readable_end_ = bytes.data() + bytes.size() + readable_behind;
}

template <typename T>
void AlpDecoder::decode(int64_t n, T* out) noexcept {
  const int64_t vector_values = int64_t{1} << log_vector_values_;
  while (n > 0) {
    const int64_t index = next_ >> log_vector_values_;
    const int64_t values_before = index << log_vector_values_;
    const int64_t begin = next_ - values_before;
    const int64_t end = std::min(begin + n, vector_values);
    uint32_t offset;
    std::memcpy(&offset, offsets_ + index * int64_t{sizeof(offset)}, sizeof(offset));
    const Vector vector = open_vector(
        offsets_ + offset, std::min(vector_values, num_values_ - values_before), sizeof(T));
    decode_packed(vector, begin, end, readable_end_, out);
    patch(vector, begin, end, is_sorted_, out);
    out += end - begin;
    n -= end - begin;
    next_ += end - begin;
  }
}

template void AlpDecoder::decode(int64_t n, float* out) noexcept;
template void AlpDecoder::decode(int64_t n, double* out) noexcept;

}  // namespace colonnade::parquet
