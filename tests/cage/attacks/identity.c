/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another user, so that the kernel forgets who the parent is; then it stays. */
#include "tests/cage/attack.h"

ATTACK(identity)
{
	char *const argv[] = { (char *)"sleep", (char *)"1000", NULL };

	DO(setuid(65534));
	DO(setresuid(65534, 65534, 65534));
	DO(setgid(65534));
	DO(prctl(PR_SET_PDEATHSIG, 0));
	DO(prctl(PR_SET_DUMPABLE, 0));
	DO(prctl(PR_SET_CHILD_SUBREAPER, 1));
	DO(setsid());
	DO(daemon(1, 1));
	DO(execv("/bin/sleep", argv));
	DO(unlink(w->file));
}
