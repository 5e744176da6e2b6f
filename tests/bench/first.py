#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a person at a terminal waits for the opening, and for the first suspect that is proven.

    first.py WHY ARGUMENT...      WHY explain ARGUMENT...

Prints, in seconds from the end of the recording: the opening, the first proven suspect, and the
whole answer; "-" = there is none.  The recording's end is what --stats says of the stages up to it.
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

ESCAPE = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")
OPENING = re.compile(rb"^  (from|since) ", re.M)
SUSPECT = re.compile(rb"^ *1  \S+:\d+ ", re.M)
STAGE = re.compile(rb"^(start|image|record) +([\d.]+) (ms|s) ", re.M)


def main():
    command = [sys.argv[1], "explain", "--stats"] + sys.argv[2:]
    start = time.monotonic()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        os.execvp(command[0], command)
    seen, at = b"", {}
    while True:
        if not select.select([terminal], [], [], 120)[0]:
            break
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        seen += ESCAPE.sub(b"", part).replace(b"\r", b"")
        now = time.monotonic() - start
        for name, pattern in (("opening", OPENING), ("suspect", SUSPECT)):
            if name not in at and pattern.search(seen):
                at[name] = now
    os.waitpid(pid, 0)
    at["whole"] = time.monotonic() - start
    recorded = sum(float(n) / (1000 if unit == b"ms" else 1) for _, n, unit in STAGE.findall(seen))
    print("\t".join("%.1f" % max(at[k] - recorded, 0) if k in at else "-"
                    for k in ("opening", "suspect", "whole")))


main()
