// What a codec makes of bytes, as text.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "codec/codec.h"

namespace colonnade::codec::testing {

using Bytes = std::vector<uint8_t>;

Bytes joined(std::initializer_list<Bytes> parts);

// The `size` bytes that `in` is to hold.
std::string decompressed(Codec codec, const Bytes& in, size_t size);
// The message of the kCorruptData that this fails with; empty where it does not fail.
std::string refusal(Codec codec, const Bytes& in, size_t size);

}  // namespace colonnade::codec::testing
