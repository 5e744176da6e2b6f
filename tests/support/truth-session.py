# SPDX-License-Identifier: GPL-3.0-or-later
#
# Read by the GDB of a session of gdb-why, which stands where `goto N' went: the execution that is
# told there, and only that, must lie ahead.  truth_judge() prints "TRUTH agrees", "TRUTH unknown",
# or "TRUTH false: ...".
import os

import gdb

exec(open(os.path.join(os.path.dirname(os.path.abspath(TRUTH_SCRIPT)), "truth-compare.py")).read())

LATER = 12


def truth_arrive(stop):
    """Goes on to the instruction; the frame and the line must be those that `goto' chose."""
    function, _, offset = stop.partition("+")
    try:  # not a variable of that name
        where = int(gdb.parse_and_eval("(long)&::%s" % function)) + int(offset)
    except gdb.error:
        where = int(gdb.parse_and_eval("(long)&'%s'" % function)) + int(offset)
    frame, line = gdb.newest_frame(), gdb.newest_frame().find_sal().line
    if frame.pc() == where:
        return
    point = gdb.Breakpoint("*%d" % where, internal=True, temporary=True)
    point.silent = True
    gdb.execute("continue", to_string=True)
    if not gdb.selected_inferior().pid or gdb.newest_frame().pc() != where:
        raise ValueError("`goto' stops behind %s" % stop)
    if gdb.newest_frame() != frame:
        raise ValueError("`goto' stops in another call than %s" % stop)


def truth_compare(name, value):
    try:
        return compare(value, gdb.parse_and_eval(name))
    except (Unknown, gdb.error, KeyError):
        return 0


def truth_judge(stop, kind, name, value):
    try:
        truth_arrive(stop)
        wrong = None
        if kind == "condition":
            agreed = truth_compare(name, value)
        else:
            gdb.execute("stepi", to_string=True)
            for _ in range(LATER):  # the statement's other instructions
                try:
                    wrong, agreed = None, truth_compare(name, value)
                    break
                except ValueError as other:
                    wrong, agreed = other, 0
                gdb.execute("nexti", to_string=True)
        if wrong:
            raise wrong
        print("TRUTH agrees" if agreed else "TRUTH unknown")
    except ValueError as wrong:
        print("TRUTH false: %s: %s = %s" % (stop, name, wrong))
    except (gdb.error, gdb.MemoryError) as error:
        print("TRUTH unknown: %s" % error)
