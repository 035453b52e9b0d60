// Bytes to compress: of every kind that codecs treat differently.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace colonnade::codec::testing {

struct Sample {
  std::string name;
  std::vector<uint8_t> bytes;
};

// Random bytes, runs, repeated words and mixtures of them, of sizes around the codecs' borders.
std::vector<Sample> sample_bytes();

}  // namespace colonnade::codec::testing
