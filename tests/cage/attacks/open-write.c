/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the file for writing, by each call that can. */
#include "tests/cage/attack.h"

ATTACK(open_write)
{
	int fds[] = { open(w->file, O_WRONLY),
		      open(w->file, O_RDWR | O_TRUNC),
		      creat(w->file, 0666),
		      open(w->link, O_WRONLY | O_APPEND),
		      openat(FD_FOLDER, "../file", O_WRONLY),
		      open(w->fresh, O_CREAT | O_EXCL | O_RDWR, 0666) };

	for (unsigned i = 0; i < sizeof fds / sizeof *fds; i++)
		DO(write(fds[i], "harm", 4));
}
