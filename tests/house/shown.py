#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a page of documentation shows, to be typed: shown.py PAGE FOLDER.

Each `$ command' in an indented block becomes FOLDER/NNN.command, and the lines below it, up to the
next command or the end of the block, FOLDER/NNN.output.  A command that ends in a pipe goes on in the
next line.  Blocks that show GDB's prompt are left out.
"""
import re
import sys

page, folder = sys.argv[1:]
text = open(page).read()
blocks = re.findall(r"(?:^(?: {4}|\t).*\n|^\n(?= {4}))+", text, re.M)
n = 0
for block in blocks:
    lines = [re.sub(r"^ {4}", "", line) for line in block.rstrip("\n").split("\n")]
    if any(line.startswith("(gdb)") for line in lines):
        continue
    command, output = None, []

    def write():
        global n
        if command is not None:
            n += 1
            open(f"{folder}/{n:03}.command", "w").write(command + "\n")
            open(f"{folder}/{n:03}.output", "w").write("".join(x + "\n" for x in output))

    for line in lines:
        if line.startswith("$ "):
            write()
            command, output = line[2:], []
        elif command and command.endswith("|"):
            command += " " + line.strip()
        else:
            output.append(line)
    write()
print(n)
