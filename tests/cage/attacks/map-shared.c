/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shared mapping that is written. */
#include "tests/cage/attack.h"

ATTACK(map_shared)
{
	int fd = open(w->file, O_RDWR);
	char *at = mmap(NULL, 5, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	char *other = mmap(NULL, 5, PROT_READ | PROT_WRITE, MAP_SHARED, FD_WRITE, 0);

	if (at != MAP_FAILED)
		memcpy(at, "harm", 4);
	if (other != MAP_FAILED)
		memcpy(other, "harm", 4);
}
