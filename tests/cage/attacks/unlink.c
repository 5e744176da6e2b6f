/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

ATTACK(unlink)
{
	DO(unlink(w->file));
	DO(unlinkat(AT_FDCWD, w->link, 0));
	DO(rmdir(w->folder));
	DO(remove(w->pipe));
	DO(unlink(w->socket));
}
