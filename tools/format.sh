#!/usr/bin/env bash
# Checks that clang-format 19 would change nothing, or with --fix lets it change.
set -eu
cd "$(dirname "$0")/.."
if ! command -v clang-format-19 >/dev/null; then
  echo "skipped: clang-format-19 is not installed"
  exit 0
fi
if [ "${1:-}" = --fix ]; then
  mode=(-i)
else
  mode=(--dry-run -Werror)
fi
git ls-files -z --cached --others --exclude-standard '*.h' '*.cc' '*.c' |
  xargs -0 -r ls -d 2>/dev/null | tr '\n' '\0' |
  xargs -0 -r clang-format-19 "${mode[@]}"
