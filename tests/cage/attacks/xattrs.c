/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extended attributes, with the calls that newer kernels have. */
#include "tests/cage/attack.h"

#include <sys/xattr.h>

ATTACK(xattrs)
{
	int fd = open(w->file, O_RDONLY);
	struct {
		unsigned long long value;
		unsigned size, flags;
	} args = { (unsigned long long)(unsigned long)"harm", 4, 0 };

	DO(setxattr(w->file, "user.harm", "harm", 4, 0));
	DO(lsetxattr(w->file, "user.harm", "harm", 4, 0));
	DO(fsetxattr(fd, "user.test", "harm", 4, 0));
	DO(removexattr(w->file, "user.test"));
	DO(lremovexattr(w->file, "user.test"));
	DO(fremovexattr(fd, "user.test"));
	DO(syscall(463, AT_FDCWD, w->file, 0, "user.harm", &args, sizeof args));
	DO(syscall(466, AT_FDCWD, w->file, 0, "user.test"));
}
