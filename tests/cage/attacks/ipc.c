/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared memory, messages and semaphores of System V. */
#include "tests/cage/attack.h"

#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

ATTACK(ipc)
{
	char *at = shmat(w->shm, NULL, 0);
	struct {
		long type;
		char text[8];
	} message = { 1, "harm" };
	struct sembuf up = { 0, 1, IPC_NOWAIT };

	if (at != (void *)-1)
		strcpy(at, "harm");
	DO(msgsnd(w->msg, &message, 4, IPC_NOWAIT));
	DO(msgrcv(w->msg, &message, 8, 0, IPC_NOWAIT));
	DO(semop(w->sem, &up, 1));
	DO(semctl(w->sem, 0, SETVAL, 7));
	DO(shmctl(w->shm, IPC_RMID, NULL));
	DO(msgctl(w->msg, IPC_RMID, NULL));
	DO(semctl(w->sem, 0, IPC_RMID));
	DO(shmget(0x4711, 4096, IPC_CREAT | 0666));
	DO(msgget(0x4711, IPC_CREAT | 0666));
	DO(semget(0x4711, 1, IPC_CREAT | 0666));
}
