/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is open for reading is opened again for writing. */
#include "tests/cage/attack.h"

ATTACK(open_again_by_proc)
{
	char path[64];
	int fd = open(w->file, O_RDONLY), again;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	again = open(path, O_RDWR | O_TRUNC);
	DO(write(again, "harm", 4));
	snprintf(path, sizeof path, "/dev/fd/%d", FD_READ);
	DO(write(open(path, O_WRONLY), "harm", 4));
	snprintf(path, sizeof path, "/proc/thread-self/fd/%d", fd);
	DO(write(open(path, O_WRONLY), "harm", 4));
}
