#!/usr/bin/env bash
# Runs the C++ tests of build/coverage and shows the line coverage of src/, with a page per file in
# build/coverage/report/.
set -eu
cd "$(dirname "$0")/.."
find build/coverage -name '*.gcda' -delete
status=0
tools/step.sh -j "$PWD/build/coverage/tests.xml" "C++ tests, counted" \
  ctest --test-dir build/coverage --parallel "$(nproc)" --output-on-failure \
  --output-junit "$PWD/build/coverage/tests.xml" || status=1
mkdir -p build/coverage/report
.venv/bin/gcovr --root . --filter 'src/' --filter 'include/' \
  --exclude '.*_(test|bench|fuzz)\.cc$' --exclude '.*/testing/.*' \
  --gcov-ignore-parse-errors=suspicious_hits.warn_once_per_file \
  --exclude-throw-branches --exclude-unreachable-branches \
  --html-details build/coverage/report/index.html --txt - build/coverage
exit $status
