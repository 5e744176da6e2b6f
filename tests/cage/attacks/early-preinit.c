/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Before any constructor: the executable's .preinit_array runs it. */
#include "tests/cage/attack.h"

ATTACK(early_preinit)
{
	DO(write(open(w->file, O_WRONLY | O_APPEND), "harm", 4));
	DO(unlink(w->file));
	DO(kill(w->victim, SIGKILL));
	DO(rename(w->link, w->fresh));
	DO(syscall(SYS_creat, w->fresh, 0666));
}
