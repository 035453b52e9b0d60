#!/usr/bin/env bash
# Makes .venv with the Python packages of the requirements files given, or brings it up to date.
#
#   tools/venv.sh REQUIREMENTS...
#
# PYTHON=/path/to/python chooses the interpreter; else it is the first of python3, python3.13, ... that is
# 3.11 or later and can make an environment. Index, wheels and certificates come from pip's own settings.
set -eu
cd "$(dirname "$0")/.."

usable() {
  "$1" - <<'PROBE' >/dev/null 2>&1
import os, sys, sysconfig
import ensurepip, venv
assert sys.version_info >= (3, 11)
assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
PROBE
}

if [ ! -x .venv/bin/python ] || ! .venv/bin/python -c 'import sys; assert sys.version_info >= (3, 11)'; then
  chosen=
  for python in ${PYTHON:-python3 /usr/bin/python3 python3.13 python3.12 python3.11}; do
    if usable "$python"; then
      chosen=$python
      break
    fi
  done
  if [ -z "$chosen" ]; then
    echo "No Python 3.11 or later with venv and headers was found (packages python3-venv and python3-dev)."
    exit 1
  fi
  rm -rf .venv
  "$chosen" -m venv .venv
fi

arguments=()
for file in "$@"; do arguments+=(-r "$file"); done
.venv/bin/python -m pip install --disable-pip-version-check --prefer-binary "${arguments[@]}"
