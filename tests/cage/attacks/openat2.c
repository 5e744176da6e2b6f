/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The newer call to open files. */
#include "tests/cage/attack.h"

ATTACK(openat2)
{
	struct {
		unsigned long long flags, mode, resolve;
	} how = { O_WRONLY | O_TRUNC, 0, 0 };

	DO(write((int)syscall(437, AT_FDCWD, w->file, &how, sizeof how), "harm", 4));
}
