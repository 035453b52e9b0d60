#!/usr/bin/env python3
"""Fails when a folder of src/ includes from a folder that stands above it.

    tools/check_layers.py [--root FOLDER]

tools/layers.txt holds the order. Besides it:
  - public headers include only <colonnade/...> and the standard library;
  - third-party headers stay in the layer that owns them;
  - folders named testing/ are for tests (of their own layer or a later one), benchmarks and fuzz targets.
"""

import argparse
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TEST_SOURCE = re.compile(r"_(test|bench|fuzz)\.(cc|h)$")

# Who may include what we did not write. None stands for tests, benchmarks and test support.
THIRD_PARTY = {
    "zstd": {"codec"},
    "snappy": {"codec"},
    "libdeflate": {"codec"},
    "lz4": {"codec"},
    "brotli": {"codec"},
    "hwy/": {"kernels"},
    "fmt/": {"*"},
    "gtest/": {None},
    "gmock/": {None},
    "benchmark/": {None},
}
# Header names of C, POSIX and Linux that end in .h and may be used anywhere in src/.
SYSTEM_HEADER = re.compile(
    r"^((sys|linux|arpa|netinet|asm|bits|sanitizer)/[\w/]+\.h"
    r"|(assert|ctype|cpuid|dirent|dlfcn|emmintrin|endian|errno|execinfo|fcntl|fenv|float|getopt|glob|"
    r"immintrin|inttypes|iso646|langinfo|limits|link|locale|malloc|math|poll|pthread|pwd|sched|semaphore|"
    r"setjmp|signal|spawn|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|strings|"
    r"termios|time|uchar|ucontext|unistd|wchar|wctype|x86intrin|arm_neon)\.h)$"
)
STANDARD_HEADER = re.compile(r"^[a-z_0-9]+$")
PUBLIC_C_HEADER = {"stddef.h", "stdint.h", "stdbool.h"}


class Layers:
    def __init__(self, text):
        self.order = []
        self.forbidden = {}
        for line in text.splitlines():
            line = line.split("#")[0].split()
            if not line:
                continue
            folder, rest = line[0], line[1:]
            if rest and rest[0] != "not":
                raise SystemExit(f'layers.txt: "not" expected after {folder}')
            self.order.append(folder)
            self.forbidden[folder] = set(rest[1:])
        self.rank = {folder: i for i, folder in enumerate(self.order)}

    def folder_of(self, path):
        """The longest listed folder that holds `path` (relative to src/), or None."""
        parts = path.split("/")[:-1]
        while parts:
            if "/".join(parts) in self.rank:
                return "/".join(parts)
            parts.pop()
        return None

    def allows(self, from_folder, to_folder):
        if self.rank[to_folder] > self.rank[from_folder]:
            return False
        forbidden = self.forbidden[from_folder] | self.forbidden.get(from_folder.split("/")[0], set())
        return to_folder.split("/")[0] not in forbidden


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def check_public(path):
    for number, _, name in includes(path):
        standard = STANDARD_HEADER.match(name) or name in PUBLIC_C_HEADER
        if not standard and not name.startswith("colonnade/"):
            yield number, f"a public header includes {name}, which is neither ours nor the standard library's"


def check_source(path, relative, root, layers):
    """`relative` is the path below src/."""
    here = layers.folder_of(relative)
    if here is None:
        yield 1, f"src/{relative.split('/')[0]} is not in tools/layers.txt"
        return
    layer = here.split("/")[0]
    is_testing = "testing" in relative.split("/")[:-1]
    for_tests = is_testing or TEST_SOURCE.search(relative) is not None
    # Tests and their support may use all of their own layer, whatever the order of its folders.
    view = layer if for_tests and layer in layers.rank else here

    for number, kind, name in includes(path):
        if name.startswith("colonnade/"):
            if not (root / "include" / name).is_file():
                yield number, f"no such public header: {name}"
            continue
        owners = [who for prefix, who in THIRD_PARTY.items() if name.startswith(prefix)]
        if owners:
            allowed = set().union(*owners)
            if not (allowed & {"*", layer} or (None in allowed and for_tests)):
                yield number, f"{layer} must not include {name}"
            continue
        if kind == "<":
            if not (STANDARD_HEADER.match(name) or SYSTEM_HEADER.match(name)):
                yield number, f"unknown library header {name}: give it an owner in check_layers.py"
            continue
        target = layers.folder_of(name)
        if target is None:
            yield number, f'"{name}" must be written with its folder below src/'
            continue
        if not layers.allows(view, target):
            yield number, f"{here} must not include from {target} ({name})"
        if "testing" in name.split("/")[:-1] and not for_tests:
            yield number, f"{name} is for tests only"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root
    layers = Layers((root / "tools" / "layers.txt").read_text(encoding="utf-8"))

    num_files = num_problems = 0

    def report(path, problems):
        nonlocal num_files, num_problems
        num_files += 1
        for number, message in problems:
            num_problems += 1
            print(f"{path.relative_to(root)}:{number}: {message}")

    for path in sorted((root / "include").rglob("*.h")):
        report(path, check_public(path))
    for pattern in ("*.h", "*.cc"):
        for path in sorted((root / "src").rglob(pattern)):
            report(path, check_source(path, path.relative_to(root / "src").as_posix(), root, layers))

    if num_files == 0:
        print("no sources found")
        return 1
    print(f"{num_files} files, {num_problems} includes that are not allowed")
    return 1 if num_problems else 0


if __name__ == "__main__":
    sys.exit(main())
