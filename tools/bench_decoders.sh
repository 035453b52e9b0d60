#!/usr/bin/env bash
# Measures every decoder of src/parquet/encoding, decoding beside skipping: tools/bench_decoders.sh RESULT.json
# One pinned CPU, nine repetitions in random order, of which the JSON keeps the medians.
set -eu
cd "$(dirname "$0")/.."
taskset --cpu-list 0 build/bench/parquet_bench --benchmark_filter=/skip --benchmark_repetitions=9 \
  --benchmark_enable_random_interleaving --benchmark_report_aggregates_only=true --benchmark_min_time=0.02 \
  --benchmark_out="$1" --benchmark_out_format=json
