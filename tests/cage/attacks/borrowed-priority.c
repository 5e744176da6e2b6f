/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is said to hold a lock gets the priority of those that wait for it. */
#include "tests/cage/attack.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdint.h>
#include <time.h>

ATTACK(borrowed_priority)
{
	static const int operations[] = { FUTEX_LOCK_PI, FUTEX_LOCK_PI | FUTEX_PRIVATE_FLAG,
					  13 /* FUTEX_LOCK_PI2 */ | FUTEX_CLOCK_REALTIME,
					  FUTEX_TRYLOCK_PI };
	const struct sched_param most = { 50 };

	DO(sched_setscheduler(0, SCHED_FIFO, &most));
	for (unsigned i = 0; i < sizeof operations / sizeof *operations; i++) {
		uint32_t word = (uint32_t)w->victim;
		struct timespec soon;

		clock_gettime(CLOCK_REALTIME, &soon);
		soon.tv_nsec += 1000000;
		soon.tv_nsec %= 1000000000;
		DO((int)syscall(SYS_futex, &word, operations[i], 0, &soon, NULL, 0));
	}
}
