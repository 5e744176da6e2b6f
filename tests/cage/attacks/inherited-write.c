/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the user handed down is written. */
#include "tests/cage/attack.h"

ATTACK(inherited_write)
{
	for (int fd = FD_READ; fd <= FD_FOLDER; fd++) {
		DO(write(fd, "harm", 4));
		DO(pwrite(fd, "harm", 4, 0));
		DO(send(fd, "harm", 4, MSG_DONTWAIT));
		DO(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4));
	}
	DO(shutdown(FD_SOCKET, SHUT_RDWR));
}
