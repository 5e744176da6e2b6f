/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files become writable by what is done with their pages, not by writing to them. */
#include "tests/cage/attack.h"

ATTACK(writable_maps)
{
	int fds[] = { open(w->file, O_RDONLY), FD_READ, FD_WRITE, FD_MEMORY };

	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
		char *at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fds[i], 0);

		if (at == MAP_FAILED)
			continue;
		if (!mprotect(at, 4096, PROT_READ | PROT_WRITE))
			memcpy(at, "harm", 4);
		DO(madvise(at, 4096, MADV_REMOVE)); /* punches a hole */
		DO(madvise(at, 4096, MADV_PAGEOUT));
		DO(syscall(SYS_remap_file_pages, at, 4096, 0, 0, 0));
		DO(fallocate(fds[i], 3 /* punch, keep the size */, 0, 4096));
		DO(ftruncate(fds[i], 0));
		munmap(at, 4096);
	}
}
