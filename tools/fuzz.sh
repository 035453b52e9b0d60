#!/usr/bin/env bash
# Runs every libFuzzer program of build/fuzz, one after the other on all CPUs, from the inputs in
# fuzz/corpus/<name>/. New inputs go to build/fuzz/corpus/<name>/, crashes to build/fuzz/crashes/<name>/.
#
#   tools/fuzz.sh [SECONDS_EACH] [NAME...]      NAME: footer for footer_fuzz
set -u
cd "$(dirname "$0")/.."
seconds=${1:-180}
if [ $# -gt 0 ]; then shift; fi
if [ $# -eq 0 ]; then
  for program in build/fuzz/*_fuzz; do
    name=${program##*/}
    if [ -x "$program" ]; then set -- "$@" "${name%_fuzz}"; fi
  done
fi
if [ $# -eq 0 ]; then
  echo "there are no fuzz targets"
  exit 1
fi
status=0
for name in "$@"; do
  found=build/fuzz/corpus/$name
  crashes=build/fuzz/crashes/$name
  mkdir -p "$found" "$crashes"
  seeds=()
  if [ -d "fuzz/corpus/$name" ]; then seeds=("fuzz/corpus/$name"); fi
  tools/step.sh "Fuzz $name, $seconds s" "build/fuzz/${name}_fuzz" \
    -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -fork="$(nproc)" \
    -artifact_prefix="$crashes/" "$found" ${seeds[@]+"${seeds[@]}"} || status=1
done
exit $status
