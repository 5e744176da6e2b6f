/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens by a handle, which goes around paths. */
#include "tests/cage/attack.h"

ATTACK(open_by_handle)
{
	union {
		struct file_handle handle;
		char room[256];
	} h = { .handle.handle_bytes = 128 };
	int mount;

	if (!name_to_handle_at(AT_FDCWD, w->file, &h.handle, &mount, 0))
		DO(write(open_by_handle_at(FD_FOLDER, &h.handle, O_WRONLY), "harm", 4));
}
