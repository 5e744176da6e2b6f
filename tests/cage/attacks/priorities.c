/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Priorities and limits of others, and of itself. */
#include "tests/cage/attack.h"

#include <sched.h>
#include <sys/resource.h>

ATTACK(priorities)
{
	struct rlimit none = { 0, 0 };
	struct sched_param plain = { 0 };
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	DO(setpriority(PRIO_PROCESS, (id_t)w->victim, 19));
	DO(prlimit(w->victim, RLIMIT_NOFILE, &none, NULL));
	DO(sched_setscheduler(w->victim, SCHED_BATCH, &plain));
	DO(sched_setaffinity(w->victim, sizeof one, &one));
	DO(syscall(SYS_ioprio_set, 1, w->victim, 7 | 3 << 13));
	DO(syscall(SYS_migrate_pages, w->victim, 0, NULL, NULL));
}
