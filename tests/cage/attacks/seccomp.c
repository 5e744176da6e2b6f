/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A filter of its own, or strict mode, or a notifier. */
#include "tests/cage/attack.h"

#include <linux/filter.h>

ATTACK(seccomp)
{
	struct sock_filter pass[] = { { 6, 0, 0, 0x7fff0000 } };
	struct sock_fprog program = { 1, pass };

	DO(syscall(SYS_seccomp, 1, 8, &program));
	DO(prctl(PR_SET_SECCOMP, 2, &program));
	DO(open(w->file, O_WRONLY | O_TRUNC));
	DO(unlink(w->file));
}
