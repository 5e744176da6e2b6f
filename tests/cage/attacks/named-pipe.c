/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a pipe is seen at its other end. */
#include "tests/cage/attack.h"

ATTACK(named_pipe)
{
	char buffer[16];
	int fd = open(w->pipe, O_RDONLY | O_NONBLOCK);

	DO(read(fd, buffer, sizeof buffer));
	DO(write(open(w->pipe, O_WRONLY | O_NONBLOCK), "harm", 4));
	DO(write(open(w->pipe, O_RDWR | O_NONBLOCK), "harm", 4));
}
