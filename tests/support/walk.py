# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks through a program in the session and in GDB, and asks there.

    walk.py GDB-WHY PROGRAM SOURCE WALKS SEED [STDIN]

Each walk goes from a breakpoint, which is deleted, on with `step', `next' and `finish'.  Then `why'
is asked about a variable that is a number: what it shows is what GDB's `output' shows.  Prints each
walk where it is not, and at the end how often was asked, how often it differed, and how often the
session said that it does not know.
"""
import random
import re
import subprocess
import sys

why, program, source, walks, seed = sys.argv[1:6]
stdin = sys.argv[6] if len(sys.argv) > 6 else None
random.seed(int(seed))
name_of_source = source.rsplit("/", 1)[-1]
with open(source) as f:
    lines = [i + 1 for i, line in enumerate(f) if re.match(r"[\t ]+\S.*[;{]\s*$", line)]


def gdb(commands):
    arguments = [a for c in commands for a in ("-ex", c)]
    return subprocess.run(["gdb", "-nx", "-q", "-batch"] + arguments + [program], capture_output=True,
                          text=True, stdin=subprocess.DEVNULL, timeout=120).stdout


def walk():
    """The commands of one walk."""
    moves = [random.choice(["next", "next", "step", "step", "finish"])
             for _ in range(random.randint(1, 25))]
    return (["set width 0", "set confirm off", "break %s:%d" % (name_of_source, random.choice(lines)),
             "run" + (" <" + stdin if stdin else "")] + ["continue"] * random.randint(0, 3) +
            ["delete", "step"] + moves)


def numbers(commands):
    """What is a number where the walk ends in the program's own source: variables and members."""
    said = gdb(commands + ["printf \"@@\\n\"", "frame", "info args", "info locals"])
    end = said.split("@@\n")[-1]
    if not re.match(r"#0 .* at (\S*/)?%s:\d+" % re.escape(name_of_source), end):
        return []
    found = re.findall(r"^(\w+) = -?\d+(?: '.*')?$", end, re.M)
    for name, members in re.findall(r"^(\w+) = \{(\w+ = [^{}]*)", end, re.M):
        found += ["%s.%s" % (name, m) for m in re.findall(r"(\w+) = -?\d+(?:,|$)", members)]
    return [f for f in found if not f.startswith("__")]  # the compiler's own


def ask(commands, name):
    """What GDB shows, what `why' shows (None: it does not), and all that it said."""
    typed = "\n".join(commands + ["printf \"@@\"", "output " + name, "printf \"@@\\n\"", "why " + name])
    said = subprocess.run([why, "-nx", "-q", program], input=typed + "\n", capture_output=True,
                          text=True, timeout=300)
    _, shown, rest = said.stdout.split("@@")
    answer = re.search(r"^(?:\(gdb\) )*%s = (\S+)" % re.escape(name), rest, re.M)
    right = shown.replace("(gdb)", "").split()
    if not right:
        raise SystemExit("%s: the session shows no %s: %s" % ("; ".join(typed.split("\n")), name, said))
    # a character is its number, too
    value = answer and (right[0] if right[-1] == answer.group(1) else answer.group(1))
    return right[0], value, rest + said.stderr


asked = false = unknown = 0
for _ in range(int(walks)):
    commands = walk()
    names = numbers(commands)
    if not names:
        continue
    name = random.choice(names)
    right, shown, said = ask(commands, name)
    asked += 1
    unknown += shown is None
    if shown not in (None, right):
        false += 1
        print("%s: %s is %s, but `why' shows %s" % ("; ".join(commands), name, right, shown))
    elif shown is None:
        print("%s: %s is %s, but: %s" % ("; ".join(commands), name, right, said.strip().split("\n")[-1]))
print("%d asked, %d false, %d not known" % (asked, false, unknown))
