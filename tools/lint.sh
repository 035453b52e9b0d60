#!/usr/bin/env bash
# clang-tidy 19 over the sources of src/ and cli/ (tests aside), with the compile commands of a build.
#
#   tools/lint.sh [BUILD_FOLDER] [SOURCE...]     default: build/dev, all sources
set -eu
cd "$(dirname "$0")/.."
if ! command -v clang-tidy-19 >/dev/null; then
  echo "skipped: clang-tidy-19 is not installed"
  exit 0
fi
build=${1:-build/dev}
if [ $# -gt 0 ]; then shift; fi
if [ $# -eq 0 ]; then
  mapfile -t sources < <(find src cli -name '*.cc' ! -name '*_test.cc' ! -name '*_bench.cc' \
    ! -name '*_fuzz.cc' ! -path '*/testing/*' 2>/dev/null | sort)
  set -- ${sources[@]+"${sources[@]}"}
fi
if [ $# -eq 0 ]; then
  echo "no sources found"
  exit 1
fi
printf '%s\0' "$@" | xargs -0 -n 2 -P "$(nproc)" \
  clang-tidy-19 --quiet -p "$build" --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option
echo "$# sources"
