#!/usr/bin/env python3
"""Fails when a public header does not compile alone, or pulls in a header of a third party.

    tools/check_headers.py [--root FOLDER]

Each include/colonnade/*.h is compiled as C++20, included twice, with only include/ on the path; the C
headers also as C11 and C99. "Third party" is whatever neither stands in include/ nor is reached from the
standard library's own headers.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

C_HEADERS = {"colonnade.h", "arrow_c.h"}
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wundef", "-Werror", "-pedantic-errors"]
CXX = [os.environ.get("CXX", "g++"), "-std=c++20", "-x", "c++"]
C_ROOTS = "assert ctype errno float inttypes limits math stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string time"


def languages(header):
    yield CXX
    if header.name in C_HEADERS:
        for standard in ("c11", "c99"):
            yield [os.environ.get("CC", "gcc"), f"-std={standard}", "-x", "c"]


def run(command, text):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        source.write_text(text)
        return subprocess.run([*command, str(source)], capture_output=True, text=True), source


def dependencies(command, text):
    """The real paths of all headers that the compiler opens for `text`."""
    result, source = run([*command, "-M", "-MT", "x"], text)
    if result.returncode != 0:
        return None
    names = result.stdout.replace("\\\n", " ").split(":", 1)[1].split()
    return {os.path.realpath(name) for name in names} - {os.path.realpath(source)}


def check(header, root, standard):
    problems = []
    include = ["-I", str(root / "include")]
    text = f"#include <colonnade/{header.name}>\n" * 2
    for language in languages(header):
        result, _ = run([*language, *include, *STRICT, "-fsyntax-only"], text)
        if result.returncode != 0:
            problems.append(f"{header.name}: does not compile alone ({' '.join(language)})\n{result.stderr}")
            continue
        inside = os.path.realpath(root / "include") + os.sep
        for path in sorted(dependencies([*language, *include], text) - standard):
            if not path.startswith(inside):
                problems.append(f"{header.name}: pulls in {path}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root

    c_roots = "".join(f"#include <{name}.h>\n" for name in C_ROOTS.split())
    standard = dependencies(CXX, "#include <bits/stdc++.h>\n" + c_roots)
    standard |= dependencies([os.environ.get("CC", "gcc"), "-std=c11", "-x", "c"], c_roots)

    headers = sorted((root / "include" / "colonnade").rglob("*.h"))
    if not headers:
        print("no public headers found")
        return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = sum(pool.map(lambda header: check(header, root, standard), headers), [])
    for problem in problems:
        print(problem)
    print(f"{len(headers)} headers, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
