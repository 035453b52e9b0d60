// How fast pages of common shapes are decompressed, beside a copy of the same bytes. Bytes per
// second are those that come out.
#include <benchmark/benchmark.h>

#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "codec/codec.h"

namespace colonnade::codec {
namespace {

using Bytes = std::vector<uint8_t>;
constexpr size_t kPageBytes = size_t{1} << 20;

// Decimals of seven bytes, big endian, below 100,000.
Bytes decimals() {
  std::mt19937_64 random(1);
  Bytes bytes;
  while (bytes.size() + 7 <= kPageBytes) {
    const uint64_t value = random() % 10'000'000;
    for (int shift = 48; shift >= 0; shift -= 8)
      bytes.push_back(static_cast<uint8_t>(value >> shift));
  }
  return bytes;
}

// Strings of words, each behind its length of four bytes.
Bytes strings() {
  static constexpr std::string_view kWords[] = {"carefully ", "final ",   "deposits ", "sleep ",
                                                "furiously ", "express ", "accounts ", "the "};
  std::mt19937_64 random(2);
  Bytes bytes;
  while (bytes.size() + 64 <= kPageBytes) {
    std::string value;
    const size_t length = 10 + random() % 34;
    while (value.size() < length) value += kWords[random() % std::size(kWords)];
    value.resize(length);
    const uint32_t prefix = static_cast<uint32_t>(length);
    for (int shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<uint8_t>(prefix >> shift));
    bytes.insert(bytes.end(), value.begin(), value.end());
  }
  return bytes;
}

// What does not become smaller, such as indices into a large dictionary.
Bytes noise() {
  std::mt19937_64 random(3);
  Bytes bytes(kPageBytes);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

void decompress(benchmark::State& state, Codec codec, Bytes (*make)()) {
  const Bytes bytes = make();
  const CodecInfo& row = info(codec);
  Bytes in(static_cast<size_t>(row.max_compressed_bytes(static_cast<int64_t>(bytes.size()))));
  in.resize(static_cast<size_t>(row.compress(bytes, in, 0)));
  Bytes out(bytes.size());
  for (auto _ : state) {
    row.decompress(in, out);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * out.size()));
  state.counters["ratio"] = static_cast<double>(in.size()) / static_cast<double>(out.size());
}

void check(benchmark::State& state, Codec codec, Bytes (*make)()) {
  const Bytes bytes = make();
  const CodecInfo& row = info(codec);
  Bytes in(static_cast<size_t>(row.max_compressed_bytes(static_cast<int64_t>(bytes.size()))));
  in.resize(static_cast<size_t>(row.compress(bytes, in, 0)));
  const int64_t size_bytes = static_cast<int64_t>(bytes.size());
  for (auto _ : state) check_expansion(codec, in, size_bytes, size_bytes);
}

BENCHMARK_CAPTURE(decompress, copy, Codec::kNone, strings);
BENCHMARK_CAPTURE(decompress, snappy_strings, Codec::kSnappy, strings);
BENCHMARK_CAPTURE(decompress, snappy_decimals, Codec::kSnappy, decimals);
BENCHMARK_CAPTURE(decompress, snappy_noise, Codec::kSnappy, noise);
BENCHMARK_CAPTURE(decompress, zstd_strings, Codec::kZstd, strings);
BENCHMARK_CAPTURE(decompress, zstd_decimals, Codec::kZstd, decimals);
BENCHMARK_CAPTURE(decompress, zstd_noise, Codec::kZstd, noise);
BENCHMARK_CAPTURE(decompress, gzip_strings, Codec::kGzip, strings);
BENCHMARK_CAPTURE(decompress, gzip_decimals, Codec::kGzip, decimals);
BENCHMARK_CAPTURE(decompress, brotli_strings, Codec::kBrotli, strings);
BENCHMARK_CAPTURE(decompress, brotli_decimals, Codec::kBrotli, decimals);
BENCHMARK_CAPTURE(decompress, lz4_raw_strings, Codec::kLz4Raw, strings);
BENCHMARK_CAPTURE(decompress, lz4_raw_decimals, Codec::kLz4Raw, decimals);
BENCHMARK_CAPTURE(check, snappy_strings, Codec::kSnappy, strings);
BENCHMARK_CAPTURE(check, zstd_strings, Codec::kZstd, strings);

}  // namespace
}  // namespace colonnade::codec
