"""Fails when fewer tests passed of a suite than the list says: python3 tools/suite_counts.py LIST RESULTS SUITE...

LIST has a suite and a number in each line (spark/suites.txt), RESULTS is JUnit XML. A suite that LIST has not is passed over.
"""

import collections
import sys
import xml.etree.ElementTree as ElementTree


def main():
    path, results, *suites = sys.argv[1:]
    passed = collections.Counter(
        case.get("classname")
        for case in ElementTree.parse(results).iter("testcase")
        if not {child.tag for child in case} & {"failure", "error", "skipped"}
    )
    with open(path) as lines:
        listed = {words[0]: int(words[1]) for words in map(str.split, lines) if words and words[0] != "#"}
    problems = [
        f"{suite}: {passed[suite]} tests passed, {listed[suite]} are listed"
        for suite in suites
        if passed[suite] < listed.get(suite, 0)
    ]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
