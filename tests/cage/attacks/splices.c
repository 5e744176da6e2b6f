/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves bytes between descriptors without writing them. */
#include "tests/cage/attack.h"

#include <sys/sendfile.h>

ATTACK(splices)
{
	static char page[4096] = "harm";
	struct iovec bytes = { page, sizeof page };
	int file = open(w->file, O_RDONLY), ends[2];

	if (pipe(ends))
		return;
	for (int fd = FD_READ; fd <= FD_LAST; fd++) {
		DO(vmsplice(fd, &bytes, 1, SPLICE_F_GIFT | SPLICE_F_NONBLOCK));
		DO(vmsplice(ends[1], &bytes, 1, SPLICE_F_NONBLOCK));
		DO(splice(ends[0], NULL, fd, NULL, 4, SPLICE_F_NONBLOCK));
		DO(splice(fd, NULL, ends[1], NULL, 4, SPLICE_F_NONBLOCK | SPLICE_F_MOVE));
		DO(tee(FD_PIPE, ends[1], 4, SPLICE_F_NONBLOCK));
		DO(sendfile(fd, file, NULL, 4));
		DO(copy_file_range(file, NULL, fd, NULL, 4, 0));
		DO(syscall(SYS_ioctl, fd, 0x40049409 /* FICLONE */, file));
	}
}
