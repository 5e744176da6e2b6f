/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that the kernel sends for a descriptor. */
#include "tests/cage/attack.h"

ATTACK(owner_signals)
{
	int pair[2], pid = w->victim;
	struct f_owner_ex owner = { F_OWNER_PID, w->victim };

	DO(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	DO(ioctl(pair[0], 0x8901 /* FIOSETOWN */, &pid));
	DO(ioctl(pair[0], 0x8902 /* SIOCSPGRP */, &pid));
	DO(fcntl(pair[0], F_SETOWN, pid));
	DO(fcntl(pair[0], F_SETOWN_EX, &owner));
	DO(fcntl(pair[0], F_SETSIG, SIGKILL));
	DO(fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK));
	DO(write(pair[1], "x", 1));
}
