/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Name spaces of its own: for a process, and for threads, which root may give them. */
#include "tests/cage/attack.h"

#include <sched.h>

enum { ROOM = 16384, MANY = 50 };

static int wait_there(void *nothing)
{
	(void)nothing;
	sethostname("harm", 4);
	pause();
	return 0;
}

ATTACK(clone_namespaces)
{
	static const int some[] = { CLONE_NEWNET, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWCGROUP,
				    CLONE_NEWUTS | CLONE_NEWNET };
	const int thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;

	DO(syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0));
	DO(unshare(CLONE_NEWUSER));
	DO(unshare(CLONE_NEWNS));
	DO(setns(open("/proc/1/ns/mnt", O_RDONLY), 0));
	for (unsigned i = 0; i < MANY; i++) {
		char *stack = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				   -1, 0);

		DO(clone(wait_there, stack + ROOM, thread | some[i % (sizeof some / sizeof *some)],
			 NULL));
	}
}
