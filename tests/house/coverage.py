#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines that tests execute, by folder: what gcov says of the objects in a build folder.

    coverage.py read BUILD FILE       sums up BUILD's counts, into FILE
    coverage.py table UNITS ALL       prints both, folder by folder; ALL may be missing
    coverage.py check UNITS FLOORS    says which folders are below their floor; status 1 then
    coverage.py raise UNITS FLOORS    raises the floors to what UNITS has, less one; none falls

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
                # what was moved elsewhere leaves its counts in the build folder
                if not path.startswith(FOLDERS) or not path.endswith(".c") or not os.path.exists(path):
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


def read_floors(path):
    """Folder -> the least per cent of its lines that unit tests execute."""
    with open(path) as f:
        rows = [line.split() for line in f if line.strip() and not line.startswith("#")]
    return {folder: int(least) for folder, least in rows}


def below_floors(units, floors):
    sums = by_folder(units)
    wrong = [f"{folder} has no floor in tests/coverage-floors; `make coverage-floors' gives it one"
             for folder in sums if folder not in floors]
    wrong += [f"{folder} is in tests/coverage-floors, but it is not there"
              for folder in floors if folder not in sums]
    for folder, least in floors.items():
        executed, n = sums.get(folder, (0, 0))
        if n and 100 * executed < least * n:
            wrong.append(f"{folder}: unit tests execute {100 * executed / n:.1f} % of its lines, "
                         f"and its floor is {least} %; test what is new")
    return sorted(wrong)


def raise_floors(units, path):
    floors = read_floors(path)
    sums = by_folder(units)
    with open(path) as f:
        head = [line for line in f if line.startswith("#")]
    with open(path, "w") as f:
        f.writelines(head)
        for folder in sorted(sums, key=lambda name: (name == "all", name)):
            executed, n = sums[folder]
            # a few lines depend on timing
            least = max(100 * executed // n - 1, 0)
            f.write(f"{folder} {max(floors.get(folder, 0), least)}\n")


def load(path):
    if not os.path.exists(path):
        return {}
    with open(path) as f:
        return json.load(f)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("read", "table", "check", "raise"):
        sys.exit(__doc__)
    if sys.argv[1] == "read":
        with open(sys.argv[3], "w") as f:
            json.dump(counts_of(sys.argv[2]), f)
    elif sys.argv[1] == "check":
        wrong = below_floors(load(sys.argv[2]), read_floors(sys.argv[3]))
        print("\n".join(wrong), file=sys.stderr)
        sys.exit(bool(wrong))
    elif sys.argv[1] == "raise":
        raise_floors(load(sys.argv[2]), sys.argv[3])
    else:
        table(load(sys.argv[2]), load(sys.argv[3]))


main()
