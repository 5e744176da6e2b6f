/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

#include <utime.h>

ATTACK(times)
{
	int fd = open(w->file, O_RDONLY);
	struct timespec to[2] = { { 1, 1 }, { 1, 1 } };
	struct utimbuf old = { 1, 1 };

	DO(utime(w->file, &old));
	DO(utimensat(AT_FDCWD, w->file, to, 0));
	DO(futimens(fd, to));
	DO(syscall(SYS_utimes, w->file, NULL));
	DO(syscall(SYS_futimesat, AT_FDCWD, w->file, NULL));
}
