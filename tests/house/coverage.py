#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines that tests execute, by folder: what gcov says of the objects in a build folder.

    coverage.py read BUILD FILE       sums up BUILD's counts, into FILE
    coverage.py table UNITS ALL       prints both, folder by folder; ALL may be missing

A line is executed when any object that holds it says so.
"""
import collections
import json
import os
import subprocess
import sys

FOLDERS = ("solver", "mi", "tui", "gdbext")


def counts_of(build):
    """Source file -> line -> executed?"""
    lines = collections.defaultdict(dict)
    found = []
    for folder, _, names in os.walk(build):
        found += [os.path.join(folder, name) for name in names if name.endswith(".gcno")]
    for note in found:
        data = note[:-len("gcno")] + "gcda"
        said = subprocess.run(["gcov", "--json-format", "--stdout", data if os.path.exists(data) else note],
                              capture_output=True, check=False).stdout
        for text in said.splitlines():
            for file in json.loads(text)["files"]:
                path = os.path.normpath(file["file"])
                if not path.startswith(FOLDERS) or not path.endswith(".c"):
                    continue
                for line in file["lines"]:
                    number = str(line["line_number"])
                    lines[path][number] = lines[path].get(number, False) or line["count"] > 0
    return lines


def by_folder(lines):
    sums = collections.defaultdict(lambda: [0, 0])
    for path, numbers in lines.items():
        for folder in (os.path.dirname(path), "all"):
            sums[folder][0] += sum(numbers.values())
            sums[folder][1] += len(numbers)
    return sums


def percent(executed, n):
    return f"{100 * executed / n:5.1f} %" if n else "      -"


def table(units, everything):
    sums = by_folder(units)
    others = by_folder(everything)
    print(f"{'folder':<22}{'lines':>7}{'units':>10}{'all tests':>12}")
    for folder in sorted(sums, key=lambda name: (name == "all", name)):
        executed, n = sums[folder]
        by_all = percent(*others[folder]) if everything else ""
        print(f"{folder:<22}{n:>7}{percent(executed, n):>10}{by_all:>12}")


def load(path):
    if not os.path.exists(path):
        return {}
    with open(path) as f:
        return json.load(f)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("read", "table"):
        sys.exit(__doc__)
    if sys.argv[1] == "read":
        with open(sys.argv[3], "w") as f:
            json.dump(counts_of(sys.argv[2]), f)
    else:
        table(load(sys.argv[2]), load(sys.argv[3]))


main()
