/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of calls whose upper halves are set: the kernel looks at the lower one, a filter might
 * compare more. */
#include "tests/cage/attack.h"

ATTACK(alternate_numbers)
{
	static const long upper[] = { 1L << 32, 1L << 63, (long)(~0ul << 32) };

	for (size_t i = 0; i < sizeof upper / sizeof *upper; i++) {
		DO(syscall(SYS_unlink | upper[i], w->file));
		DO(syscall(SYS_truncate | upper[i], w->file, 0));
		DO(syscall(SYS_openat | upper[i], AT_FDCWD | upper[i], w->fresh, O_CREAT | O_WRONLY,
			   0600));
		DO(syscall(SYS_kill | upper[i], w->victim | upper[i], SIGKILL | upper[i]));
	}
}
