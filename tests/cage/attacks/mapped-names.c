/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that is mapped has a second name below /proc, by which it can be opened to be written. */
#include "tests/cage/attack.h"

#include <stdio.h>
#include <sys/mman.h>

ATTACK(mapped_names)
{
	int fd = open(w->file, O_RDONLY);
	char *at = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	char path[128];

	if (at == MAP_FAILED)
		return;
	snprintf(path, sizeof path, "/proc/self/map_files/%lx-%lx", (unsigned long)at,
		 (unsigned long)at + 4096);
	for (int i = 0; i < 3; i++) {
		static const int flags[] = { O_WRONLY | O_TRUNC, O_RDWR | O_APPEND, O_RDONLY };
		int again = open(path, flags[i]);

		DO((int)write(again, "x", 1));
		DO(ftruncate(again, 0));
		DO(fchmod(again, 0));
		close(again);
	}
	DO(truncate(path, 0));
	DO(unlink(path));
	DO(mprotect(at, 4096, PROT_READ | PROT_WRITE));
	DO(madvise(at, 4096, 9 /* MADV_REMOVE */));
	munmap(at, 4096);
	close(fd);
}
