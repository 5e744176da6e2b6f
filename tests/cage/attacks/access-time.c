/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the flag away that keeps a file's time of last access, then reads. */
#include "tests/cage/attack.h"

static void read_it(int fd)
{
	char byte;

	DO(fcntl(fd, F_SETFL, 0));
	DO(syscall(SYS_fcntl, fd, F_SETFL, (unsigned long)O_NOATIME << 32 | O_APPEND));
	DO(pread(fd, &byte, 1, 0));
	DO(read(fd, &byte, 1));
	DO(syscall(SYS_fcntl, fd, F_SETFL | 1ul << 32, O_NONBLOCK));
	DO(pread(fd, &byte, 1, 0));
}

static void *in_thread(void *file)
{
	int on = 0, fd;

	DO(syscall(SYS_close_range, 1000, 1001, 2 /* CLOSE_RANGE_UNSHARE */));
	fd = open(file, O_RDONLY);
	read_it(fd);
	DO(ioctl(fd, FIONBIO, &on));
	read_it(fd);
	return NULL;
}

ATTACK(access_time)
{
	int fd = open(w->file, O_RDONLY), ends[2];
	pthread_t thread;

	read_it(fd);
	read_it(FD_READ);
	DO(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0));
	if (!pipe(ends))
		DO(splice(fd, NULL, ends[1], NULL, 1, SPLICE_F_NONBLOCK));
	fd = openat(FD_FOLDER, "../file", O_RDONLY | O_NOATIME);
	read_it(fd);
	read_it(dup(fd));
	if (!pthread_create(&thread, NULL, in_thread, strdup(w->file)))
		pthread_join(thread, NULL);
}
