// File contents in which every byte tells where it stands.
#pragma once

#include <cstdint>
#include <string>

namespace colonnade::io::testing {

// Equal for equal offsets, different for shifted ones.
inline uint8_t byte_at(int64_t offset) {
  uint64_t x = static_cast<uint64_t>(offset) * 0x9E3779B97F4A7C15u;
  return static_cast<uint8_t>(x >> 56 ^ x >> 24);
}

inline std::string patterned_bytes(int64_t num_bytes) {
  std::string bytes(static_cast<size_t>(num_bytes), '\0');
  for (int64_t i = 0; i < num_bytes; ++i) {
    bytes[static_cast<size_t>(i)] = static_cast<char>(byte_at(i));
  }
  return bytes;
}

// Whether `bytes` are those from `offset` on.
template <typename Bytes>
bool are_bytes_at(int64_t offset, const Bytes& bytes) {
  for (int64_t i = 0; i < static_cast<int64_t>(bytes.size()); ++i) {
    if (static_cast<uint8_t>(bytes.data()[i]) != byte_at(offset + i)) return false;
  }
  return true;
}

}  // namespace colonnade::io::testing
