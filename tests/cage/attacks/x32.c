/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of x32. */
#include "tests/cage/attack.h"

ATTACK(x32)
{
	DO(syscall(0x40000000 + SYS_unlink, w->file));
	DO(syscall(0x40000000 + SYS_open, w->file, O_WRONLY | O_TRUNC));
}
