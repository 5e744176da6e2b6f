/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls by which the supervisor starts runs, which the part of the cage that it has itself
 * leaves open: a run's own part must close them. */
#include "tests/cage/attack.h"

#include <stdint.h>
#include <sys/personality.h>
#include <sys/resource.h>

ATTACK(starting_calls)
{
	char *argv[] = { "touch", (char *)(uintptr_t)w->fresh, NULL };
	char byte = 'x';
	struct iovec bytes = { &byte, 1 };
	struct msghdr message = { .msg_iov = &bytes, .msg_iovlen = 1 };
	struct rlimit few = { 3, 3 };

	DO(syscall(SYS_seccomp, 1 /* SECCOMP_SET_MODE_FILTER */, 8 /* NEW_LISTENER */, NULL));
	DO(personality(READ_IMPLIES_EXEC));
	DO(syscall(SYS_setrlimit, RLIMIT_FSIZE, &few));
	DO(prlimit(w->victim, RLIMIT_NOFILE, &few, NULL));
	for (int fd = 3; fd <= FD_LAST; fd++)
		DO(sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL));
	for (int flags = 0; flags < 3; flags++) /* as vfork, as fork */
		if (!syscall(SYS_clone, flags ? SIGCHLD | (flags > 1 ? CLONE_PARENT : 0) : 0, NULL,
			     NULL, NULL, NULL)) {
			DO(execv("/usr/bin/touch", argv));
			_exit(1);
		}
	DO(execv("/usr/bin/touch", argv));
}
