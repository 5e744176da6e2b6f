/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same harm by calls with vectors, offsets and flags: they are seldom on lists. */
#include "tests/cage/attack.h"

ATTACK(vector_calls)
{
	struct iovec one = { (void *)"bad\n", 4 };
	static const int fds[] = { FD_READ, FD_WRITE, FD_PIPE, FD_SOCKET, FD_MEMORY, FD_FOLDER };
	struct mmsghdr message = { .msg_hdr = { .msg_iov = &one, .msg_iovlen = 1 } };
	off_t from = 0;

	(void)w;
	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
		DO(pwritev(fds[i], &one, 1, 0));
		DO(pwritev2(fds[i], &one, 1, -1, RWF_APPEND));
		DO(syscall(SYS_sendmmsg, fds[i], &message, 1, MSG_OOB));
		DO(syscall(SYS_vmsplice, fds[i], &one, 1, 0));
		DO(syscall(SYS_fallocate, fds[i], 0, 0, 9999));
		DO(syscall(SYS_sync_file_range, fds[i], 0, 0, 7));
		DO(syscall(SYS_copy_file_range, FD_READ, &from, fds[i], NULL, 4, 0));
		DO(syscall(SYS_fadvise64, fds[i], 0, 0, 4));
	}
}
