/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes by all calls, the newest one by its number. */
#include "tests/cage/attack.h"

ATTACK(modes)
{
	int fd = open(w->file, O_RDONLY);

	DO(chmod(w->file, 0777));
	DO(fchmod(fd, 0777));
	DO(fchmod(FD_READ, 0777));
	DO(fchmodat(AT_FDCWD, w->file, 0777, 0));
	DO(syscall(452, AT_FDCWD, w->file, 0777, 0));
	DO(syscall(452, fd, "", 0777, AT_EMPTY_PATH));
}
