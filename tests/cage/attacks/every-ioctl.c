/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever drivers and file systems offer by ioctl(2), on whatever the run has. */
#include "tests/cage/attack.h"

/* What terminals, sockets, file systems, disks, name spaces and the like call their numbers. */
static const unsigned kinds[] = { 'T',	0x89, 'f', 'X',	 'v',  0x94, 0x12, 0x21, 'E', 'K', 'V',
				  0xb7, 0xaa, 'p', 0x5e, 0x00, 'r',  'u',  'k',	 'S', 0xff };
static const unsigned forms[] = { 0, 0x40040000, 0x40080000, 0x80040000, 0xc0180000 };

static void ask_all(int fd, unsigned kind, long *argument)
{
	for (unsigned form = 0; form < sizeof forms / sizeof *forms; form++)
		for (unsigned number = 0; number < 256; number++) {
			unsigned long request = forms[form] | kind << 8 | number;

			DO((int)syscall(SYS_ioctl, fd, request, argument));
			DO((int)syscall(SYS_ioctl, fd, request | 1ul << 40, argument[0]));
		}
}

ATTACK(every_ioctl)
{
	int pair[2] = { -1, -1 };

	DO(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	const int fds[] = { open(w->file, O_RDONLY),
			    open(w->folder, O_RDONLY),
			    open(w->file, O_PATH),
			    open("/dev/zero", O_RDWR),
			    open("/proc/self/ns/net", O_RDONLY),
			    pair[0],
			    FD_READ,
			    FD_WRITE,
			    FD_PIPE,
			    FD_SOCKET,
			    FD_TERMINAL,
			    FD_FOLDER,
			    FD_EVENT,
			    FD_TIMER,
			    FD_EPOLL,
			    FD_MEMORY };

	for (unsigned i = 0; i < sizeof fds / sizeof *fds; i++)
		for (unsigned kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
			long argument[64] = { w->victim, w->victim, FD_READ, 1 };

			ask_all(fds[i], kinds[kind], argument);
		}
}
