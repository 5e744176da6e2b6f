/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of files and file systems by ioctl. */
#include "tests/cage/attack.h"

#include <linux/fs.h>

ATTACK(reflinks)
{
	static const unsigned long requests[] = { FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, FITRIM };
	int fds[] = { open(w->file, O_RDONLY), open(".", O_RDONLY | O_DIRECTORY), FD_READ, FD_WRITE,
		      FD_FOLDER };
	int from = open("/proc/self/exe", O_RDONLY);

	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
		struct file_clone_range range = { .src_fd = from, .src_length = 4096 };
		unsigned long argument[16] = { 0x10 /* immutable */ };

		DO(ioctl(fds[i], FICLONE, from));
		DO(ioctl(fds[i], FICLONERANGE, &range));
		for (size_t k = 0; k < sizeof requests / sizeof *requests; k++)
			DO(ioctl(fds[i], requests[k], argument));
		/* the upper half, at which the kernel does not look */
		DO(syscall(SYS_ioctl, fds[i], FS_IOC_SETFLAGS | 1ul << 40, argument));
	}
}
