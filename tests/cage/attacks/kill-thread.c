/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

ATTACK(kill_thread)
{
	siginfo_t info = { .si_code = -1 };

	DO(syscall(SYS_tkill, w->victim, SIGKILL));
	DO(syscall(SYS_tgkill, w->victim, w->victim, SIGKILL));
	DO(syscall(SYS_rt_sigqueueinfo, w->victim, SIGKILL, &info));
	DO(syscall(SYS_rt_tgsigqueueinfo, w->victim, w->victim, SIGKILL, &info));
	DO(sigqueue(w->victim, SIGTERM, (union sigval){ 0 }));
}
