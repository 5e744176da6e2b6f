/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes are sent from one descriptor to another. */
#include "tests/cage/attack.h"

#include <sys/sendfile.h>

ATTACK(copies)
{
	int from = open("/dev/zero", O_RDONLY), to = open(w->file, O_WRONLY), ends[2];
	char harm[] = "harm";
	struct iovec piece = { harm, 4 };

	DO(pipe(ends));
	DO(sendfile(to, from, NULL, 4));
	DO(sendfile(FD_WRITE, FD_READ, NULL, 4));
	DO(copy_file_range(FD_READ, NULL, FD_WRITE, NULL, 4, 0));
	DO(vmsplice(ends[1], &piece, 1, 0));
	DO(tee(ends[0], FD_PIPE, 4, SPLICE_F_NONBLOCK));
	DO(splice(ends[0], NULL, FD_WRITE, NULL, 4, SPLICE_F_NONBLOCK));
	DO(splice(FD_PIPE, NULL, ends[1], NULL, 4, SPLICE_F_NONBLOCK));
}
