/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

ATTACK(kill)
{
	DO(kill(w->victim, SIGKILL));
	DO(kill(-w->victim, SIGKILL));
	DO(kill(getppid(), SIGUSR1));
	DO(kill(0, SIGUSR1));
	DO(kill(-1, SIGUSR1));
	DO(killpg(getpgid(w->victim), SIGUSR1));
}
