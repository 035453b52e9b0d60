// The decoders alone, over bytes that stay in the cache.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "parquet/encoding/bit_unpack.h"
#include "parquet/encoding/byte_stream_split.h"
#include "parquet/encoding/delta_binary_packed.h"
#include "parquet/encoding/delta_byte_array.h"
#include "parquet/encoding/delta_length_byte_array.h"
#include "parquet/encoding/dictionary_ids.h"
#include "parquet/encoding/plain_byte_array.h"
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

void BM_DictionaryIds(benchmark::State& state) {
  const int bit_width = static_cast<int>(state.range(0));
  // Ids are compared with the size where the bit width has room for more entries than there are.
  std::vector<uint32_t> ids = random_values(bit_width);
  const int64_t dictionary_size = (int64_t{1} << bit_width) - state.range(1);
  for (uint32_t& id : ids) id = std::min(id, static_cast<uint32_t>(dictionary_size - 1));
  const testing::Bytes bytes = testing::dictionary_ids(ids, bit_width);
  std::vector<uint32_t> out(kBlock);
  for (auto _ : state) {
    DictionaryIdDecoder decoder;
    decoder.start(bytes, kValues, dictionary_size);
    for (int64_t i = 0; i < kValues; i += kBlock) {
      decoder.decode(kBlock, out.data());
      benchmark::DoNotOptimize(out.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * kValues);
}
BENCHMARK(BM_DictionaryIds)
    ->ArgNames({"bit_width", "compared"})
    ->ArgsProduct({{1, 4, 6, 12, 17}, {0, 1}});

void BM_LevelBits(benchmark::State& state) {
  std::mt19937 random(1);
  std::vector<uint32_t> levels(kValues);
  for (uint32_t& level : levels) {
    level = static_cast<int64_t>(random() % 100) >= state.range(0) ? 1 : 0;
  }
  const testing::Bytes bytes = testing::hybrid(levels, 1);
  std::vector<uint8_t> bits(kValues / 8);
  for (auto _ : state) {
    RleBitsDecoder decoder;
    decoder.start(bytes, kValues);
    for (int64_t i = 0; i < kValues; i += kBlock) decoder.decode(kBlock, bits.data(), i);
    benchmark::DoNotOptimize(bits.data());
  }
  state.SetItemsProcessed(state.iterations() * kValues);
}
BENCHMARK(BM_LevelBits)->ArgName("nulls_percent")->Arg(0)->Arg(1)->Arg(50);

void BM_PlainByteArray(benchmark::State& state) {
  const std::string value(static_cast<size_t>(state.range(0)), 'x');
  const testing::Bytes bytes =
      testing::plain_byte_array(std::vector<std::string_view>(kValues, value));
  std::vector<ByteSlice> slices(kBlock);
  for (auto _ : state) {
    PlainByteArrayDecoder decoder;
    decoder.start(bytes, kValues);
    for (int64_t i = 0; i < kValues; i += kBlock) {
      benchmark::DoNotOptimize(decoder.decode(kBlock, slices.data()));
    }
  }
  state.SetItemsProcessed(state.iterations() * kValues);
}
BENCHMARK(BM_PlainByteArray)->Arg(1)->Arg(10)->Arg(27);

void BM_ByteStreamSplit(benchmark::State& state) {
  const auto width = static_cast<int32_t>(state.range(0));
  testing::Bytes bytes(static_cast<size_t>(kValues * width));
  std::mt19937 random(1);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  testing::Bytes out(static_cast<size_t>(kBlock * width));
  for (auto _ : state) {
    ByteStreamSplitDecoder decoder;
    decoder.start(bytes, kValues, width);
    for (int64_t i = 0; i < kValues; i += kBlock) {
      decoder.decode(kBlock, out.data());
      benchmark::DoNotOptimize(out.data());
      benchmark::ClobberMemory();
    }
  }
  state.SetItemsProcessed(state.iterations() * kValues);
}
BENCHMARK(BM_ByteStreamSplit)->Arg(2)->Arg(4)->Arg(8)->Arg(16);

template <typename T>
void BM_DeltaBinaryPacked(benchmark::State& state) {
  std::mt19937_64 random(1);
  std::vector<int64_t> values(kValues);
  for (int64_t& value : values) value = static_cast<int64_t>(random() >> (64 - state.range(0)));
  const testing::Bytes bytes = testing::delta_binary_packed(values);
  std::vector<T> out(kBlock);
  for (auto _ : state) {
    DeltaBinaryPackedDecoder decoder;
    decoder.start(bytes, kValues, 0);
    for (int64_t i = 0; i < kValues; i += kBlock) {
      if (state.range(1) != 0) {
        decoder.skip(kBlock);
      } else {
        decoder.decode(kBlock, out.data());
      }
      benchmark::DoNotOptimize(out.data());
      benchmark::ClobberMemory();
    }
  }
  state.SetItemsProcessed(state.iterations() * kValues);
}
BENCHMARK(BM_DeltaBinaryPacked<uint32_t>)
    ->ArgNames({"bits", "skip"})
    ->ArgsProduct({{1, 7, 17}, {0, 1}});
BENCHMARK(BM_DeltaBinaryPacked<uint64_t>)
    ->ArgNames({"bits", "skip"})
    ->ArgsProduct({{7, 40}, {0, 1}});

void BM_DeltaLengthByteArray(benchmark::State& state) {
  const std::string value(static_cast<size_t>(state.range(0)), 'x');
  const testing::Bytes bytes =
      testing::delta_length_byte_array(std::vector<std::string_view>(kValues, value));
  std::vector<ByteSlice> slices(kBlock);
  for (auto _ : state) {
    DeltaLengthByteArrayDecoder decoder;
    decoder.start(bytes, kValues, 0);
    for (int64_t i = 0; i < kValues; i += kBlock) {
      benchmark::DoNotOptimize(state.range(1) != 0 ? decoder.skip(kBlock)
                                                   : decoder.decode(kBlock, slices.data()));
    }
  }
  state.SetItemsProcessed(state.iterations() * kValues);
}
BENCHMARK(BM_DeltaLengthByteArray)->ArgNames({"length", "skip"})->ArgsProduct({{1, 27}, {0, 1}});

void BM_DeltaByteArray(benchmark::State& state) {
  std::vector<std::string> texts;
  for (int64_t i = 0; i < kValues; ++i) texts.push_back("a common beginning " + std::to_string(i));
  const testing::Bytes bytes = testing::delta_byte_array({texts.begin(), texts.end()});
  std::vector<DeltaByteArrayPiece> pieces(kBlock);
  testing::Bytes out(kBlock * 32);
  const testing::Bytes previous(32);  // any bytes: only the time counts here
  for (auto _ : state) {
    DeltaByteArrayDecoder decoder;
    decoder.start(bytes, kValues, 0);
    for (int64_t i = 0; i < kValues; i += kBlock) {
      decoder.decode(kBlock, pieces.data());
      decoder.build(pieces.data(), kBlock, previous.data(), out.data());
      benchmark::DoNotOptimize(out.data());
      benchmark::ClobberMemory();
    }
  }
  state.SetItemsProcessed(state.iterations() * kValues);
}
BENCHMARK(BM_DeltaByteArray);

}  // namespace
}  // namespace colonnade::parquet
