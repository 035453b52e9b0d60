#!/usr/bin/env python3
"""Fails when the shared library shows more than its interface, or asks for a library it should not.

    tools/check_symbols.py LIBRARY

Shown may be: C functions colonnade_*, and what belongs to namespace colonnade. Needed may be: the C and
C++ run-time libraries, and Highway, of which Debian has no archive.
"""

import os
import re
import subprocess
import sys

ALLOWED_SYMBOL = re.compile(
    r"^(colonnade_\w+"
    # A name, or the typeinfo, vtable, thunk ... of one, that begins with namespace colonnade.
    r"|_Z(TI|TS|TV|TT|TC|GV|Thn?\d+_|Tvn?\d+_n?\d+_)?N[KVRO]*9colonnade\w+)$"
)
ALLOWED_LIBRARY = re.compile(r"^(libstdc\+\+|libgcc_s|libm|libc|libpthread|libdl|ld-linux[-\w]*|libhwy)\.so(\.\d+)*$")
FOREIGN_UNDEFINED = re.compile(r"^(ZSTD_|HUF_|FSE_|LZ4_|Brotli|libdeflate_|snappy_|_ZNK?6snappy|_ZNK?3fmt|_ZNK?2v\d\d?N?3fmt|_ZN9colonnade|_ZNK9colonnade|colonnade_)")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(library, *options):
    for line in output("nm", "-D", "--format=posix", *options, library).splitlines():
        name, kind = line.split()[:2]
        # A weak symbol that nobody defines asks nobody for anything: zstd's tracing hooks are such.
        if kind not in "wv":
            yield name.split("@")[0]


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    library = sys.argv[1]
    problems = []

    shown = set(symbols(library, "--defined-only"))
    if "colonnade_version" not in shown:
        problems.append("colonnade_version is not shown")
    problems += [f"shown, but not ours: {name}" for name in sorted(shown) if not ALLOWED_SYMBOL.match(name)]

    for name in sorted(set(symbols(library, "--undefined-only"))):
        if FOREIGN_UNDEFINED.match(name):
            problems.append(f"undefined: {name}")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", "-W", library))
    problems += [f"needs {name}" for name in needed if not ALLOWED_LIBRARY.match(name)]
    if re.search(r"\((RPATH|RUNPATH)\)", output("readelf", "-d", "-W", library)):
        problems.append("holds a search path for libraries (RPATH or RUNPATH)")

    for problem in problems:
        print(problem)
    sizes = output("size", library).splitlines()[1].split()
    print(
        f"{len(shown)} symbols shown, {len(problems)} problems; "
        f"code and data {sum(map(int, sizes[:2])) / 1e6:.2f} MB, file {os.path.getsize(library) / 1e6:.2f} MB"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
