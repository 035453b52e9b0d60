#!/usr/bin/env bash
# Configures a preset when that is needed and builds it: tools/build.sh PRESET [TARGET...]
# In CI (CI=true) warnings are errors.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift

# Ubuntu 22.04: its default g++ is 11; version 12 is installed beside it.
if [ -z "${CXX:-}" ] && [ "$preset" != fuzz ]; then
  default=$(c++ -dumpversion 2>/dev/null || echo 0)
  if [ "${default%%.*}" -lt 12 ] && command -v g++-12 >/dev/null; then
    export CC=gcc-12 CXX=g++-12
  fi
fi

werror=OFF
if [ "${CI:-}" = true ]; then werror=ON; fi
settings="$(sha256sum CMakePresets.json) ${CC:-} ${CXX:-} $werror"
if [ ! -f "build/$preset/build.ninja" ] || [ "$(cat "build/$preset/settings" 2>/dev/null)" != "$settings" ]; then
  cmake --preset "$preset" -DCOLONNADE_WERROR=$werror
  printf '%s\n' "$settings" >"build/$preset/settings"
fi

arguments=()
for target in "$@"; do arguments+=(--target "$target"); done
cmake --build "build/$preset" --parallel "$(nproc)" ${arguments[@]+"${arguments[@]}"}
