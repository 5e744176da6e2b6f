#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stops gdb-why at random moments, and looks at what it says and leaves behind.  Then kills it at
random moments (STOP_KILLS of them), while it runs a program that does all to stay: nothing stays.

How soon it stops is measured in processor time of its own, which does not depend on what
else the machine does.
"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True  # nothing of ours beside the sources
from stopping import cpu_of, nothing_left

SOON = 1.0  # seconds of processor time
SEED = int(os.environ.get("STOP_SEED", "1"))
ROUNDS = int(os.environ.get("STOP_ROUNDS", "2" if os.environ.get("THOROUGH") else "1"))
SPAN = 1.0 if os.environ.get("THOROUGH") else 0.5  # of the longest moments
ONLY = os.environ.get("STOP_ONLY", "")  # in the name of the command
KILLS = int(os.environ.get("STOP_KILLS", "10"))
WHY = os.environ["WHY_BIN"]

LOOP = """
#include <assert.h>
int main(void)
{
	unsigned s = 0;

	for (unsigned i = 0; i < 10000000; i++)
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
PRODUCTS = """
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	long a = argc > 1 ? atol(argv[1]) : 1234567, b = 7654321, s = 1;

	for (int i = 0; i < 12; i++) {
		s = s * a + b;
		s = s % (b + i) + s / (a + 3);
		a = a * 31 + i;
	}
	assert(s * s % 1000003 == 17);
	return 0;
}
"""
FLOODS = """
#include <assert.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int sum = argc;

	if (argc > 5)
		for (;;)
			fprintf(stderr, "again and again and again and again and again\\n");
	assert(sum == 5);
	return 0;
}
"""
PRINTS = """
#include <stdio.h>
int main(void)
{
	unsigned s = 0;

	for (unsigned i = 0; i < 300; i++) {
		s = s * 3 + i;
		printf("%u: %u\\n", i, s & 255);
	}
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
FLEES = """
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
static void flee(void)
{
	static const int some[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGCHLD, SIGPIPE, SIGXCPU };

	for (unsigned i = 0; i < sizeof some / sizeof *some; i++)
		signal(some[i], SIG_IGN);
	prctl(PR_SET_PDEATHSIG, 0);
	setpgid(0, 0);
	setsid();
	if (setresuid(getuid(), getuid(), getuid()))
		_exit(3);
}
static void leave_a_daemon(void)
{
	if (fork())
		return;
	flee();
	if (fork())
		_exit(0);
	flee();
	for (;;)
		pause();
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 3, sum = 0;

	flee();
	leave_a_daemon();
	for (int i = 0; i < n; i++)
		sum += i;
	if (sum > 100)
		for (;;)
			pause();
	usleep(10000);
	assert(sum == 4);
	return 0;
}
"""
LATE = """
#include <assert.h>
static unsigned mix(unsigned s, unsigned i)
{
	if (s & 1)
		return s * 3 + i;
	return s / 2 + i;
}
int main(void)
{
	unsigned s = 1, sum = 0;

	for (unsigned i = 0; i < 100000; i++)
		s = mix(s, i);
	for (unsigned i = 0; i < 30; i++)
		if (mix(s, i) > 100)
			sum += mix(i, 2);
	assert(sum == 7);
	return 0;
}
"""
FORKS = """
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int status = 0, sum = 0, *none = NULL;

	if (!fork()) {
		for (int i = 0; i < 3000; i++)
			sum += i % 7;
		if (sum > 100)
			*none = sum;
		_exit(0);
	}
	wait(&status);
	return status != 0;
}
"""
ENDLESS = """
#include <stdlib.h>
struct node { struct node *next; int v; };
int main(int argc, char **argv)
{
	struct node ring[50];
	unsigned sum = 0;
	int n = argc > 1 ? atoi(argv[1]) : 50;

	for (int i = 0; i < n; i++)
		ring[i] = (struct node){ .next = &ring[(i + 1) % n], .v = i };
	for (struct node *x = ring; x; x = x->next)
		sum += x->v;
	return sum != 1225;
}
"""
DEEP = """
#include <stdlib.h>
__attribute__((noinline)) static int depth(int n)
{
	volatile char room[2000] = { 1 };

	return n == -1 ? room[0] : depth(n - 2) + room[n & 7];
}
int main(int argc, char **argv)
{
	return depth(argc > 1 ? atoi(argv[1]) : 100);
}
"""
MEMORY = """
#include <stdlib.h>
struct node { struct node *next; int v; };
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 60, sum = 0;
	int *table = malloc(n * sizeof *table);
	struct node *head = NULL;

	for (int i = 0; i <= n; i++) {
		struct node *x = malloc(sizeof *x);

		x->v = i % 7;
		x->next = head;
		head = x;
		table[i] = x->v;
	}
	for (struct node *x = head; x; x = x->next)
		sum += x->v;
	free(table);
	return sum == 3;
}
"""
COPIES = """
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), m = 0;

	for (int i = 0; n > 3 && i < 50; i++)
		close(open(argv[2], O_RDWR));
	if (n > 3)
		m = 1;
	assert(m == 1);
	return 0;
}
"""
SPEC = """
#include "why-spec.h"
struct node { struct node *next; int v; };
static int ends(const struct node *x, int sum)
{
	return sum < 90 || !x;
}
WHY_PRE(add, ends, x, sum)
"""
ADDS = """
#include <stdlib.h>
struct node { struct node *next; int v; };
__attribute__((noinline)) int add(struct node *x, int sum)
{
	return x ? add(x->next, sum + x->v) : sum;
}
int main(int argc, char **argv)
{
	struct node *head = NULL;

	for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 40); i++) {
		struct node *x = malloc(sizeof *x);

		x->v = i % 7;
		x->next = head;
		head = x;
	}
	for (int i = 0; i < 100; i++)
		if (add(head, i) < 0)
			return 1;
	return 0;
}
"""
SUBJECT = """
[subject]
name = mid
build = gcc -g -O0 -o {out}/golden golden.c
build-version = gcc -g -O0 -o {out}/{version} {version}.c
program = {out}/{version}
golden = {out}/golden
file = {version}.c
suite = tests.txt
"""
SUITE = "1\n2\n3\n60\n61\n"


def suite_of(folder, name, tests):
    path = os.path.join(folder, name + ".suite")
    with open(path, "w") as f:
        f.write(tests)
    return path


def versions(folder):
    """Two versions of the list, which `make' builds."""
    for name, text in ("old", LIST.replace("n * 3 + 1", "174")), ("new", LIST):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        with open(os.path.join(folder, name, "list.c"), "w") as f:
            f.write(text.lstrip("\n"))
        with open(os.path.join(folder, name, "Makefile"), "w") as f:
            f.write("list: list.c\n\tcc -g -o list list.c\n")
    return ["--old", os.path.join(folder, "old"), "--new", os.path.join(folder, "new")]


def subject(folder):
    """Versions of the list for `evaluate'."""
    where = os.path.join(folder, "subject")
    os.makedirs(where, exist_ok=True)
    for name, text in (("golden", LIST.replace("n * 3 + 1", "174")), ("v1", LIST),
                       ("v2", LIST.replace("i % 7", "i % 6")),
                       ("v3", LIST.replace("sum += x->v", "sum -= x->v"))):
        with open(os.path.join(where, name + ".c"), "w") as f:
            f.write(text.lstrip("\n"))
    with open(os.path.join(where, "tests.txt"), "w") as f:
        f.write(SUITE)
    with open(os.path.join(where, "subject.conf"), "w") as f:
        f.write(SUBJECT.lstrip("\n"))
    with open(os.path.join(where, "versions.tsv"), "w") as f:
        f.write("version\tline\tomission\nv1\t18\t0\nv2\t12\t0\nv3\t17\t0\n")
    return where


def lesson(folder):
    """A folder of the course with an answer, or None where nothing can be compiled."""
    where = os.path.join(folder, "lesson")
    if not os.path.isdir(where):
        subprocess.run([WHY, "lesson", "start", "infection", where], check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run([WHY, "lesson", "answer", "program.c:20"], check=True, cwd=where,
                       stdout=subprocess.DEVNULL)
    return where


def commands(folder):
    """Name, arguments, the longest moment to stop at."""
    loop, lists, waits, endless, memory = (os.path.join(folder, name) for name in
                                           ("loop", "list", "waits", "endless", "memory"))
    suite = suite_of(folder, "list", SUITE)
    return [
        ("explain a loop", ["explain", "--", loop], 4),
        ("check a loop", ["explain", "--check", "--", loop], 4),
        ("ask about a loop", ["ask", "why s", "--", loop], 4),
        ("explain a list", ["explain", "--thorough", "--", lists], 5),
        ("explain a long list", ["explain", "--", lists, "300"], 5),
        ("explain with Z3", ["explain", "--solver", "z3", "--thorough", "--", lists], 5),
        ("products with Z3", ["explain", "--solver", "z3", "--thorough", "--",
                              os.path.join(folder, "products")], 5),
        ("ask for a condition", ["ask", "--at", "list.c:18", "why not sum == 9", "--", lists], 4),
        ("wait for the program", ["explain", "--run-timeout", "100", "--", waits], 2),
        ("try a list", ["try", "--flip", "list.c:16", "--", lists], 2),
        ("try a flood", ["try", "--flip", "floods.c:7", "--", os.path.join(folder, "floods")], 2),
        ("explain output", ["explain", "--expect", os.path.join(folder, "expected"), "--",
                            os.path.join(folder, "prints")], 4),
        ("explain a record", ["explain", "--thorough", "--record",
                              os.path.join(folder, "list.why")], 4),
        ("record a loop", ["record", "-o", os.path.join(folder, "loop.why"), "--", loop], 1),
        ("rank tests", ["rank", "--tests", suite, "--", lists], 1),
        ("rank by mutants", ["rank", "--tests", suite, "--technique", "ofc+cw", "--", lists], 4),
        ("explain with tests", ["explain", "--tests", suite, "--", lists], 4),
        ("explain jointly", ["explain", "--joint", "--failing", "all", "--tests", suite, "--",
                             lists], 4),
        ("small changes for all tests", ["explain", "--thorough", "--max-size", "1", "--tests",
                                         suite, "--", lists, "3"], 5),
        ("look for a regression", ["regress", *versions(folder), "--test", "./list"], 2),
        ("runs from checkpoints", ["explain", "--", os.path.join(folder, "late")], 5),
        ("explain all paths", ["explain", "--paths", "all", "--", lists, "30"], 4),
        ("follow a child", ["explain", "--follow", "child", "--", os.path.join(folder, "forks")],
         4),
        ("a loop without end", ["explain", "--run-timeout", "0.5", "--", endless], 5),
        ("wait for a loop without end", ["explain", "--run-timeout", "100", "--", endless], 2),
        ("ask in a loop without end", ["ask", "--run-timeout", "0.5", "why sum", "--", endless],
         4),
        ("a recursion without end", ["explain", "--", os.path.join(folder, "deep")], 4),
        ("memory", ["explain", "--memory", "--", memory], 4),
        ("memory of many blocks", ["explain", "--memory", "--thorough", "--", memory, "2000"], 5),
        ("check a specification", ["specs", "--check", "--spec", os.path.join(folder, "spec.c"),
                                   "--", os.path.join(folder, "adds")], 2),
        ("ask specifications", ["specs", "--spec", os.path.join(folder, "spec.c"), "--",
                                os.path.join(folder, "adds")], 3),
        ("evaluate techniques", ["evaluate", "--techniques", "all,ofc+cw", "-o",
                                 os.path.join(folder, "evaluation"), subject(folder)], 5),
        ("check a lesson", ["lesson", "check", lesson(folder)], 2),
        ("grade a lesson", ["lesson", "grade", os.path.dirname(lesson(folder))], 2),
        ("copies of a large file", ["explain", "--", os.path.join(folder, "copies"), "1",
                                    os.path.join(folder, "large")], 3),
        ("a GDB that hangs", ["explain", "--gdb", waits, "--", lists], 2),
        ("wait for input", ["explain", "--stdin", "/dev/stdin", "--", lists], 1),
    ]


WITHOUT_TIMEOUT = ("try", "record", "rank", "evaluate", "lesson")


def commands_that_run(folder):
    """As above, of the program that flees."""
    flees, suite = os.path.join(folder, "flees"), suite_of(folder, "flees", "1\n2\n3\n4\n")
    branch = 1 + FLEES.lstrip("\n").split("\n").index("\tif (sum > 100)")
    return [
        ("explain", ["explain", "--", flees], 2),
        ("try", ["try", "--flip", f"flees.c:{branch}", "--", flees], 1),
        ("record", ["record", "-o", os.path.join(folder, "flees.why"), "--", flees], 1),
        ("rank", ["rank", "--tests", suite, "--", flees], 1),
        ("rank by mutants", ["rank", "--tests", suite, "--technique", "ofc+cw", "--", flees], 4),
        ("explain with tests", ["explain", "--tests", suite, "--", flees], 3),
        ("regress", ["regress", *versions(folder), "--test", flees + " 3"], 2),
    ]


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


def start(folder, room, args, stdin):
    """With nothing in its cache."""
    shutil.rmtree(os.path.join(folder, "cache"), ignore_errors=True)
    return subprocess.Popen([WHY, *args], stdin=stdin, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, cwd=folder,
                            env={**os.environ, "GDB_WHY_TMPDIR": room,
                                 "XDG_CACHE_HOME": os.path.join(folder, "cache")})


def kill(folder, room, args, moment):
    """Complaints."""
    child = start(folder, room, args, subprocess.DEVNULL)
    time.sleep(moment)
    child.kill()
    child.communicate()
    found = nothing_left(folder, room)
    return [f"leaves behind: {found}"] if found else []


def is_waiting(args):
    """For a test that does not end."""
    return "--run-timeout" in args and float(args[args.index("--run-timeout") + 1]) > 10


def stop(folder, room, args, moment, how):
    """Complaints."""
    limit = ["--timeout", f"{moment:.2f}"] if how == "timeout" else []
    read, write = os.pipe()
    child = start(folder, room, [args[0], *limit, *args[1:]], read)
    os.close(read)
    time.sleep(moment)
    if how == signal.SIGINT and is_waiting(args):  # the first one is the moment of the hang
        os.kill(child.pid, how)
        time.sleep(0.3)
    before = cpu_of(child.pid)
    if how != "timeout":
        os.kill(child.pid, how)  # it may have ended, but is not reaped
    out, err = read_all(child)
    os.close(write)
    after = own_time_at_end(child)
    complaints = []
    status, lines = child.returncode, err.splitlines()
    if how != "timeout" and status == 130:
        told = lines[1:] if args[0] == "evaluate" else lines  # it counts its versions first
        # a violation, and how a test failed, is told before its cause is looked for
        partly = (args[0] == "specs" and " does not hold " in out.split("\n")[0]
                  or args[0] in ("explain", "ask")
                  and not re.search(r"^(\d+|no) explanation", out, re.MULTILINE))
        if partly:  # what the program printed goes where ours does
            told = [line for line in told if not line.startswith("adds: ")]
        if (out and not partly) or len(told) != 1 or not told[0].startswith("gdb-why: Interrupted"):
            complaints.append(f"says: {out}{err}")
    elif status == 3:
        if len(lines) > 1 or (not out and len(lines) != 1):
            complaints.append(f"says: {out}{err}")
    elif how != "timeout" and status == -how:
        pass  # the signal itself ends it: before it is listened to, and lessons always
    elif status != 0 and not (args[0] == "lesson" and status == 1):  # the answer is wrong
        complaints.append(f"ends with {status}: {err}")
    if before is not None and after - before > SOON:
        complaints.append(f"goes on for {after - before:.2f} s of processor time")
    found = nothing_left(folder, room)
    if found:
        complaints.append(f"leaves behind: {found}")
    return complaints


def write_spec(folder):
    with open(os.path.join(folder, "spec.c"), "w") as f:
        f.write(SPEC.lstrip("\n"))


def prepare(folder):
    """A record of the list; what the program that prints should have printed."""
    lists, prints = (os.path.join(folder, name) for name in ("list", "prints"))
    write_spec(folder)
    with open(os.path.join(folder, "large"), "wb") as f:
        f.truncate(1500 << 20)
    subprocess.run([WHY, "record", "-o", lists + ".why", "--", lists], check=True,
                   stdout=subprocess.DEVNULL)
    right = subprocess.run([prints], check=True, stdout=subprocess.PIPE).stdout
    with open(os.path.join(folder, "expected"), "wb") as f:
        f.write(right.replace(b"\n250: ", b"\n250: 9"))


def stop_all(folder, room):
    failed = stopped = 0
    for _ in range(ROUNDS):
        for name, args, longest in commands(folder):
            ways = [signal.SIGTERM, signal.SIGINT, "timeout"]
            how = random.choice(ways[:2] if args[0] in WITHOUT_TIMEOUT else ways)
            if "products" in name:
                how = signal.SIGINT  # which Z3 likes to take for itself
            moment = random.uniform(0.05, longest * SPAN)
            if ONLY not in name:
                continue
            for complaint in stop(folder, room, args, moment, how):
                failed += 1
                print(f"FAILED {name}, {how} after {moment:.2f} s: {complaint}")
            stopped += 1
    print(f"{stopped} stopped, {failed} failed (STOP_SEED={SEED})")
    return failed


def kill_all(folder, room):
    failed = 0
    some = commands_that_run(folder)
    for i in range(KILLS):
        name, args, longest = some[i % len(some)]
        moment = random.uniform(0.05, longest * SPAN)
        for complaint in kill(folder, room, args, moment):
            failed += 1
            print(f"FAILED {name}, killed after {moment:.2f} s: {complaint}")
    print(f"{KILLS} killed, {failed} left something behind (STOP_SEED={SEED})")
    return failed


def main():
    random.seed(SEED)
    # a shell's job in the background ignores it, and what it starts would, too
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="gdb-why-stop-") as folder:
        room = os.path.join(folder, "room")
        os.mkdir(room)
        for name, text in (("loop", LOOP), ("list", LIST), ("waits", WAITS),
                           ("flees", FLEES), ("products", PRODUCTS), ("floods", FLOODS),
                           ("prints", PRINTS), ("late", LATE), ("forks", FORKS), ("adds", ADDS),
                           ("endless", ENDLESS), ("deep", DEEP), ("memory", MEMORY),
                           ("copies", COPIES)):
            source = os.path.join(folder, name + ".c")
            with open(source, "w") as f:
                f.write(text.lstrip("\n"))
            subprocess.run([os.environ.get("CC", "gcc"), "-g", "-O0", "-o",
                            os.path.join(folder, name), source], check=True)
        prepare(folder)
        failed = stop_all(folder, room) + kill_all(folder, room)
    sys.exit(failed > 0)


main()
