/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A world for attacks (tests/cage): a folder with files of all kinds, a terminal, processes, IPC,
 * receivers of packets, and descriptors that the attacked program inherits.  Its state is a
 * text, a line for each thing, so that two states are compared by comparing texts.
 */
#ifndef TESTS_SUPPORT_WORLD_H
#define TESTS_SUPPORT_WORLD_H

#include <stdint.h>
#include <sys/types.h>

struct world_of_attacks {
	char *folder, *input; /* .input: outside of the folder; which attack is asked for */
	pid_t victim;
	int terminal, pipe, udp, unix_socket, other_end, pipe_ends[2];
	int shm, msg, sem;
	uint32_t *waited; /* in a file; the victim waits there */
};

void world_init(struct world_of_attacks *w);
void world_deinit(struct world_of_attacks *w);
/* What can be seen of it.  Free it. */
char *world_state(const struct world_of_attacks *w);
/* Prints the lines in which two states differ. */
void world_print_difference(const char *before, const char *after);
/* The program that runs the attacks of tests/cage, made in $BUILD/tests/cage. Free it. */
char *world_compile(void);
/* Names of all attacks, NULL-terminated, sorted. Free them. */
char **world_attacks(void);

#endif
