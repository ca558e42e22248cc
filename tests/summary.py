#!/usr/bin/env python3
"""Prints the counts of a meson test log (testlog.json) as its last line, after the names of what failed.

usage: tests/summary.py BUILD/meson-logs/testlog.json
"""

import json
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


def main(argv):
    if len(argv) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with open(argv[0], encoding="utf-8") as log:
        for line in log:
            test = json.loads(line)
            result = test["result"]
            if result in PASSED:
                counts["passed"] += 1
            elif result in SKIPPED:
                counts["skipped"] += 1
            else:
                counts["failed"] += 1
                print(f"{result}: {test['name']}; alone: meson test -C build '{test['name'].split(' / ')[-1]}'")
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
