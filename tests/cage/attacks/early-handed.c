/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is open for the recorder, as long as the recorder has not closed it. */
#include "tests/cage/attack.h"

#include <sys/file.h>
#include <sys/xattr.h>

ATTACK(early_handed)
{
	(void)w;
	for (int fd = 3; fd < 300; fd++) {
		char path[64], *memory;

		if (fcntl(fd, F_GETFD) < 0)
			continue;
		DO(fsetxattr(fd, "user.harm", "harm", 4, 0));
		DO(fchmod(fd, 0777));
		DO(flock(fd, LOCK_EX | LOCK_NB));
		DO(futimens(fd, NULL));
		DO(lseek(fd, 7, SEEK_SET));
		DO(fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND | O_ASYNC));
		DO(write(fd, "harm", 4));
		DO(pwrite(fd, "harm", 4, 0));
		DO(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 64));
		memory = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (memory != MAP_FAILED)
			memset(memory, 0xee, 64);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		DO(write(open(path, O_RDWR | O_TRUNC), "harm", 4));
		DO(ftruncate(fd, 0));
	}
}
