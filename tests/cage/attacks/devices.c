/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that keep, or act on, what is written. */
#include "tests/cage/attack.h"

ATTACK(devices)
{
	static const char *const paths[] = { "/dev/kmsg",
					     "/dev/mem",
					     "/dev/port",
					     "/dev/vda",
					     "/dev/console",
					     "/dev/tty0",
					     "/dev/fuse",
					     "/dev/loop-control",
					     "/dev/net/tun",
					     "/dev/watchdog",
					     "/proc/kmsg",
					     "/proc/sysrq-trigger",
					     "/proc/sys/kernel/domainname",
					     "/proc/self/oom_score_adj",
					     "/sys/power/state" };

	(void)w;
	for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
		int fd = open(paths[i], O_WRONLY | O_NONBLOCK);

		if (i != 1 && i != 2 && i != 3)
			DO(write(fd, "why-cage-attack\n", 16));
	}
}
