/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

ATTACK(fork)
{
	for (int i = 0; i < 20; i++)
		if (!fork()) {
			unlink(w->file);
			for (;;)
				pause();
		}
	if (!vfork())
		_exit(0);
	DO(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
	DO(syscall(SYS_clone, 0x01200011, 0, 0, 0, 0));
	DO(syscall(435, NULL, 0));
}
