/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that are made with all flags beside, and threads that do not share what threads do. */
#include "tests/cage/attack.h"

#include <sched.h>

static const struct world *world;
static char stack[16][16384] __attribute__((aligned(16)));

static int in_thread(void *arg)
{
	(void)arg;
	DO(open(world->file, O_WRONLY | O_TRUNC));
	DO(unlinkat(AT_FDCWD, world->file, 0));
	DO(kill(world->victim, SIGKILL));
	syscall(SYS_exit, 0);
	return 0;
}

ATTACK(thread_flags)
{
	static const int more[] = { 0,
				    CLONE_FS,
				    CLONE_FILES,
				    CLONE_NEWNET,
				    CLONE_NEWIPC,
				    CLONE_NEWUTS,
				    CLONE_NEWNS,
				    CLONE_NEWUSER,
				    CLONE_NEWPID,
				    CLONE_PTRACE,
				    CLONE_PARENT,
				    CLONE_UNTRACED,
				    CLONE_VFORK,
				    CLONE_SYSVSEM,
				    CLONE_DETACHED,
				    0x02000000 /* CLONE_NEWCGROUP */ };

	world = w;
	for (unsigned i = 0; i < sizeof more / sizeof *more; i++)
		DO(clone(in_thread, stack[i] + sizeof stack[i],
			 CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | more[i], NULL));
	usleep(20000);
}
