/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waits by futex(2) at a place in a file is waited for by others who map that file, even where
 * they can only read it: taken elsewhere, it is never woken. */
#include "tests/cage/attack.h"

#include <linux/futex.h>
#include <stdint.h>

static void take_away(uint32_t *theirs, uint32_t *ours)
{
	DO(syscall(SYS_futex, theirs, FUTEX_REQUEUE, 0, 100, ours, 0));
	DO(syscall(SYS_futex, theirs, FUTEX_CMP_REQUEUE, 0, 100, ours, *theirs));
	DO(syscall(SYS_futex, theirs, FUTEX_REQUEUE | 1 << 10, 0, 100, ours, 0));
	DO(syscall(SYS_futex, theirs, FUTEX_REQUEUE | 1ul << 32, 0, 100, ours, 0));
	DO(syscall(SYS_futex, theirs, FUTEX_CMP_REQUEUE_PI, 1, 100, ours, *theirs));
	DO(syscall(456 /* futex_requeue */, theirs, 0, 0, 100));
}

ATTACK(futexes)
{
	int fd = open("waited", O_RDONLY);
	long page = sysconf(_SC_PAGESIZE);
	uint32_t ours = 0;

	for (int shared = 0; shared < 2; shared++) {
		uint32_t *theirs = mmap(NULL, (size_t)page, PROT_READ,
					shared ? MAP_SHARED : MAP_PRIVATE, fd, 0);

		if (theirs != MAP_FAILED)
			take_away(theirs, &ours);
	}
}
