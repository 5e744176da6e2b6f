/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory without end in files without names; the run is ended. */
#include "tests/cage/attack.h"

ATTACK(memfds)
{
	char *block = calloc(1, 1 << 20);

	(void)w;
	for (int i = 0; i < 64; i++) {
		int fd = memfd_create("x", 0);

		for (int n = 0; n < 16; n++)
			DO(write(fd, block, 1 << 20));
	}
}
