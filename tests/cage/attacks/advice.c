/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mappings that are only read, whose pages are taken away; ranges of what was handed down. */
#include "tests/cage/attack.h"

#include <stdint.h>

ATTACK(advice)
{
	int fd = open(w->file, O_RDONLY), some[] = { fd, FD_READ, FD_WRITE, FD_MEMORY };
	uint64_t hint = 2;

	for (unsigned i = 0; i < sizeof some / sizeof *some; i++) {
		char *at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, some[i], 0);

		for (int advice = 0; advice < 128; advice++)
			DO(madvise(at, 4096, advice));
		DO(mprotect(at, 4096, PROT_READ | PROT_WRITE));
		DO(msync(at, 4096, MS_INVALIDATE));
		DO(fallocate(some[i], 3 /* punch a hole, keep the size */, 0, 4));
		DO(fallocate(some[i], 0, 0, 4096));
		DO(ftruncate(some[i], 1));
		DO(syscall(SYS_copy_file_range, fd, NULL, some[i], NULL, 4, 0));
		DO(syscall(SYS_sendfile, some[i], fd, NULL, 4));
		DO(posix_fadvise(some[i], 0, 0, POSIX_FADV_DONTNEED));
		DO(fcntl(some[i], 1034 /* F_SET_RW_HINT */, &hint));
		DO(fcntl(some[i], F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK));
		DO(fcntl(some[i], F_SETLEASE, F_WRLCK));
	}
}
