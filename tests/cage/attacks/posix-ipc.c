/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues, shared memory and semaphores of POSIX. */
#include "tests/cage/attack.h"

#include <mqueue.h>
#include <semaphore.h>

ATTACK(posix_ipc)
{
	int fd = shm_open("/why-cage-attack", O_CREAT | O_RDWR, 0666);

	DO(ftruncate(fd, 4096));
	DO(sem_open("/why-cage-attack", O_CREAT, 0666, 1));
	DO(mq_open("/why-cage-attack", O_CREAT | O_RDWR, 0666, NULL));
	DO(mq_unlink("/why-cage-attack"));
}
