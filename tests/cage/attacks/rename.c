/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

ATTACK(rename)
{
	DO(rename(w->file, w->fresh));
	DO(renameat(AT_FDCWD, w->link, AT_FDCWD, w->fresh));
	DO(renameat2(AT_FDCWD, w->file, AT_FDCWD, w->pipe, 2 /* exchange */));
}
