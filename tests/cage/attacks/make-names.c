/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files, folders, links and nodes are made. */
#include "tests/cage/attack.h"

ATTACK(make_names)
{
	DO(mkdir(w->fresh, 0777));
	DO(symlink(w->file, w->fresh));
	DO(link(w->file, w->fresh));
	DO(mkfifo(w->fresh, 0666));
	DO(mknod(w->fresh, S_IFREG | 0666, 0));
	DO(mkdirat(FD_FOLDER, "made", 0777));
	DO(symlinkat(w->file, FD_FOLDER, "made"));
	DO(linkat(AT_FDCWD, w->file, FD_FOLDER, "made", 0));
	DO(mknodat(FD_FOLDER, "made", S_IFIFO | 0666, 0));
}
