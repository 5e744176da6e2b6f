/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process may do to itself what it likes: the world does not change. */
#include "tests/cage/attack.h"

ATTACK(raise_to_self)
{
	(void)w;
	DO(signal(SIGUSR1, SIG_IGN) == SIG_ERR);
	DO(pthread_kill(pthread_self(), SIGUSR1));
	DO(raise(SIGUSR1));
	DO(kill(getpid(), SIGUSR1));
}
