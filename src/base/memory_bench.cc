// What an allocation costs, recycled and fresh, and a reservation through a tree.
#include <benchmark/benchmark.h>

#include <colonnade/memory.h>

namespace colonnade {
namespace {

void AllocateRecycled(benchmark::State& state) {
  static const auto root = MemoryPool::make_root("root");
  const auto pool = root->child("scan")->child("decode");
  const int64_t size = state.range(0);
  for (auto _ : state) {
    MutableBuffer buffer = pool->allocate(size);
    benchmark::DoNotOptimize(buffer.data());
  }
}
BENCHMARK(AllocateRecycled)->Arg(64)->Arg(64 << 10)->Arg(4 << 20)->Threads(1)->Threads(2);

void AllocateRecycledAndFreeze(benchmark::State& state) {
  const auto pool = MemoryPool::make_root("root")->child("scan");
  for (auto _ : state) {
    MutableBuffer buffer = pool->allocate(state.range(0));
    const Buffer frozen = std::move(buffer).freeze();
    benchmark::DoNotOptimize(frozen.data());
  }
}
BENCHMARK(AllocateRecycledAndFreeze)->Arg(64 << 10);

// Not kept in free lists, and every page touched.
void AllocateFreshAndTouch(benchmark::State& state) {
  MemoryOptions options;
  options.max_cached_bytes = 0;
  const auto pool = MemoryPool::make_root("root", options);
  const int64_t size = state.range(0);
  for (auto _ : state) {
    MutableBuffer buffer = pool->allocate(size);
    for (int64_t i = 0; i < size; i += 4096) buffer.data()[i] = 1;
    benchmark::DoNotOptimize(buffer.data());
  }
  state.SetBytesProcessed(state.iterations() * size);
}
BENCHMARK(AllocateFreshAndTouch)->Arg(64 << 10)->Arg(4 << 20)->Arg(64 << 20);

void ReserveAndRelease(benchmark::State& state) {
  static const auto root = MemoryPool::make_root("root");
  const auto pool = root->child("scan")->child("decode");
  pool->reserve(1, "keeps what is held in advance");
  for (auto _ : state) {
    benchmark::DoNotOptimize(pool->try_reserve(1000));
    pool->release(1000);
  }
  pool->release(1);
}
BENCHMARK(ReserveAndRelease)->Threads(1)->Threads(2);

}  // namespace
}  // namespace colonnade
