// ALP (AlpEncoding.md): floating-point numbers as scaled integers, bit-packed over a least one in
// vectors that say their scale, with the numbers that this does not give back kept beside them.
#pragma once

#include <cstdint>
#include <span>

namespace colonnade::parquet {

// A value; refers to the bytes.
class AlpDecoder {
 public:
  AlpDecoder() = default;
  // Walks over all vectors, so that nothing is checked afterwards: kCorruptData where they are not
  // legal, are cut off, or do not hold num_values values; kNotSupported for compression modes and
  // integer encodings that the specification keeps for later. T of decode() is float for a
  // value_bytes of 4, double for 8. Behind `bytes`, readable_behind bytes may be read.
  void start(std::span<const uint8_t> bytes, int64_t num_values, int32_t value_bytes,
             int64_t readable_behind);

  // The next n values; n <= the values that are left.
  template <typename T>
  void decode(int64_t n, T* out) noexcept;
  void skip(int64_t n) noexcept { next_ += n; }

 private:
  const uint8_t* offsets_ = nullptr;  // of the vectors, counted from here; 4 bytes each
  const uint8_t* readable_end_ = nullptr;
  int64_t num_values_ = 0;
  int32_t log_vector_values_ = 0;
  bool is_sorted_ = true;  // the exceptions of every vector, by their positions
  int64_t next_ = 0;       // value of the page
};

}  // namespace colonnade::parquet
