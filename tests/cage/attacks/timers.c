/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timers and clocks cannot signal others. */
#include "tests/cage/attack.h"

#include <time.h>

ATTACK(timers)
{
	struct sigevent to_victim = { .sigev_notify = 4 /* thread */, .sigev_signo = SIGKILL };
	timer_t timer;
	struct itimerspec soon = { .it_value = { 0, 1 } };

	((int *)&to_victim)[4] = w->victim;
	if (!timer_create(CLOCK_MONOTONIC, &to_victim, &timer))
		DO(timer_settime(timer, 0, &soon, NULL));
}
