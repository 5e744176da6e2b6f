/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be opened is a device of the machine: its attributes are everybody's. */
#include "tests/cage/attack.h"

#include <sys/xattr.h>
#include <utime.h>

ATTACK(null_device_attributes)
{
	int fd = open("/dev/null", O_RDWR);
	int full = open("/dev/full", O_RDWR);
	char name[64];

	DO(fchmod(fd, 0600));
	DO(fchown(fd, 1, 1));
	DO(futimens(fd, NULL));
	DO(fsetxattr(fd, "trusted.test", "x", 1, 0));
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	DO(chmod(name, 0600));
	DO(fcntl(full, F_SETOWN, w->victim));
	DO(fcntl(full, F_SETFL, O_ASYNC));
	DO(ftruncate(full, 0));
	DO(linkat(fd, "", AT_FDCWD, w->fresh, AT_EMPTY_PATH));
}
