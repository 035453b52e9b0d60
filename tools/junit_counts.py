"""Prints "passed failed skipped" of the JUnit files given: python3 tools/junit_counts.py FILE..."""

import sys
import xml.etree.ElementTree as ElementTree


def count(path):
    passed = failed = skipped = 0
    for case in ElementTree.parse(path).iter("testcase"):
        children = {child.tag for child in case}
        # CTest marks a test that is switched off by its status alone.
        if children & {"failure", "error"} or case.get("status") == "fail":
            failed += 1
        elif "skipped" in children or case.get("status") in ("notrun", "disabled"):
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


if __name__ == "__main__":
    totals = [sum(column) for column in zip(*map(count, sys.argv[1:]))]
    print(*totals)
