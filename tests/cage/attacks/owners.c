/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

ATTACK(owners)
{
	int fd = open(w->file, O_RDONLY);

	DO(chown(w->file, 12, 12));
	DO(lchown(w->link, 12, 12));
	DO(fchown(fd, 12, 12));
	DO(fchownat(AT_FDCWD, w->file, 12, 12, 0));
}
