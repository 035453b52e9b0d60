#!/usr/bin/env python3
"""Fails when code tells encodings or types apart in a place that their guide does not list.

    tools/check_guides.py [--root FOLDER]

docs/adding-an-encoding.md and docs/adding-a-type.md list, below "## Places", the files that a new encoding or type
touches. Every source file that names one of them (for types: in a `case`) has to be in its list, and every file of the
list has to exist. Tests, benchmarks and test support are not looked at.
"""

import argparse
import re
import sys
from pathlib import Path

FOLDERS = ("src", "include", "cli", "python/src")
NOT_CODE = re.compile(r"_(test|bench|fuzz)\.(cc|h)$|/testing/")
GUIDES = {
    # PLAIN, RLE and BIT_PACKED are also what pages are by default, and what levels have.
    "docs/adding-an-encoding.md": re.compile(r"\b(?:ValueEncoding|EncodingId)::k(?!Plain|Rle\b|RleBoolean\b|BitPacked\b)[A-Z]\w*"),
    # What has children is told apart wherever a tree is walked.
    "docs/adding-a-type.md": re.compile(r"\bcase TypeId::k(?!List\b|LargeList\b|FixedSizeList\b|Map\b|Struct\b)[A-Z]\w*"),
}
PLACE = re.compile(r"`((?:%s)/[\w./-]+\.(?:cc|h))`" % "|".join(FOLDERS))


def places(guide):
    section = guide.partition("\n## Places\n")[2].partition("\n## ")[0]
    return set(PLACE.findall(section))


def complaints(root):
    sources = sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.*") if path.suffix in (".cc", ".h"))
    for name, pattern in GUIDES.items():
        listed = places((root / name).read_text())
        if not listed:
            yield f"{name}: no file below \"## Places\""
        for place in sorted(listed):
            if not (root / place).is_file():
                yield f"{name}: lists {place}, which does not exist"
        for path in sources:
            relative = path.relative_to(root).as_posix()
            if NOT_CODE.search(relative) or relative in listed:
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if found := pattern.search(line):
                    yield f"{relative}:{number}: {found[0]} in a place that {name} does not list"
                    break


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    found = list(complaints(parser.parse_args().root))
    for complaint in found:
        print(complaint)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
