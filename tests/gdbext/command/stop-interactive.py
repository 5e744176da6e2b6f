#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stops the session and the panel, each on a terminal of its own, at random moments, and looks at
how soon they end (in processor time of their own) and what they leave behind."""
import os
import pty
import random
import select
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing of ours beside the sources
from stopping import cpu_of, nothing_left

SOON = 1.0  # seconds of processor time
PATIENCE = 120  # seconds, on the busiest machine
SEED = int(os.environ.get("STOP_SEED", "1"))
ROUNDS = int(os.environ.get("STOP_ROUNDS", "2"))
WHY = os.environ["WHY_BIN"]

LIST = """
#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; int v; };
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 60, sum = 0;
	struct node *head = NULL;

	for (int i = 0; i < n; i++) {
		struct node *x = malloc(sizeof *x);

		x->v = i % 7;
		x->next = head;
		head = x;
	}
	for (struct node *x = head; x; x = x->next)
		sum += x->v;
	assert(sum == n * 3 + 1);
	return 0;
}
"""


def scenes(program):
    """Name, arguments, what is typed each time when it asks, how it asks, the longest moment."""
    session = ["-nx", "--args", program]
    panel = ["panel", "--color", "never", "--", program]
    return [
        ("session", session, ["break 18", "run", "why sum", "continue", "why", "suspects"],
         b"(gdb) ", 6),
        ("session, why not", session, ["break 18", "run", "why not sum == 9"], b"(gdb) ", 5),
        ("session in the program", [*session, "1000000000"], ["run"], b"(gdb) ", 3),
        ("panel", panel, [], b"", 5),
        ("panel, a question", panel, ["wsum", "Wsum == 9"], b"list.c", 6),
    ]


def start(folder, room, args):
    """The process, and our end of its terminal."""
    pid, fd = pty.fork()
    if not pid:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.chdir(folder)
        os.environ.update(TERM="xterm", LINES="24", COLUMNS="80", GDB_WHY_TMPDIR=room,
                          XDG_CACHE_HOME=os.path.join(folder, "cache"))
        os.execv(WHY, [WHY, *args])
    return pid, fd


def read_some(fd):
    """b"" at the end, None when there is nothing to read."""
    if not select.select([fd], [], [], 0.05)[0]:
        return None
    try:
        return os.read(fd, 65536)
    except OSError:  # the other end is closed
        return b""


def talk(fd, typed, asks, moment):
    """Types until the moment has come; what was said, how much was typed, and whether it has
    ended by itself."""
    begun, said, seen, n = time.monotonic(), b"", 0, 0
    while time.monotonic() - begun < moment:
        some = read_some(fd)
        if some == b"":
            return said, n, True
        said += some or b""
        if n < len(typed) and asks in said[seen:]:
            seen = len(said)
            os.write(fd, typed[n].encode() + b"\r")
            n += 1
    return said, n, False


def wait(pid, fd):
    """Reads on, so that it is not kept by its terminal; processor time at the end, or None."""
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        if fd is None:
            time.sleep(0.05)
        else:
            read_some(fd)
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG):
            return cpu_of(pid)
    os.kill(pid, signal.SIGKILL)
    return None


def stop(folder, room, scene, how):
    """Complaints, and how much was typed."""
    _, args, typed, asks, longest = scene
    pid, fd = start(folder, room, args)
    said, n, ended = talk(fd, typed, asks, random.uniform(0.05, longest))
    before = cpu_of(pid)
    if how == "hang up":
        os.close(fd)
        fd = None
    else:
        os.kill(pid, how)  # not reaped, so it is there
    after = wait(pid, fd)
    _, status = os.waitpid(pid, 0)
    if fd is not None:
        os.close(fd)
    complaints = [f"ended by itself: {said[-300:]!r}"] if ended else []
    if after is None:
        complaints.append(f"does not end: {said[-300:]!r}")
    elif before is not None and after - before > SOON:
        complaints.append(f"goes on for {after - before:.2f} s of processor time")
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) not in (signal.SIGTERM, signal.SIGHUP,
                                                              signal.SIGKILL):
        complaints.append(f"ends by signal {os.WTERMSIG(status)}")
    found = nothing_left(folder, room)
    if found:
        complaints.append(f"leaves behind: {found}")
    return complaints, n


def main():
    random.seed(SEED)
    failed = stopped = n_typed = 0
    with tempfile.TemporaryDirectory(prefix="gdb-why-stop-") as folder:
        room = os.path.join(folder, "room")
        os.mkdir(room)
        with open(os.path.join(folder, "list.c"), "w") as f:
            f.write(LIST.lstrip("\n"))
        program = os.path.join(folder, "list")
        subprocess.run([os.environ.get("CC", "gcc"), "-g", "-O0", "-o", program, program + ".c"],
                       check=True)
        for _ in range(ROUNDS):
            for scene in scenes(program):
                for how in (signal.SIGTERM, "hang up"):
                    complaints, n = stop(folder, room, scene, how)
                    n_typed += n
                    stopped += 1
                    for complaint in complaints:
                        failed += 1
                        print(f"FAILED {scene[0]}, {how}: {complaint}")
    print(f"{stopped} stopped after {n_typed} lines typed, {failed} failed (STOP_SEED={SEED})")
    sys.exit(failed > 0)


main()
