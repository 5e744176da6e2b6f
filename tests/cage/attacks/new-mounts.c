/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mounts by the newer calls. */
#include "tests/cage/attack.h"

ATTACK(new_mounts)
{
	unsigned long attributes[4] = { 1 /* read-only */, 0, 0, 0 };
	int fs = (int)syscall(430, "tmpfs", 0), mount, tree;

	DO(syscall(431, fs, 6 /* create */, NULL, NULL, 0));
	mount = (int)syscall(432, fs, 0, 0);
	DO(syscall(429, mount, "", AT_FDCWD, w->folder, 4));
	tree = (int)syscall(428, AT_FDCWD, "/", 1 /* clone */);
	DO(syscall(429, tree, "", AT_FDCWD, w->folder, 4));
	DO(syscall(442, AT_FDCWD, "/", 0, attributes, sizeof attributes));
	DO(syscall(433, AT_FDCWD, w->folder, 0));
	DO(syscall(SYS_unshare, 0x10020000 /* user and mount namespaces */));
	DO(syscall(467, AT_FDCWD, w->folder, 0, attributes, sizeof attributes));
}
