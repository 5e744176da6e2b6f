/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the user handed down is read, sought, and set. */
#include "tests/cage/attack.h"

ATTACK(inherited_read)
{
	char buffer[16];

	DO(read(FD_READ, buffer, 2));
	DO(lseek(FD_READ, 1, SEEK_SET));
	DO(read(FD_WRITE, buffer, 2));
	DO(lseek(FD_WRITE, 0, SEEK_END));
	DO(recv(FD_SOCKET, buffer, sizeof buffer, MSG_DONTWAIT));
	for (int fd = FD_READ; fd <= FD_FOLDER; fd++)
		DO(fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND | O_ASYNC));
	DO(read(FD_PIPE, buffer, sizeof buffer));
	DO(read(FD_TERMINAL, buffer, sizeof buffer));
	DO(syscall(SYS_getdents64, FD_FOLDER, buffer, sizeof buffer));
}
