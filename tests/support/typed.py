#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""typed.py ANSWER EXPECTED INPUT PROGRAM [ARGUMENT...]

Types into a plain GDB what an answer (explain --format json) says of each proven suspect: stop at each execution,
set the variable, the argument or the result to the value, go on.  Nothing else of the answer is used, least of all
its actions.  PROGRAM then has to print what EXPECTED has and to exit; where EXPECTED is `-', to exit with status 0.

Prints a line for each suspect: "typed", "refuted", or "untyped" with the reason: what a person cannot type, such as
a condition, or a value that has no name.  With V=1 in the environment also what GDB said of those that are refuted.
Exit status 1 when a suspect is refuted."""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

NUMBER = re.compile(r"-?(\d+(\.\d+)?(e[+-]?\d+)?|0x[0-9a-f]+)$")
REGISTERS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
# A line of which GDB's `next' stops somewhere else than behind the assignment.
SEVERAL = re.compile(r"\b(for|while|if|do|switch)\b|;.*;|\+\+|--|\?")


class Untyped(Exception):
    """The reason why a person cannot type it."""


def gdb(program, commands):
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as script:
        script.write("\n".join(["set confirm off", "set pagination off", "set debuginfod enabled off", "set width 0",
                                *commands]) + "\n")
        script.flush()
        done = subprocess.run(["gdb", "-nx", "-batch", "-x", script.name, program], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=120, check=False)
    return done.stdout + done.stderr


def literal(value):
    value = re.sub(r" \(.*\)$", "", value or "no value")
    known = {"true": "1", "false": "0", "NULL": "0"}
    if value in known:
        return known[value]
    if re.match(r"'.*'$", value) or NUMBER.match(value):
        return value
    raise Untyped(f"value {value}")


def is_float(kind):
    return kind.strip() in ("double", "float")


def parameters(program, function):
    """The types of what the function is given; of printf and its like nothing is known."""
    found = re.search(r"type = .*?\((.*)\)$", gdb(program, [f"ptype {function}"]), re.M)
    kinds = found.group(1).split(", ") if found else []
    if any(k.startswith(("struct", "union")) and "*" not in k for k in kinds):
        raise Untyped("a structure is passed")
    return kinds


def set_argument(program, clause, value):
    found = re.match(r"argument (\d+) of (\w+)$", clause or "")
    if not found:
        raise Untyped(clause)
    number, function = int(found.group(1)), found.group(2)
    kinds = parameters(program, function)[:number]
    floats = [is_float(k) for k in kinds]
    if floats and floats[-1]:
        return function, f"set var $xmm{sum(floats) - 1}.v2_double[0] = {value}"
    if number - sum(floats) > len(REGISTERS):
        raise Untyped("passed in memory")
    return function, f"set var ${REGISTERS[number - sum(floats) - 1]} = (long)({value})"


def place(statement, instance):
    found = re.match(r"(.+)\+(\d+):(\d+)$", instance["stop"] or "")
    if not found:
        raise Untyped("not in the failing run")
    function = found.group(1) if re.match(r"\w+$", found.group(1)) else f"'{found.group(1)}'"
    if statement["function"] == found.group(1):
        function = f"'{os.path.basename(statement['file'])}'::{function}"
    return f"*({function}+{found.group(2)})", int(found.group(3))


class Script:
    """The commands for one suspect."""

    def __init__(self, program):
        self.program, self.commands = program, []
        self.place, self.executions = None, 0
        self.entered = self.left = None  # the function that is stopped in; the execution that is behind us

    def go_to(self, where, execution):
        if self.place not in (None, where):
            raise Untyped("several places")
        if self.place is None:
            self.commands.append(f"break {where}")
            self.place = where
        if execution != self.executions:
            self.commands += [f"ignore 1 {execution - self.executions - 1}", "continue" if self.executions else "run"]
            self.executions, self.entered = execution, None

    def change(self, statement, value):
        kind, clause = statement["kind"], statement["clause"]
        if kind == "call":
            function, command = set_argument(self.program, clause, value)
            if self.entered != function:
                self.commands += [f"tbreak *{function}", "continue"]
            self.entered = function
            self.commands.append(command)
        elif kind == "assignment":
            if SEVERAL.search(statement["text"] or ";;") or " " in clause or self.entered:
                raise Untyped(f"the line is more than this assignment: {statement['text']}")
            if re.search(rf"\b{statement['function']} *\(", statement["text"]) and self.left:
                raise Untyped("executions within each other")
            if self.left != self.executions:
                self.commands += ["disable", "next", "enable"]
            self.left = self.executions
            self.commands.append(f"set var {clause} = {value}")
        elif kind == "return":
            self.commands += ["disable", "finish", "enable", f"set var $rax = (long)({value})",
                              f"set var $xmm0.v2_double[0] = {value}"]
        else:
            raise Untyped(f"{kind} {clause}")


def script_of(program, suspect):
    script = Script(program)
    for instance in suspect["instances"]:
        statement = suspect["statements"][instance["statement"]]
        script.go_to(*place(statement, instance))
        script.change(statement, literal(instance["witness"]))
    return script.commands + ["delete", "continue", 'printf "status %d\\n", $_exitcode']


def passes(script, expected, given, program, arguments):
    with tempfile.NamedTemporaryFile() as output:
        run = "run " + " ".join(map(shlex.quote, arguments)) + f" <{given} >{output.name}"
        log = gdb(program, [run if c == "run" else c for c in script])
        said = output.read()
    status = re.search(r"^status (\d+)$", log, re.M)
    if expected == "-":
        return bool(status) and status.group(1) == "0", log
    with open(expected, "rb") as wanted:
        return bool(status) and said == wanted.read(), log + said.decode(errors="replace")


def main(answer, expected, given, program, *arguments):
    with open(answer, encoding="utf-8") as f:
        suspects = json.load(f)["suspects"]
    wrong = False
    for s in suspects:
        if s["replay"] != "passes" or any(t["kind"] in ("code", "data") for t in s["statements"]):
            continue
        told = ", ".join(f"line {t['line']} {t['clause']} = {t['actual']} -> {t['witness']}" for t in s["statements"])
        told += f", {len(s['instances'])} times"
        try:
            script = script_of(program, s)
        except Untyped as reason:
            print(f"untyped {s['rank']}: {told}: {reason}")
            continue
        ok, log = passes(script, expected, given, program, arguments)
        if not ok and "Couldn't write extended state status" in log:
            print(f"untyped {s['rank']}: {told}: this GDB cannot write vector registers of this processor")
            continue
        print(f"{'typed' if ok else 'refuted'} {s['rank']}: {told}")
        if not ok:
            wrong = True
            if os.environ.get("V"):
                print(script, log)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
