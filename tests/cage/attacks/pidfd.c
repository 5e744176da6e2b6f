/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

ATTACK(pidfd)
{
	int fd = (int)syscall(434, w->victim, 0);

	DO(syscall(424, fd, SIGKILL, NULL, 0));
	DO(syscall(438, fd, 0, 0));
	DO(syscall(440, fd, NULL, 0, 0, 0));
	DO(syscall(448, fd, 0));
}
