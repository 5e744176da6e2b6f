/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What another process has open is opened by its number. */
#include "tests/cage/attack.h"

ATTACK(open_other_process)
{
	char path[64];

	for (int fd = 0; fd < 64; fd++) {
		char buffer[64];
		int got;

		snprintf(path, sizeof path, "/proc/%d/fd/%d", w->victim, fd);
		DO(write(open(path, O_RDWR | O_NONBLOCK), "harm", 4));
		snprintf(path, sizeof path, "/proc/%d/fd/%d", getppid(), fd);
		got = open(path, O_RDONLY | O_NONBLOCK);
		DO(read(got, buffer, sizeof buffer));
	}
	snprintf(path, sizeof path, "/proc/%d/cwd/file", w->victim);
	DO(truncate(path, 0));
	DO(write(open(path, O_WRONLY), "harm", 4));
}
