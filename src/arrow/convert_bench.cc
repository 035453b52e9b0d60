// What an export costs beyond sharing buffers: decimals widened, dictionaries of strings gathered.
#include <benchmark/benchmark.h>
#include <colonnade/arrow.h>

#include <string>
#include <utility>

#include "column/builder.h"
#include "column/testing/random_column.h"

namespace colonnade::arrow {
namespace {

constexpr int64_t kRows = 8192;

ColumnPtr decimals(int32_t precision, double null_fraction) {
  colonnade::testing::RandomColumns random(Context(), 1);
  return random.make(DataType::decimal(precision, 2), kRows, {null_fraction});
}

void convert(benchmark::State& state, const Field& field, const ColumnPtr& column, int64_t bytes) {
  const Context context;
  for (auto _ : state) benchmark::DoNotOptimize(convert_to_form(context, field, column));
  state.SetItemsProcessed(state.iterations() * kRows);
  state.SetBytesProcessed(state.iterations() * bytes);
}

// range(0): digits; range(1): nulls in percent.
void WidenDecimalsTo16Bytes(benchmark::State& state) {
  const ColumnPtr column =
      decimals(static_cast<int32_t>(state.range(0)), static_cast<double>(state.range(1)) / 100);
  convert(state, {"d", column->type()}, column, kRows * (16 + column->byte_width()));
}
BENCHMARK(WidenDecimalsTo16Bytes)->Args({9, 0})->Args({15, 0})->Args({15, 10});

// range(0): values in the dictionary; range(1): bytes of each; range(2): nulls in percent.
ColumnPtr dictionary_of_strings(benchmark::State& state) {
  const Context context;
  colonnade::testing::RandomColumns random(context, 2);
  ColumnBuilder values(context, DataType(TypeId::kString));
  for (int64_t i = 0; i < state.range(0); ++i) {
    values.append_bytes(
        std::string(1 + random.below(2 * static_cast<uint64_t>(state.range(1)) - 1), 'x'));
  }
  ColumnBuilder ids(context, DataType(TypeId::kInt32));
  for (int64_t i = 0; i < kRows; ++i) {
    if (random.chance(static_cast<double>(state.range(2)) / 100)) {
      ids.append_null();
    } else {
      ids.append(static_cast<int32_t>(random.below(static_cast<uint64_t>(state.range(0)))));
    }
  }
  ColumnParts parts = ids.finish()->parts();
  parts.type = DataType(TypeId::kString);
  parts.storage = Storage::kOffsets32;
  parts.byte_width = 0;
  parts.encoding = Encoding::kDictionary;
  parts.dictionary = Dictionary::make(values.finish(), false, false);
  return Column::make(std::move(parts));
}

void GatherStrings(benchmark::State& state) {
  const ColumnPtr column = dictionary_of_strings(state);
  convert(state, {"s", column->type()}, column, kRows * (8 + state.range(1)));
}
BENCHMARK(GatherStrings)
    ->Args({7, 6, 0})
    ->Args({7, 6, 10})
    ->Args({2000, 10, 0})
    ->Args({2000, 40, 0});

void GatherViews(benchmark::State& state) {
  const ColumnPtr column = dictionary_of_strings(state);
  convert(state, {"s", column->type(), true, {}, Form::kViews}, column, kRows * 20);
}
BENCHMARK(GatherViews)->Args({7, 6, 0})->Args({2000, 40, 0});

void UnifyStrings(benchmark::State& state) {
  const Context context;
  const ColumnPtr flat =
      convert_to_form(context, {"s", DataType(TypeId::kString)}, dictionary_of_strings(state));
  convert(state, {"s", flat->type(), true, {}, Form::kDefault, true}, flat,
          kRows * (4 + state.range(1)));
}
BENCHMARK(UnifyStrings)->Args({7, 6, 0})->Args({2000, 10, 0});

}  // namespace
}  // namespace colonnade::arrow
