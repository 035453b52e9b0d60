#!/usr/bin/env bash
# Builds the Python package and installs it into .venv. Its build folder, build/python, is kept, so that
# the next time only what changed is compiled; with ccache it shares the objects of the release preset.
set -eu
cd "$(dirname "$0")/.."

if [ -z "${CXX:-}" ] && [ "$(c++ -dumpversion | cut -d. -f1)" -lt 12 ] && command -v g++-12 >/dev/null; then
  export CC=gcc-12 CXX=g++-12
fi
export CC=${CC:-cc} CXX=${CXX:-c++}  # as CMake's own choice: ccache tells compilers apart by name
CMAKE_BUILD_PARALLEL_LEVEL=$(nproc) .venv/bin/python -m pip install \
  --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall .
