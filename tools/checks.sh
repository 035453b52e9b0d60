#!/usr/bin/env bash
# The checks that need no run of the tests, each as one step; needs build/dev. All of them run, also after
# one failed.
set -u
cd "$(dirname "$0")/.."
status=0
step() { tools/step.sh "$@" || status=1; }
step -cs "Format" tools/format.sh
step -c "Layers" python3 tools/check_layers.py
step -c "Guides" python3 tools/check_guides.py
step -c "Public headers" python3 tools/check_headers.py
step -c "Exported symbols" python3 tools/check_symbols.py build/dev/libcolonnade.so
step -cs "Lint" tools/lint.py
exit $status
