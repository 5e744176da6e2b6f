/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

ATTACK(exec)
{
	char *const argv[] = { (char *)"rm", (char *)"-f", (char *)w->file, NULL };

	DO(execv("/bin/rm", argv));
	DO(execveat(AT_FDCWD, "/bin/rm", argv, environ, 0));
	DO(fexecve(open("/bin/rm", O_RDONLY), argv, environ));
	DO(system("rm -f file"));
}
