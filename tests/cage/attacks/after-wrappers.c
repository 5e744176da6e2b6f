/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real calls right after each function that the recorder has in its place: a register that was left
 * behind would let them pass. */
#include "tests/cage/attack.h"

ATTACK(after_wrappers)
{
	sigset_t set;
	stack_t stack;

	sigemptyset(&set);
	for (int i = 0; i < 4; i++) {
		DO(sigprocmask(SIG_BLOCK, &set, NULL));
		DO(syscall(SYS_open, w->file, O_WRONLY | O_TRUNC));
		DO(pthread_sigmask(SIG_BLOCK, &set, NULL));
		DO(syscall(SYS_creat, w->file, 0));
		DO(sigaltstack(NULL, &stack));
		DO(syscall(SYS_kill, w->victim, SIGKILL));
		DO(signal(SIGUSR2, SIG_IGN) == SIG_ERR);
		DO(syscall(SYS_tkill, w->victim, SIGKILL));
	}
}
