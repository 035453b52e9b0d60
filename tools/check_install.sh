#!/usr/bin/env bash
# Installs a build to a temporary prefix, moves the prefix, and builds and runs other projects against it:
# CMake and pkg-config, shared and static, C++ and C (tests/install/).
#
#   tools/check_install.sh [BUILD_FOLDER]      default: build/dev
set -eu
cd "$(dirname "$0")/.."
root=$PWD
build=${1:-build/dev}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^project(colonnade VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
c_compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
prefix=$work/prefix
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name colonnade.pc)")
libdir=$(dirname "$PKG_CONFIG_PATH")
if grep -rIl -e "$root" -e "$work" "$prefix/include" "$libdir/cmake" "$libdir/pkgconfig"; then
  echo "these installed files hold a path of the machine that built them"
  exit 1
fi

expect_version() {  # what, command...
  local what=$1 said
  shift
  said=$(LD_LIBRARY_PATH=$libdir "$@")
  if [ "$said" != "$version" ]; then
    echo "$what: printed '$said', not '$version'"
    exit 1
  fi
  echo "$what: $said"
}

configure() {  # build folder, option...
  cmake -S tests/install -B "$1" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$c_compiler" "${@:2}" >/dev/null
  cmake --build "$1"
}
configure "$work/build" -DCMAKE_CXX_COMPILER="$compiler"
configure "$work/build_c" -DC_ONLY=ON
for program in cpp_shared cpp_static c_shared c_static; do
  expect_version "find_package, $program" "$work/build/$program"
done
for program in c_shared c_static; do
  expect_version "find_package in a project of C alone, $program" "$work/build_c/$program"
done

pc=$(pkg-config --modversion colonnade)
if [ "$pc" != "$version" ]; then
  echo "colonnade.pc says version '$pc', not '$version'"
  exit 1
fi
read -r -a cflags < <(pkg-config --cflags colonnade)
read -r -a shared < <(pkg-config --libs colonnade)
read -r -a static < <(pkg-config --static --libs colonnade)
# The archive by its name: beside a .so, -lcolonnade means the .so.
static=("${static[@]/#-lcolonnade/-l:libcolonnade.a}")
for kind in shared static; do
  declare -n libraries=$kind
  "$compiler" -std=c++20 tests/install/main.cc "${cflags[@]}" "${libraries[@]}" -o "$work/pc_cpp_$kind"
  "$c_compiler" -std=c11 tests/install/main.c "${cflags[@]}" "${libraries[@]}" -o "$work/pc_c_$kind"
  expect_version "pkg-config, C++, $kind" "$work/pc_cpp_$kind"
  expect_version "pkg-config, C, $kind" "$work/pc_c_$kind"
done
# The programs of docs/cpp.md.
for language in cpp c; do
  sed -n "/^\`\`\`$language\$/,/^\`\`\`\$/p" docs/cpp.md | sed '1d;$d' >"$work/example.$language"
done
"$compiler" -std=c++20 "$work/example.cpp" "${cflags[@]}" "${shared[@]}" -o "$work/example_cpp"
"$c_compiler" -std=c11 "$work/example.c" "${cflags[@]}" "${shared[@]}" -o "$work/example_c"
for program in example_cpp example_c; do
  LD_LIBRARY_PATH=$libdir "$work/$program" fuzz/corpus/file/duckdb_snappy | grep -E '^[0-9]+ rows, [0-9]+ columns$' ||
    { echo "docs/cpp.md, $program: no rows"; exit 1; }
  if LD_LIBRARY_PATH=$libdir "$work/$program" no/such/file 2>"$work/message"; then
    echo "docs/cpp.md, $program: opened a missing file"
    exit 1
  fi
  grep -q 'no/such/file' "$work/message" || { echo "docs/cpp.md, $program: does not name the missing file"; exit 1; }
done
if readelf -d "$work/pc_cpp_static" | grep -q 'NEEDED.*colonnade'; then
  echo "the static program still asks for libcolonnade.so"
  exit 1
fi

if [ -x "$prefix/bin/colonnade" ]; then
  "$prefix/bin/colonnade" --version | grep -F "$version" ||
    { echo "colonnade --version does not name $version"; exit 1; }
fi
