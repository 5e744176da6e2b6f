#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stops gdb-why at random moments, and looks at what it says and leaves behind.

How soon it stops is measured in processor time of its own, which does not depend on what
else the machine does.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

SOON = 1.0  # seconds of processor time
SEED = int(os.environ.get("STOP_SEED", "1"))
ROUNDS = int(os.environ.get("STOP_ROUNDS", "2"))
WHY = os.environ["WHY_BIN"]
TICK = os.sysconf("SC_CLK_TCK")

LOOP = """
#include <assert.h>
int main(void)
{
	unsigned s = 0;

	for (unsigned i = 0; i < 4000000; i++)
		s = s * 3 + i;
	assert(s == 5);
	return 0;
}
"""
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
WAITS = """
#include <assert.h>
#include <unistd.h>
int main(void)
{
	sleep(1000);
	assert(0);
}
"""


def commands(folder):
    """Name, arguments, the longest moment to stop at."""
    loop, lists, waits = (os.path.join(folder, name) for name in ("loop", "list", "waits"))
    return [
        ("explain a loop", ["explain", "--", loop], 4),
        ("check a loop", ["explain", "--check", "--", loop], 4),
        ("ask about a loop", ["ask", "why s", "--", loop], 4),
        ("explain a list", ["explain", "--thorough", "--", lists], 5),
        ("explain a long list", ["explain", "--", lists, "300"], 5),
        ("explain with Z3", ["explain", "--solver", "z3", "--thorough", "--", lists], 5),
        ("ask for a condition", ["ask", "--at", "list.c:18", "why not sum == 9", "--", lists], 4),
        ("wait for the program", ["explain", "--run-timeout", "100", "--", waits], 2),
        ("try a list", ["try", "--flip", "list.c:16", "--", lists], 2),
        ("wait for input", ["explain", "--stdin", "/dev/stdin", "--", lists], 1),
    ]


def cpu_of(pid):
    """Seconds of processor time until now."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICK


def read_all(child):
    """What it prints until its end; it is not reaped."""
    texts = {}

    def take(name, pipe):
        texts[name] = pipe.read().decode(errors="replace")

    readers = [threading.Thread(target=take, args=(name, pipe))
               for name, pipe in (("out", child.stdout), ("err", child.stderr))]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    return texts["out"], texts["err"]


def own_time_at_end(child):
    """Seconds of processor time in all, without its children's: of one that is not reaped."""
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    seconds = cpu_of(child.pid)
    child.wait()
    return seconds


def left_behind(folder, room):
    found = os.listdir(room)
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                words = f.read()
        except OSError:
            continue
        if words.startswith(folder.encode()):
            found.append(words.replace(b"\0", b" ").decode(errors="replace"))
    return found


def nothing_left(folder, room):
    """Processes that were killed may take a moment to be gone."""
    for _ in range(600):
        found = left_behind(folder, room)
        if not found:
            return []
        time.sleep(0.05)
    return found


def stop(folder, room, name, args, moment, how):
    """Complaints."""
    limit = ["--timeout", f"{moment:.2f}"] if how == "timeout" else []
    read, write = os.pipe()
    child = subprocess.Popen([WHY, args[0], *limit, *args[1:]], stdin=read,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
                             env={**os.environ, "GDB_WHY_TMPDIR": room})
    os.close(read)
    time.sleep(moment)
    before = cpu_of(child.pid)
    if how != "timeout":
        os.kill(child.pid, how)  # it may have ended, but is not reaped
    out, err = read_all(child)
    os.close(write)
    after = own_time_at_end(child)
    complaints = []
    status, lines = child.returncode, err.splitlines()
    if how != "timeout" and status == 130:
        if out or len(lines) != 1 or not lines[0].startswith("gdb-why: Interrupted"):
            complaints.append(f"says: {out}{err}")
    elif status == 3:
        if len(lines) > 1 or (not out and len(lines) != 1):
            complaints.append(f"says: {out}{err}")
    elif status != 0:
        complaints.append(f"ends with {status}: {err}")
    if before is not None and after - before > SOON:
        complaints.append(f"goes on for {after - before:.2f} s of processor time")
    found = nothing_left(folder, room)
    if found:
        complaints.append(f"leaves behind: {found}")
    return complaints


def main():
    random.seed(SEED)
    failed = stopped = 0
    with tempfile.TemporaryDirectory(prefix="gdb-why-stop-") as folder:
        room = os.path.join(folder, "room")
        os.mkdir(room)
        for name, text in (("loop", LOOP), ("list", LIST), ("waits", WAITS)):
            source = os.path.join(folder, name + ".c")
            with open(source, "w") as f:
                f.write(text.lstrip("\n"))
            subprocess.run([os.environ.get("CC", "gcc"), "-g", "-O0", "-o",
                            os.path.join(folder, name), source], check=True)
        for _ in range(ROUNDS):
            for name, args, longest in commands(folder):
                ways = [signal.SIGTERM, signal.SIGINT, "timeout"]
                how = random.choice(ways[:2] if args[0] == "try" else ways)
                moment = random.uniform(0.05, longest)
                for complaint in stop(folder, room, name, args, moment, how):
                    failed += 1
                    print(f"FAILED {name}, {how} after {moment:.2f} s: {complaint}")
                stopped += 1
    print(f"{stopped} stopped, {failed} failed (STOP_SEED={SEED})")
    sys.exit(failed > 0)


main()
