/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets of all kinds. */
#include "tests/cage/attack.h"

#include <netinet/in.h>
#include <sys/un.h>

ATTACK(sockets)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons((unsigned short)w->port) };
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int fd = socket(AF_INET, SOCK_DGRAM, 0), pair[2];
	struct iovec piece = { (void *)"harm", 4 };
	struct msghdr message = {
		.msg_name = &name, .msg_namelen = sizeof name, .msg_iov = &piece, .msg_iovlen = 1
	};

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	DO(sendto(fd, "harm", 4, 0, (void *)&to, sizeof to));
	snprintf(name.sun_path, sizeof name.sun_path, "%s", w->socket);
	fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	DO(sendto(fd, "harm", 4, 0, (void *)&name, sizeof name));
	DO(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
	DO(sendto(pair[0], "harm", 4, 0, (void *)&name, sizeof name));
	DO(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	DO(sendto(pair[0], "harm", 4, 0, (void *)&name, sizeof name));
	DO(sendmsg(pair[0], &message, 0));
	DO(connect(pair[0], (void *)&name, sizeof name));
	DO(sendto(FD_SOCKET, "harm", 4, MSG_DONTWAIT, NULL, 0));
}
