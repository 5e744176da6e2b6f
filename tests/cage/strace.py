#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# strace.py TRACE: reads what `strace -f -o TRACE gdb-why ...' wrote.  After exec, a forced run
# must get no other call than the list of the cage (gdbext/replay/cage/cage-calls.c) gives it.  Prints
# how many forced runs there were and how many of their calls were refused; fails with the calls
# that were not.
import re
import sys

policy = open("gdbext/replay/cage/cage-calls.c").read()


def names(macro):
    return set(re.findall(r"\b%s\((\w+)[,)]" % macro, policy.split("calls[] = {")[1]))


done = names("ALLOWED") | names("ASKED")
pretended = names("PRETENDED")
for name, number in re.findall(r"#define NEWER_(\w+) (\d+)", policy):
    pretended |= {name.lower(), "syscall_%#x" % int(number)}  # strace may not know the name
refused = dict(re.findall(r"\bREFUSED\((\w+), (E\w+)\)", policy))
words = {macro.lower(): names(macro) for macro in ("IOCTL", "FCNTL", "PRCTL", "MADVISE")}
# of these the list has rows by argument, which words does not have
by_argument = {
    "fcntl": r"F_SETFL, |F_SETLKW?, .*= 0$|F_OFD_SETLKW?, .*= 0$|F_(SETOWN|SETOWN_EX|SETSIG|SETLEASE|NOTIFY|SETPIPE_SZ)\b.*= -1 EPERM",
    "prctl": r"PR_SET_PDEATHSIG, SIGKILL|PR_SET_(DUMPABLE|KEEPCAPS)\b.*= 0$",
    # no process has a number above 4194304 (PID_MAX_LIMIT): those are started in appearance
    "clone": r"CLONE_FILES.*CLONE_THREAD|flags=0\b|= -1 EAGAIN|= 419(430[5-9]|43[1-9]\d|4[4-9]\d\d)$",
    "wait4": r"",  # asked for with most flags, and allowed with those of the fork server
    "close_range": r", (0|CLOSE_RANGE_CLOEXEC)\) = |= -1 EINVAL",
    "execve": r"= -1 EACCES",
    "futex": r"_PRIVATE\b|FUTEX_(WAIT|WAKE)(_BITSET)?\b|FUTEX_(WAKE_OP|LOCK_PI2?|UNLOCK_PI|TRYLOCK_PI)\b",
    "prlimit64": r"(NULL, \{.*\}|NULL, NULL)\) = |\) = 0$",
    "personality": r"0xffffffff",
    "sendto": r"NULL, 0\) = ",
    "socketpair": r"AF_UNIX, SOCK_(STREAM|SEQPACKET)",
    "tgkill": r"",  # checked below
}


def is_listed(pid, call, line):
    if line.endswith("= ?") or "-1 ENOSYS" in line:
        return True
    if call in done:
        return True
    if call in pretended:
        return line.endswith("= 0")
    if call in refused:
        return "= -1 " + refused[call] in line
    if call in words and any(re.search(r"\b%s\b" % word, line) for word in words[call]):
        return True
    if call == "tgkill":
        return "(%d, " % pid in line or "= -1 EPERM" in line
    return call in by_argument and re.search(by_argument[call], line) is not None


def calls(path):
    """(pid, call, whole line) in the order in which they ended"""
    begun = {}
    for text in open(path, errors="replace"):
        pid, _, text = text.rstrip("\n").partition(" ")
        pid, text = int(pid), text.strip()
        if text.endswith("<unfinished ...>"):
            begun[pid] = text[: -len("<unfinished ...>")]
            continue
        resumed = re.match(r"<\.\.\. \w+ resumed>(.*)", text)
        if resumed:
            text = begun.pop(pid, "") + resumed.group(1)
        call = re.match(r"(\w+)\(", text)
        if call:
            yield pid, call.group(1), re.sub(r"\)\s+= ", ") = ", text)


# A child may be seen before the call that made it has returned: families first.
every = list(calls(sys.argv[1]))
parent, is_thread = {}, set()
for pid, call, line in every:
    child = re.search(r"= (\d+)$", line) if call in ("clone", "clone3", "fork", "vfork") else None
    if child:
        parent[int(child.group(1))] = pid
        if "CLONE_THREAD" in line:
            is_thread.add(int(child.group(1)))

caged, program = set(), set()  # by themselves, not as somebody's child


def forced_process(pid):
    """the process of a thread of a forced run that was executed; None = it is none"""
    process = pid
    while process in is_thread:
        process = parent[process]
    ancestor = process
    while ancestor is not None and ancestor not in program:
        ancestor = parent.get(ancestor)
    return process if ancestor is not None else None


processes, bad, n_refused = set(), [], 0
for pid, call, line in every:
    failed = re.search(r"= -1 (E\w+)", line)
    process = forced_process(pid)
    if process is not None:
        processes.add(process)
        n_refused += bool(failed) and failed.group(1) in ("ENOSYS", "EPERM", "EACCES", "EAGAIN")
        if not is_listed(process, call, line):
            bad.append("%d %s" % (pid, line))
    elif call == "seccomp" and "SET_MODE_FILTER" in line and not failed:
        caged.add(pid)
    elif call == "execve" and pid in caged and not failed:
        program.add(pid)

print("%d forced runs, %d calls refused" % (len(processes), n_refused))
for line in bad:
    print("not on the list:", line)
sys.exit(bool(bad))
