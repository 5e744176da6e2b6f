/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that are made by the kernel. */
#include "tests/cage/attack.h"

ATTACK(uring)
{
	unsigned char parameters[120] = { 0 };
	unsigned long context = 0;

	DO(syscall(425, 8, parameters));
	DO(syscall(426, FD_READ, 1, 0, 0, NULL, 0));
	DO(syscall(427, FD_READ, 0, NULL, 0));
	DO(syscall(SYS_io_setup, 8, &context));
	DO(syscall(SYS_io_submit, context, 0, NULL));
}
