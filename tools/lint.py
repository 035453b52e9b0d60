#!/usr/bin/env python3
"""clang-tidy 19 over the sources of src/ and cli/ (tests aside), with the compile commands of a build.

    tools/lint.py [--build build/dev] [SOURCE...]

A source that was clean is not looked at again until it, a header it includes, or .clang-tidy changes; what
is known stands in $XDG_CACHE_HOME/colonnade-lint, so that a fresh clone knows it too.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TIDY = "clang-tidy-19"
TEST = re.compile(r"_(test|bench|fuzz)\.cc$|/testing/")
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "colonnade-lint"
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)


def reached(source, root):
    """The project's own files that `source` includes, itself first."""
    seen, todo = set(), [source]
    while todo:
        path = todo.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            todo += [folder / name for folder in (root / "src", root / "include", root)]
    return sorted(seen)


def database(build):
    """A folder with the compile commands of `build`, and one for each source that a unity build includes elsewhere."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    for unit in [command for command in commands if "/Unity/" in command["file"]]:
        for source in INCLUDE.findall(Path(unit["file"]).read_text(encoding="utf-8")):
            commands.append({**unit, "file": source, "command": unit["command"].replace(unit["file"], source)})
    folder = build / "lint"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
    return folder


def key(source, root):
    digest = hashlib.sha256((root / ".clang-tidy").read_bytes())
    digest.update(str(source.relative_to(root)).encode())
    for path in reached(source, root):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def lint(source, root, build):
    known = CACHE / key(source, root)
    if known.exists():
        return True, "", True
    command = [TIDY, "--quiet", "-p", str(build), "--warnings-as-errors=*", "--extra-arg=-Wno-unknown-warning-option"]
    result = subprocess.run([*command, str(source)], cwd=root, capture_output=True, text=True)
    if result.returncode == 0:
        CACHE.mkdir(parents=True, exist_ok=True)
        known.touch()
        return True, "", False
    return False, result.stdout + result.stderr, False


def main():
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=Path, default=root / "build/dev")
    parser.add_argument("sources", nargs="*", type=Path)
    arguments = parser.parse_args()

    if not shutil.which(TIDY):
        print(f"skipped: {TIDY} is not installed")
        return 0
    sources = [source.resolve() for source in arguments.sources] or [
        source for folder in ("src", "cli") for source in sorted((root / folder).rglob("*.cc")) if not TEST.search(str(source))
    ]
    if not sources:
        print("no sources found")
        return 1
    build = arguments.build.resolve()
    if not (build / "compile_commands.json").is_file():
        print(f"{build} has no compile_commands.json: build it first")
        return 1

    build = database(build)
    num_known = num_bad = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for clean, output, known in pool.map(lambda source: lint(source, root, build), sources):
            num_known += known
            num_bad += not clean
            if output:
                print(output, flush=True)
    print(f"{len(sources)} sources, {num_known} of them known to be clean, {num_bad} with findings")
    return 1 if num_bad else 0


if __name__ == "__main__":
    sys.exit(main())
