// The decoders alone, over bytes that stay in the cache.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include <colonnade/context.h>

#include "parquet/encoding/alp.h"
#include "parquet/encoding/bit_unpack.h"
#include "parquet/encoding/byte_stream_split.h"
#include "parquet/encoding/delta_binary_packed.h"
#include "parquet/encoding/delta_byte_array.h"
#include "parquet/encoding/delta_length_byte_array.h"
#include "parquet/encoding/dictionary_ids.h"
#include "parquet/encoding/level_decoder.h"
#include "parquet/encoding/plain_boolean.h"
#include "parquet/encoding/plain_byte_array.h"
#include "parquet/encoding/plain_fixed.h"
#include "parquet/encoding/rle_bits.h"
#include "parquet/testing/page_bytes.h"

namespace colonnade::parquet {
namespace {

constexpr int64_t kValues = 1 << 14;
constexpr int64_t kBlock = 2048;

std::vector<uint32_t> random_values(int bit_width) {
  std::mt19937 random(1);
  std::vector<uint32_t> values(kValues);
  for (uint32_t& value : values) value = static_cast<uint32_t>(random()) >> (32 - bit_width);
  return values;
}

void BM_BitUnpack(benchmark::State& state) {
  const int bit_width = static_cast<int>(state.range(0));
  testing::Bytes bytes = testing::bit_packed_run(random_values(bit_width), bit_width);
  bytes.resize(bytes.size() + kUnpackOverread);
  const UnpackFunction unpack = unpack_function(bit_width);
  std::vector<uint32_t> out(kUnpackBlock);
  for (auto _ : state) {
    for (int64_t i = 0; i < kValues; i += kUnpackBlock) {
      unpack(bytes.data() + i / 8 * bit_width, out.data());
      benchmark::DoNotOptimize(out.data());
      benchmark::ClobberMemory();
    }
  }
  state.SetItemsProcessed(state.iterations() * kValues);
}
BENCHMARK(BM_BitUnpack)->DenseRange(1, 32);

// One page again and again, in blocks of kBlock values: decoded, or skipped in one go where the
// second argument says so.
template <typename Decoder, typename Start, typename Decode, typename Skip>
void pass_pages(benchmark::State& state, Start&& start, Decode&& decode, Skip&& skip) {
  for (auto _ : state) {
    Decoder decoder;
    start(decoder);
    if (state.range(1) != 0) {
      skip(decoder, kValues);
      benchmark::DoNotOptimize(&decoder);
    } else {
      for (int64_t i = 0; i < kValues; i += kBlock) decode(decoder, i);
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kValues);
}
// The same for decoders whose skip() takes the number of values alone.
template <typename Decoder, typename Start, typename Decode>
void pass_pages(benchmark::State& state, Start&& start, Decode&& decode) {
  pass_pages<Decoder>(state, start, decode, [](Decoder& decoder, int64_t n) { decoder.skip(n); });
}

void arguments(benchmark::internal::Benchmark* benchmark, const char* name,
               const std::vector<int64_t>& values) {
  benchmark->ArgNames({name, "skip"})->ArgsProduct({values, {0, 1}});
}

testing::Bytes random_bytes(int64_t size) {
  std::mt19937 random(1);
  testing::Bytes bytes(static_cast<size_t>(size));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

void BM_PlainFixed(benchmark::State& state) {
  const auto width = static_cast<int32_t>(state.range(0));
  const testing::Bytes bytes = random_bytes(kValues * width);
  testing::Bytes out(static_cast<size_t>(kBlock * width));
  pass_pages<PlainFixedDecoder>(
      state, [&](auto& decoder) { decoder.start(bytes, kValues, width); },
      [&](auto& decoder, int64_t) {
        decoder.decode(kBlock, out.data());
        benchmark::DoNotOptimize(out.data());
      });
}
BENCHMARK(BM_PlainFixed)->Apply([](auto* b) { arguments(b, "width", {4, 8, 16}); });

void BM_PlainBoolean(benchmark::State& state) {
  const testing::Bytes bytes = random_bytes(kValues / 8);
  testing::Bytes out(kValues / 8);
  pass_pages<PlainBooleanDecoder>(
      state, [&](auto& decoder) { decoder.start(bytes, kValues); },
      [&](auto& decoder, int64_t i) { decoder.decode(kBlock, out.data(), i); });
}
BENCHMARK(BM_PlainBoolean)->Apply([](auto* b) { arguments(b, "width", {1}); });

// Ids are compared with the dictionary's size where the bit width has room for more entries.
void dictionary_ids(benchmark::State& state, int64_t fewer_entries) {
  const int bit_width = static_cast<int>(state.range(0));
  std::vector<uint32_t> ids = random_values(bit_width);
  const int64_t dictionary_size = (int64_t{1} << bit_width) - fewer_entries;
  for (uint32_t& id : ids) id = std::min(id, static_cast<uint32_t>(dictionary_size - 1));
  const testing::Bytes bytes = testing::dictionary_ids(ids, bit_width);
  std::vector<uint32_t> out(kBlock);
  pass_pages<DictionaryIdDecoder>(
      state, [&](auto& decoder) { decoder.start(bytes, kValues, dictionary_size); },
      [&](auto& decoder, int64_t) {
        decoder.decode(kBlock, out.data());
        benchmark::DoNotOptimize(out.data());
      });
}
void BM_DictionaryIds(benchmark::State& state) { dictionary_ids(state, 0); }
void BM_DictionaryIdsCompared(benchmark::State& state) { dictionary_ids(state, 1); }
BENCHMARK(BM_DictionaryIds)->Apply([](auto* b) { arguments(b, "bits", {1, 4, 6, 12, 17}); });
BENCHMARK(BM_DictionaryIdsCompared)->Apply([](auto* b) { arguments(b, "bits", {4, 17}); });

void BM_RleBits(benchmark::State& state) {
  std::mt19937 random(1);
  std::vector<uint32_t> levels(kValues);
  for (uint32_t& level : levels) {
    level = static_cast<int64_t>(random() % 100) >= state.range(0) ? 1 : 0;
  }
  const testing::Bytes bytes = testing::hybrid(levels, 1);
  std::vector<uint8_t> bits(kValues / 8);
  pass_pages<RleBitsDecoder>(
      state, [&](auto& decoder) { decoder.start(bytes, kValues); },
      [&](auto& decoder, int64_t i) { decoder.decode(kBlock, bits.data(), i); });
}
BENCHMARK(BM_RleBits)->Apply([](auto* b) { arguments(b, "nulls_percent", {0, 1, 50}); });

// Levels of nested columns, which are passed by counting them.
void levels(benchmark::State& state, EncodingId encoding) {
  const auto max_level = static_cast<uint8_t>(state.range(0));
  std::mt19937 random(1);
  std::vector<uint32_t> values(kValues);
  for (uint32_t& level : values) level = static_cast<uint32_t>(random() % (max_level + 1U));
  // Random bits are legal bit-packed levels of 2^n - 1.
  const testing::Bytes bytes = encoding == EncodingId::kRle
                                   ? testing::levels_v2(values, max_level)
                                   : random_bytes(kValues * level_bit_width(max_level) / 8);
  std::vector<uint8_t> out(kBlock);
  pass_pages<LevelDecoder>(
      state, [&](auto& decoder) { decoder.start(bytes, encoding, max_level, kValues); },
      [&](auto& decoder, int64_t) {
        decoder.decode(kBlock, out.data());
        benchmark::DoNotOptimize(out.data());
      },
      [&](auto& decoder, int64_t n) { benchmark::DoNotOptimize(decoder.count(n, max_level)); });
}
void BM_LevelsRle(benchmark::State& state) { levels(state, EncodingId::kRle); }
void BM_LevelsBitPacked(benchmark::State& state) { levels(state, EncodingId::kBitPacked); }
BENCHMARK(BM_LevelsRle)->Apply([](auto* b) { arguments(b, "max_level", {1, 3}); });
BENCHMARK(BM_LevelsBitPacked)->Apply([](auto* b) { arguments(b, "max_level", {1, 3}); });

void BM_PlainByteArray(benchmark::State& state) {
  const std::string value(static_cast<size_t>(state.range(0)), 'x');
  const testing::Bytes bytes =
      testing::plain_byte_array(std::vector<std::string_view>(kValues, value));
  std::vector<ByteSlice> slices(kBlock);
  pass_pages<PlainByteArrayDecoder>(
      state, [&](auto& decoder) { decoder.start(bytes, kValues); },
      [&](auto& decoder, int64_t) {
        benchmark::DoNotOptimize(decoder.decode(kBlock, slices.data()));
      });
}
BENCHMARK(BM_PlainByteArray)->Apply([](auto* b) { arguments(b, "length", {1, 10, 27}); });

void BM_ByteStreamSplit(benchmark::State& state) {
  const auto width = static_cast<int32_t>(state.range(0));
  const testing::Bytes bytes = random_bytes(kValues * width);
  testing::Bytes out(static_cast<size_t>(kBlock * width));
  pass_pages<ByteStreamSplitDecoder>(
      state, [&](auto& decoder) { decoder.start(bytes, kValues, width); },
      [&](auto& decoder, int64_t) {
        decoder.decode(kBlock, out.data());
        benchmark::DoNotOptimize(out.data());
      });
}
BENCHMARK(BM_ByteStreamSplit)->Apply([](auto* b) { arguments(b, "width", {2, 4, 8, 16}); });

// Prices; some are exceptions, which no scale gives back.
template <typename T>
void BM_Alp(benchmark::State& state) {
  std::mt19937 random(1);
  std::vector<T> values;
  for (int64_t i = 0; i < kValues; ++i) {
    const bool is_exception = static_cast<int64_t>(random() % 100) < state.range(0);
    const T price = static_cast<T>(random() % 1000000) / T{100};
    values.push_back(is_exception ? price / T{3} : price);
  }
  const testing::Bytes bytes = testing::alp(values, 2, 0);
  std::vector<T> out(kBlock);
  pass_pages<AlpDecoder>(
      state, [&](auto& decoder) { decoder.start(bytes, kValues, sizeof(T), 0); },
      [&](auto& decoder, int64_t) {
        decoder.decode(kBlock, out.data());
        benchmark::DoNotOptimize(out.data());
      });
}
BENCHMARK(BM_Alp<float>)->Apply([](auto* b) { arguments(b, "exceptions_percent", {0, 10}); });
BENCHMARK(BM_Alp<double>)->Apply([](auto* b) { arguments(b, "exceptions_percent", {0, 10}); });

template <typename T>
void BM_DeltaBinaryPacked(benchmark::State& state) {
  std::mt19937_64 random(1);
  std::vector<int64_t> values(kValues);
  for (int64_t& value : values) value = static_cast<int64_t>(random() >> (64 - state.range(0)));
  const testing::Bytes bytes = testing::delta_binary_packed(values);
  std::vector<T> out(kBlock);
  pass_pages<DeltaBinaryPackedDecoder>(
      state, [&](auto& decoder) { decoder.start(bytes, kValues, 0); },
      [&](auto& decoder, int64_t) {
        decoder.decode(kBlock, out.data());
        benchmark::DoNotOptimize(out.data());
      });
}
BENCHMARK(BM_DeltaBinaryPacked<uint32_t>)->Apply([](auto* b) { arguments(b, "bits", {1, 7, 17}); });
BENCHMARK(BM_DeltaBinaryPacked<uint64_t>)->Apply([](auto* b) { arguments(b, "bits", {7, 40}); });

void BM_DeltaLengthByteArray(benchmark::State& state) {
  const std::string value(static_cast<size_t>(state.range(0)), 'x');
  const testing::Bytes bytes =
      testing::delta_length_byte_array(std::vector<std::string_view>(kValues, value));
  std::vector<ByteSlice> slices(kBlock);
  pass_pages<DeltaLengthByteArrayDecoder>(
      state, [&](auto& decoder) { decoder.start(bytes, kValues, 0); },
      [&](auto& decoder, int64_t) {
        benchmark::DoNotOptimize(decoder.decode(kBlock, slices.data()));
      });
}
BENCHMARK(BM_DeltaLengthByteArray)->Apply([](auto* b) { arguments(b, "length", {1, 27}); });

void BM_DeltaByteArray(benchmark::State& state) {
  std::vector<std::string> texts;
  const std::string beginning(static_cast<size_t>(state.range(0)), 'x');
  for (int64_t i = 0; i < kValues; ++i) texts.push_back(beginning + std::to_string(i));
  const testing::Bytes bytes = testing::delta_byte_array({texts.begin(), texts.end()});
  std::vector<DeltaByteArrayPiece> pieces(kBlock);
  testing::Bytes out(static_cast<size_t>(kBlock * (state.range(0) + 8)));
  const testing::Bytes previous(out.size());  // any bytes: only the time counts here
  const Context context;
  pass_pages<DeltaByteArrayDecoder>(
      state, [&](auto& decoder) { decoder.start(bytes, kValues, 0); },
      [&](auto& decoder, int64_t) {
        decoder.decode(kBlock, pieces.data());
        decoder.build(pieces.data(), kBlock, previous.data(), out.data());
        benchmark::DoNotOptimize(out.data());
      },
      [&](auto& decoder, int64_t n) {
        benchmark::DoNotOptimize(decoder.skip(context, n, Buffer()));
      });
}
BENCHMARK(BM_DeltaByteArray)->Apply([](auto* b) { arguments(b, "shared_length", {2, 19}); });

}  // namespace
}  // namespace colonnade::parquet
