/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors that a thread has for itself: what is done there is done to the user's all the same.
 */
#include "tests/cage/attack.h"

#include <sched.h>
#include <sys/socket.h>
#include <sys/uio.h>

static const struct world *world;
static char stack[65536] __attribute__((aligned(16)));

static int in_thread(void *arg)
{
	char byte = 'x';
	struct iovec bytes = { &byte, 1 };
	int ends[2];

	(void)arg;
	DO((int)syscall(SYS_close_range, 0, FD_READ - 1, 2 /* CLOSE_RANGE_UNSHARE */));
	DO((int)lseek(FD_READ, 0, SEEK_END));
	DO((int)write(FD_WRITE, "x", 1));
	DO((int)write(FD_PIPE, "x", 1));
	DO((int)vmsplice(FD_PIPE, &bytes, 1, 0));
	if (!pipe(ends)) {
		DO((int)vmsplice(ends[1], &bytes, 1, 8 /* SPLICE_F_GIFT */));
		DO((int)splice(ends[0], NULL, FD_WRITE, NULL, 1, 0));
	}
	DO((int)splice(FD_READ, NULL, FD_SOCKET, NULL, 1, 0));
	DO(fcntl(FD_PIPE, F_SETFL, O_NONBLOCK));
	DO(open(world->file, O_WRONLY | O_TRUNC));
	syscall(SYS_exit, 0);
	return 0;
}

ATTACK(unshared_descriptors)
{
	world = w;
	DO(clone(in_thread, stack + sizeof stack,
		 CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | CLONE_FS | CLONE_SYSVSEM, NULL));
	DO(clone(in_thread, stack + sizeof stack / 2,
		 CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | CLONE_FS | CLONE_FILES, NULL));
	usleep(20000);
}
