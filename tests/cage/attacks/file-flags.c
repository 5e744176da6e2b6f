/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flags and generations of files by ioctl and by the newest calls. */
#include "tests/cage/attack.h"

ATTACK(file_flags)
{
	int fd = open(w->file, O_RDONLY), flags = 0x80 /* noatime */;
	long version = 4711;
	unsigned long long attributes[8] = { 0x80 };
	unsigned fsx[8] = { 0x40 };

	DO(ioctl(fd, 0x40086602 /* FS_IOC_SETFLAGS */, &flags));
	DO(ioctl(fd, 0x40087602 /* FS_IOC_SETVERSION */, &version));
	DO(ioctl(fd, 0x401c5820 /* FS_IOC_FSSETXATTR */, fsx));
	DO(syscall(469, AT_FDCWD, w->file, attributes, sizeof attributes, 0));
	DO(syscall(467, AT_FDCWD, w->folder, 0, attributes, sizeof attributes));
	DO(ioctl(fd, 0x40049409 /* FICLONE */, FD_READ));
}
