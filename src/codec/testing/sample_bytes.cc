#include "codec/testing/sample_bytes.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <string_view>

namespace colonnade::codec::testing {
namespace {

std::vector<uint8_t> random_bytes(size_t num_bytes, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint8_t> bytes(num_bytes);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

std::vector<uint8_t> words(size_t num_bytes, uint64_t seed) {
  static constexpr std::string_view kWords[] = {"carefully ",  "final ", "deposits ", "sleep ",
                                                "furiously. ", "among ", "the "};
  std::mt19937_64 random(seed);
  std::vector<uint8_t> bytes;
  while (bytes.size() < num_bytes) {
    const std::string_view word = kWords[random() % std::size(kWords)];
    bytes.insert(bytes.end(), word.begin(), word.end());
  }
  bytes.resize(num_bytes);
  return bytes;
}

}  // namespace

std::vector<Sample> sample_bytes() {
  std::vector<Sample> samples;
  for (const size_t size : {1u, 2u, 15u, 63u, 64u, 65u, 1000u, 65535u, 65536u, 65537u, 300000u}) {
    const std::string suffix = " " + std::to_string(size);
    samples.push_back({"random" + suffix, random_bytes(size, size)});
    samples.push_back({"zeros" + suffix, std::vector<uint8_t>(size, 0)});
    samples.push_back({"words" + suffix, words(size, size)});
    std::vector<uint8_t> mixed = random_bytes(size, size + 1);
    const std::vector<uint8_t> text = words(size / 2, size);
    std::copy(text.begin(), text.end(), mixed.begin() + static_cast<ptrdiff_t>(size / 4));
    samples.push_back({"mixed" + suffix, std::move(mixed)});
  }
  return samples;
}

}  // namespace colonnade::codec::testing
