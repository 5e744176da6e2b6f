/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends descriptors and bytes over sockets that it has, or makes. */
#include "tests/cage/attack.h"

static void send_fd(int to, int fd)
{
	char byte = '!', control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec bytes = { &byte, 1 };
	struct mmsghdr m = { .msg_hdr = { .msg_iov = &bytes,
					  .msg_iovlen = 1,
					  .msg_control = control,
					  .msg_controllen = sizeof control } };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m.msg_hdr);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
	DO(sendmsg(to, &m.msg_hdr, MSG_DONTWAIT));
	DO(sendmmsg(to, &m, 1, MSG_DONTWAIT));
}

ATTACK(pass_descriptors)
{
	int pair[2], file = open(w->file, O_RDONLY);

	send_fd(FD_SOCKET, file);
	send_fd(FD_SOCKET, FD_FOLDER);
	for (int i = 0; i < 64; i++)
		send_fd(i, file);
	DO(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
	if (!socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		send_fd(pair[0], file);
}
