/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks that others would wait for. */
#include "tests/cage/attack.h"

#include <sys/file.h>

ATTACK(locks)
{
	int fd = open(w->file, O_RDONLY);
	struct flock all = { .l_type = F_RDLCK };

	DO(flock(fd, LOCK_EX | LOCK_NB));
	DO(flock(FD_READ, LOCK_EX | LOCK_NB));
	DO(fcntl(fd, F_SETLK, &all));
	all.l_pid = 0;
	DO(fcntl(fd, F_OFD_SETLK, &all));
	DO(fcntl(fd, F_SETLEASE, F_RDLCK));
	DO(fcntl(FD_FOLDER, F_NOTIFY, DN_MODIFY));
	usleep(3000);
}
