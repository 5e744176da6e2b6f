/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

#include <sys/mount.h>

ATTACK(mounts)
{
	DO(mount("none", w->folder, "tmpfs", 0, NULL));
	DO(mount(w->file, w->file, NULL, MS_BIND, NULL));
	DO(umount2("/proc", MNT_DETACH));
	DO(syscall(SYS_pivot_root, w->folder, w->folder));
	DO(chroot(w->folder));
	DO(syscall(428, AT_FDCWD, w->folder, 1));
	DO(syscall(430, "tmpfs", 0));
	DO(syscall(442, AT_FDCWD, w->folder, 0, NULL, 0));
}
