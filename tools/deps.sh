#!/usr/bin/env bash
# Installs the system packages that are missing, from the machine's own package sources.
#
#   tools/deps.sh build|test|bench|spark|check...
#     build    compiler, CMake, libraries, Python: what `make demo` needs
#     test     GoogleTest
#     bench    Google Benchmark
#     spark    a JDK and Maven, for the Spark plugin and its tests
#     check    clang 19 and its tools, for the checks of .ci/run (left out where there is no clang 19)
#
# For Debian 12 and 13 and Ubuntu 22.04 and 24.04. As root, or with sudo; otherwise it says in one line
# what to install.
set -eu

if [ $# -eq 0 ]; then
  set -- build test
fi

os=unknown
if [ -r /etc/os-release ]; then
  os=$(. /etc/os-release && echo "${ID:-} ${VERSION_ID:-}")
fi

packages=()
for set in "$@"; do
  case $set in
    build)
      packages+=(g++ cmake ninja-build pkg-config ccache libzstd-dev libsnappy-dev libdeflate-dev liblz4-dev libbrotli-dev libfmt-dev libcli11-dev)
      if grep -rqs '#include *<hwy/' "$(dirname "$0")/../src/kernels"; then
        packages+=(libhwy-dev)
      fi
      if [ "$os" = "ubuntu 22.04" ]; then
        # Its own g++ is 11 and its own Python 3.10; both are one version too old.
        packages+=(g++-12 python3.11 python3.11-venv python3.11-dev)
      else
        packages+=(python3 python3-venv python3-dev)
      fi
      ;;
    test) packages+=(libgtest-dev libgmock-dev) ;;
    bench) packages+=(libbenchmark-dev) ;;
    spark)
      # Spark 4.1 runs on 17 and 21; the newest of them that the distribution has.
      if [ "$os" = "debian 13" ]; then
        packages+=(openjdk-21-jdk-headless maven)
      else
        packages+=(openjdk-17-jdk-headless maven)
      fi
      ;;
    check)
      if [ "$os" != "ubuntu 22.04" ]; then
        packages+=(clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev)
      fi
      ;;
    *)
      echo "deps.sh: no such set of packages: $set" >&2
      exit 2
      ;;
  esac
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "No apt on this machine. Install what corresponds to these Debian packages: ${packages[*]}"
  # A machine that has the tools may go on; the build says what else it misses.
  command -v cmake >/dev/null && command -v ninja >/dev/null && command -v c++ >/dev/null
  exit
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  if [ "$status" != installed ]; then missing+=("$package"); fi
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "nothing is missing"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  # A password can be asked for only on a terminal.
  if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -e /dev/tty ] && [ -t 2 ]; }; then
    as_root=(sudo)
  else
    echo "Packages are missing; run as root: apt-get install -y ${missing[*]}"
    exit 1
  fi
fi

export DEBIAN_FRONTEND=noninteractive
apt() { ${as_root[@]+"${as_root[@]}"} apt-get -o DPkg::Lock::Timeout=300 "$@"; }
apt update
if ! apt install -y --no-install-recommends "${missing[@]}"; then
  echo "apt could not install them; try: apt-get install -y ${missing[*]}"
  exit 1
fi
