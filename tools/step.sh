#!/usr/bin/env bash
# Runs one step: one line on the terminal, everything else in build/logs/. The end of the log is shown
# when the step fails.
#
#   tools/step.sh [options] NAME COMMAND [ARGUMENT...]
#     -k PATH    the step depends on this file or folder (by content). A step with -k is left out while
#                neither those files nor the command have changed since it last succeeded. Repeatable.
#     -o FILE    ... and while this file exists. Repeatable.
#     -j FILE    the command writes its test results there (JUnit XML): the line shows how many passed
#     -c         the step is a check (see below)
#     -s         the command prints why it did nothing as its last line, beginning with "skipped"
#
# With COLONNADE_STEPS=FILE each step also appends "passed<TAB>failed<TAB>name" to FILE: a step with -j
# counts as its tests, a check as one, any other step only when it fails.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
keys=()
outputs=()
junit=
check=0
may_skip=
while getopts "k:o:j:cs" option; do
  case $option in
    k) keys+=("$OPTARG") ;;
    o) outputs+=("$OPTARG") ;;
    j) junit=$OPTARG ;;
    c) check=1 ;;
    s) may_skip=1 ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
if [ $# -lt 2 ]; then
  echo "usage: tools/step.sh [-k PATH] [-o FILE] [-j FILE] [-c] [-s] NAME COMMAND..." >&2
  exit 2
fi
name=$1
shift
slug=$(printf '%s' "$name" | tr 'A-Z' 'a-z' | tr -c 'a-z0-9\n' '-' | tr -s '-')
log=$root/build/logs/${slug%-}.log
stamp=$root/build/stamps/${slug%-}
mkdir -p "$root/build/logs" "$root/build/stamps"
cd "$root" || exit 2

record() {  # passed failed
  if [ -n "${COLONNADE_STEPS:-}" ]; then
    printf '%s\t%s\t%s\n' "$1" "$2" "$name" >>"$COLONNADE_STEPS"
  fi
}

printf '%-34s ' "$name"

key=
if [ ${#keys[@]} -gt 0 ]; then
  key=$({
    printf '%s\0' "$@"
    find "${keys[@]}" -type d -name __pycache__ -prune -o -type f -print0 2>/dev/null |
      sort -z | xargs -0 -r sha256sum
  } | sha256sum)
  fresh=1
  for output in ${outputs[@]+"${outputs[@]}"}; do
    [ -e "$output" ] || fresh=
  done
  if [ -n "$fresh" ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$key" ]; then
    echo "ok (up to date)"
    record $check 0
    exit 0
  fi
fi

if [ -n "$junit" ]; then rm -f "$junit"; fi
rm -f "$stamp"
start=$(date +%s.%N)
"$@" >"$log" 2>&1 </dev/null
status=$?
seconds=$(date +%s.%N | awk -v start="$start" '{ printf "%.1f", $1 - start }')

passed=0
failed=0
counts=
if [ -n "$junit" ] && [ -f "$junit" ]; then
  read -r passed failed skipped < <(python3 tools/junit_counts.py "$junit")
  counts=": $passed passed"
  if [ "$failed" != 0 ]; then counts="$counts, $failed failed"; fi
  if [ "$skipped" != 0 ]; then counts="$counts, $skipped skipped"; fi
elif [ $status -eq 0 ]; then
  passed=$check
fi
# A step that promised results and brought none, or failed without a failed test, is itself the failure.
if [ -n "$junit" ] && [ $status -eq 0 ] && [ $((passed + failed)) -eq 0 ]; then
  status=1
  echo "no test results in $junit" >>"$log"
fi
if [ $status -ne 0 ] && [ "$failed" = 0 ]; then failed=1; fi
if [ $status -eq 0 ] && [ -n "$may_skip" ] && tail -n 1 "$log" | grep -q '^skipped'; then
  tail -n 1 "$log"
  exit 0
fi
record "$passed" "$failed"

if [ $status -eq 0 ]; then
  echo "ok ($seconds s)$counts"
  if [ -n "$key" ]; then printf '%s\n' "$key" >"$stamp"; fi
  exit 0
fi
echo "FAILED ($seconds s)$counts"
echo "---- the end of ${log#"$root"/}:"
tail -n "${COLONNADE_LOG_LINES:-40}" "$log"
echo "----"
exit 1
