#include "codec/testing/decompression.h"

#include <gtest/gtest.h>

#include <colonnade/error.h>

namespace colonnade::codec::testing {

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::string decompressed(Codec codec, const Bytes& in, size_t size) {
  std::string out(size, '?');
  info(codec).decompress(in, {reinterpret_cast<uint8_t*>(out.data()), out.size()});
  return out;
}

std::string refusal(Codec codec, const Bytes& in, size_t size) {
  try {
    decompressed(codec, in, size);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
    return error.what();
  }
  return "";
}

}  // namespace colonnade::codec::testing
