/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

#include <sys/ptrace.h>

ATTACK(ptrace)
{
	DO(ptrace(PTRACE_ATTACH, w->victim, 0, 0));
	DO(ptrace(PTRACE_SEIZE, w->victim, 0, 0));
	DO(ptrace(PTRACE_KILL, w->victim, 0, 0));
}
