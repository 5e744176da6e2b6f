/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File systems are frozen, trimmed, or shut down. */
#include "tests/cage/attack.h"

ATTACK(freeze)
{
	int fd = open(w->folder, O_RDONLY);
	unsigned long long range[3] = { 0, ~0ull, 0 };
	unsigned how = 2;

	DO(ioctl(fd, 0xc0045877 /* FIFREEZE */, 0));
	DO(ioctl(fd, 0xc0185879 /* FITRIM */, range));
	DO(ioctl(fd, 0x8004587d /* EXT4_IOC_SHUTDOWN */, &how));
}
