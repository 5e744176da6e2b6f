#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what READMEs say of includes with tests/layers, and tests/layers with the includes.

A README has one paragraph "May include: `a', `b' and rooms of `c/'. May be included by: ..." (or
"Nobody includes it.").  A name stands for the folder and what is in it; `c/' for all folders in
it.  Each name has to be true of a folder at least, and each folder has to be covered by a name.
"""
import pathlib
import re
import sys

MODULE = re.compile(r"((?:solver|mi|gdbext|tui)[\w/-]*):(.*)")
rows = {m[1]: m[2].split() for m in map(MODULE.fullmatch, open("tests/layers").read().split("\n")) if m}
complaints = []


def covers(name, folder):
    if name in ("solver", "gdbext"):  # their own files only
        return folder == name
    return folder == name.rstrip("/") or folder.startswith(name.rstrip("/") + "/")


def compare(readme, text, folders):
    named = re.findall(r"`([\w/-]+)`", text)
    for name in named:
        if not any(covers(name, folder) for folder in folders):
            complaints.append(f"{readme} names {name}, but tests/layers does not")
    for folder in folders:
        if not any(covers(name, folder) for name in named):
            complaints.append(f"{readme} does not name {folder}, but tests/layers does")


def compare_readme(module):
    readme = f"{module}/README.md"
    for paragraph in open(readme).read().split("\n\n"):
        m = re.match(r"May include: (.*?)\. (?:May be included by: (.*)\.|Nobody includes it\.)$",
                     " ".join(paragraph.split()))
        if m:
            compare(readme, m[1], rows[module])
            compare(readme, m[2] or "", [other for other in rows if module in rows[other]])
            return
    complaints.append(f"{readme}: no paragraph `May include: ... May be included by: ...'")


def module_of(path):
    return next((str(p) for p in pathlib.PurePath(path).parents if str(p) in rows), None)


def compare_row(module):
    used = set()
    for path in pathlib.Path(module).glob("**/*.[chS]"):
        if module_of(path) == module:
            used |= {module_of(i) for i in re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(), re.M)}
    for other in rows[module]:
        if other not in used:
            complaints.append(f"tests/layers: {module} does not include {other}; take it out")


for number, module in enumerate(rows):
    if module not in ("solver", "gdbext"):  # there the tables say it
        compare_readme(module)
    compare_row(module)
    for other in rows[module]:
        if other not in list(rows)[:number]:
            complaints.append(f"tests/layers: {module} includes {other}, which stands below it")
print("\n".join(complaints))
sys.exit(1 if complaints or len(rows) < 50 else 0)
