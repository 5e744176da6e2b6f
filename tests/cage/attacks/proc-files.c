/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings of the kernel and of processes that are files in /proc and /sys. */
#include "tests/cage/attack.h"

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	DO(write(fd, text, strlen(text)));
	fd = open(path, O_RDWR | O_TRUNC);
	DO(pwrite(fd, text, strlen(text), 0));
}

ATTACK(proc_files)
{
	static const char *const of_victim[] = { "oom_score_adj", "coredump_filter",
						 "timerslack_ns", "comm" };
	char path[64];

	put("/proc/sys/kernel/domainname", "harm");
	put("/proc/sys/kernel/hostname", "harm");
	put("/proc/sys/kernel/core_pattern", "harm");
	put("/proc/sysrq-trigger", "h");
	put("/proc/self/loginuid", "7");
	put("/proc/self/uid_map", "0 0 1");
	for (unsigned i = 0; i < sizeof of_victim / sizeof *of_victim; i++) {
		snprintf(path, sizeof path, "/proc/%d/%s", w->victim, of_victim[i]);
		put(path, "7");
	}
	put("/sys/fs/cgroup/cgroup.procs", "0");
	put("/sys/power/wakeup_count", "0");
}
