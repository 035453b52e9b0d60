// What every decoder is put through: its bytes cut short, and single bits turned over.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <colonnade/error.h>

#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet::testing {

// A copy on the heap of exactly these bytes, so that AddressSanitizer sees the first read beyond
// them.
class ExactBytes {
 public:
  explicit ExactBytes(std::span<const uint8_t> bytes)
      : bytes_(new uint8_t[bytes.size()]), size_(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), bytes_.get());
  }
  std::span<uint8_t> span() noexcept { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<uint8_t[]> bytes_;
  size_t size_;
};

// decode(span) gives a vector or throws Error. Of every prefix of `bytes` it must give what it
// gives of all of them, or kCorruptData; with any bit turned over anything but a crash, as long as
// it gives as many values.
template <typename Decode>
void expect_survives_damage(const Bytes& bytes, Decode&& decode) {
  const auto attempt =
      [&](std::span<const uint8_t> damaged) -> std::optional<decltype(decode(damaged))> {
    try {
      return decode(damaged);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorruptData) << error.what();
      return std::nullopt;
    }
  };
  ExactBytes whole(bytes);
  const auto values = decode(std::span<const uint8_t>(whole.span()));
  for (size_t size = 0; size < bytes.size(); ++size) {
    ExactBytes prefix(std::span<const uint8_t>(bytes).first(size));
    if (const auto got = attempt(prefix.span())) {
      EXPECT_EQ(*got, values) << "of " << size << " bytes";
    }
  }
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    ExactBytes flipped(bytes);
    flipped.span()[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    if (const auto got = attempt(flipped.span())) {
      EXPECT_EQ(got->size(), values.size()) << "bit " << bit;
    }
  }
}

}  // namespace colonnade::parquet::testing
