/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is at the other end, and descriptors of theirs. */
#include "tests/cage/attack.h"

ATTACK(peers)
{
	int some[] = { FD_SOCKET, FD_PIPE, FD_EPOLL, FD_EVENT, 3, 4, 5, 6 }, pair[2];
	char byte = 'h';

	DO(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	for (unsigned i = 0; i < sizeof some / sizeof *some; i++) {
		int peer = -1;
		socklen_t n = sizeof peer;

		DO(getsockopt(some[i], SOL_SOCKET, 77 /* SO_PEERPIDFD */, &peer, &n));
		DO(syscall(SYS_pidfd_send_signal, peer, SIGKILL, NULL, 0));
		DO(syscall(SYS_pidfd_getfd, peer, 1, 0));
		DO(setsockopt(some[i], SOL_SOCKET, SO_RCVTIMEO, &peer, n));
		DO(send(some[i], &byte, 1, MSG_DONTWAIT));
		DO(sendto(some[i], &byte, 1, MSG_DONTWAIT, NULL, 0));
		DO(recv(some[i], &byte, 1, MSG_DONTWAIT));
		DO(write(some[i], &byte, 1));
		DO(shutdown(some[i], SHUT_RDWR));
		DO(ioctl(some[i], 0x2103 /* SECCOMP_IOCTL_NOTIF_SET_FLAGS, nearly */, 0));
		DO(ioctl(some[i], 0xc0502100 /* SECCOMP_IOCTL_NOTIF_RECV */, &peer));
	}
	DO(getsockopt(pair[0], SOL_SOCKET, 77, some, &(socklen_t){ sizeof some[0] }));
	DO(syscall(SYS_pidfd_send_signal, some[0], SIGKILL, NULL, 0));
}
