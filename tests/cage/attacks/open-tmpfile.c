/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file without a name, which is then given one. */
#include "tests/cage/attack.h"

ATTACK(open_tmpfile)
{
	char path[64];
	int fd = open(w->folder, O_TMPFILE | O_RDWR, 0600);

	DO(write(fd, "harm", 4));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	DO(linkat(AT_FDCWD, path, AT_FDCWD, w->fresh, AT_SYMLINK_FOLLOW));
}
