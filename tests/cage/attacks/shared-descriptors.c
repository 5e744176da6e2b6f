/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that runs of one checkpoint have open together: places, flags, contents, locks. */
#include "tests/cage/attack.h"

#include <sys/file.h>

ATTACK(shared_descriptors)
{
	struct flock all = { .l_type = F_WRLCK };
	char byte;

	(void)w;
	for (int fd = 0; fd < 64; fd++) {
		DO(pwrite(fd, "harm", 4, 0));
		DO(write(fd, "harm", 4));
		DO(read(fd, &byte, 1));
		DO(lseek(fd, 1, SEEK_SET));
		DO(fallocate(fd, 0, 0, 100000));
		DO(fallocate(fd, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, 0, 4096));
		DO(ftruncate(fd, 3));
		DO(fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND | O_ASYNC | O_DIRECT));
		DO(fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND | O_NOATIME));
		DO(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK));
		DO(fcntl(fd, F_SETLK, &all));
		DO(fcntl(fd, F_OFD_SETLK, &all));
		DO(flock(fd, LOCK_EX | LOCK_NB));
		DO(ioctl(fd, FIONBIO, &(int){ 1 }));
		DO(fcntl(fd, F_SETFD, FD_CLOEXEC));
		DO(dup2(0, fd));
	}
	DO((int)syscall(SYS_close_range, 0, ~0u, 0));
}
