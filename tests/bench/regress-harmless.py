#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""regress-harmless.py SEED COUNT FILE...

Makes about COUNT changes to C files that do not change what they do: a regression among them has
to be found.  A third of them stand in pairs, a declaration and a use, which compile together only.
"""
import random
import re
import sys

RETURN = re.compile(r"^(\s+)return ([A-Za-z_(][^;{}\"']*);\s*$")
STEP = re.compile(r"^(\s+)([A-Za-z_]\w*)\+\+;\s*$")


def places(lines, pattern):
    """Lines that match, outside of macros."""
    return [i for i, line in enumerate(lines)
            if pattern.match(line) and not (i and lines[i - 1].endswith("\\\n"))]


def last_include(lines):
    """Behind the last #include that stands in no #if and before all functions; 0 = there is none."""
    depth, last = 0, 0
    for i, line in enumerate(lines):
        if line.startswith("{") or re.match(r"\w.*\).*\{\s*$", line):
            break
        if re.match(r"\s*#\s*if", line):
            depth += 1
        elif re.match(r"\s*#\s*endif", line):
            depth -= 1
        elif depth == 0 and re.match(r"\s*#\s*include", line):
            last = i + 1
    return last


def change(name, lines, rng, count, serial):
    returns, steps = places(lines, RETURN), places(lines, STEP)
    rng.shuffle(returns)
    rng.shuffle(steps)
    declared, done = [], 0
    while done < count and (returns or steps):
        if steps and rng.random() < 0.4:
            i = steps.pop()
            lines[i] = STEP.sub(r"\1\2 += 1;\n", lines[i])
            done += 1
            continue
        if not returns:
            continue
        i = returns.pop()
        space, value = RETURN.match(lines[i]).groups()
        kind = rng.randrange(3) if done + 1 < count else 0
        serial[0] += 1
        if kind == 0:
            lines[i] = f"{space}return ({value});\n"
            done += 1
        elif kind == 1:
            declared.append(f"static int spare_count{serial[0]};\n")
            lines[i] = f"{space}return spare_count{serial[0]}++, {value};\n"
            done += 2
        else:
            declared.append(f"#define SPARE_VALUE{serial[0]}(x) (x)\n")
            lines[i] = f"{space}return SPARE_VALUE{serial[0]} ({value});\n"
            done += 2
    at = last_include(lines)
    lines[at:at] = declared
    print(f"{name}: {done}")


def main():
    rng, count, names = random.Random(int(sys.argv[1])), int(sys.argv[2]), sys.argv[3:]
    serial = [0]
    for k, name in enumerate(names):
        with open(name, encoding="latin-1") as f:
            lines = f.readlines()
        share = count // len(names) + (k < count % len(names))
        change(name, lines, rng, share, serial)
        with open(name, "w", encoding="latin-1") as f:
            f.writelines(lines)


main()
