/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

ATTACK(truncate)
{
	DO(truncate(w->file, 0));
	DO(truncate(w->link, 1));
	DO(ftruncate(open(w->file, O_RDONLY), 0));
	DO(ftruncate(FD_WRITE, 0));
	DO(fallocate(FD_WRITE, 0, 0, 65536));
}
