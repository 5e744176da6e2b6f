/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes what the kernel thinks of the process, then does harm. */
#include "tests/cage/attack.h"

#include <sys/personality.h>

ATTACK(prctls)
{
	unsigned long ruleset[3] = { 1 };

	for (int option = 1; option < 80; option++) {
		DO(prctl(option, 0, 0, 0, 0));
		DO(prctl(option, 1, 0, 0, 0));
		DO(prctl(option, w->victim, 2, 3, 4));
	}
	DO(prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY));
	DO(prctl(47 /* PR_CAP_AMBIENT */, 2, 1, 0, 0));
	DO(prctl(59 /* PR_SET_SYSCALL_USER_DISPATCH */, 1, 0, 0, 0));
	DO(prctl(62 /* PR_SCHED_CORE */, 2, w->victim, 0, 0));
	DO(personality(READ_IMPLIES_EXEC | ADDR_NO_RANDOMIZE));
	DO(syscall(444, ruleset, 8, 0)); /* landlock */
	DO(syscall(446, 3, 0));
	DO(syscall(447, 0));			    /* memfd_secret */
	DO(syscall(440, w->victim, NULL, 0, 8, 0)); /* process_madvise */
	DO(syscall(SYS_arch_prctl, 0x1023, 18));    /* another CPU feature */
	DO(unlink(w->file));
	DO(kill(w->victim, SIGKILL));
}
