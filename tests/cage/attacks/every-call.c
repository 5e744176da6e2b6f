/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every number that a system call may have, without arguments; what is answered is printed.  Left
 * out are those that end or block the process, and two that the kernel does not show to filters:
 * 335 and 336, by which its own probes of user code come back; they do nothing else. */
#include "tests/cage/attack.h"

static int ends_or_blocks(long number)
{
	static const long some[] = { SYS_exit,
				     SYS_exit_group,
				     SYS_pause,
				     SYS_rt_sigreturn,
				     SYS_rt_sigsuspend,
				     SYS_select,
				     SYS_pselect6,
				     SYS_ppoll,
				     SYS_rt_sigtimedwait,
				     SYS_restart_syscall,
				     SYS_read,
				     SYS_arch_prctl,
				     SYS_set_robust_list,
				     SYS_munmap };

	if (number == 335 || number == 336)
		return 1;
	for (unsigned i = 0; i < sizeof some / sizeof *some; i++)
		if (some[i] == number)
			return 1;
	return 0;
}

ATTACK(every_call)
{
	long result;

	(void)w;
	for (long number = 0; number < 1024; number++) {
		if (ends_or_blocks(number))
			continue;
		errno = 0;
		result = syscall(number, 0, 0, 0, 0, 0, 0);
		printf("%ld %d\n", result < 0 ? number : number + 10000, result < 0 ? errno : 0);
	}
	fflush(stdout);
	_exit(7);
}
