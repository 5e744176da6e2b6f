# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests share that stop gdb-why: its processor time, and what it leaves behind."""
import os
import signal
import time

TICK = os.sysconf("SC_CLK_TCK")


def cpu_of(pid):
    """Seconds of processor time until now."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICK


def left_behind(folder, room):
    """Files, and processes by their number with their words."""
    found = {name: "" for name in os.listdir(room)}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                words = f.read()
        except OSError:
            continue
        if words.startswith(folder.encode()):
            found[int(pid)] = words.replace(b"\0", b" ").decode(errors="replace")
    return found


def nothing_left(folder, room):
    """Processes that were killed may take a moment to be gone."""
    for _ in range(600):
        found = left_behind(folder, room)
        if not found:
            return {}
        time.sleep(0.05)
    for pid in found:
        if isinstance(pid, int):
            os.kill(pid, signal.SIGKILL)
    return found
