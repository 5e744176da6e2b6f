/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands around an advisory under test and is not under test itself, so it
 * is built without debug info: the twelve inputs are read here, and the golden
 * version is here under another name.
 */
#define advise golden_advise
#include "advisory.c"
#undef advise

#include <stdio.h>
#include <stdlib.h>

void read_encounter(struct encounter *e, int argc, char **argv)
{
	int *const fields[] = { &e->own_height, &e->own_rate, &e->other_height, &e->other_rate,
				&e->distance,	&e->closing,  &e->clearance,	&e->link,
				&e->intends,	&e->last,     &e->warnings,	&e->yields };
	int n = (int)(sizeof fields / sizeof fields[0]);

	if (argc != n + 1) {
		fprintf(stderr, "%s: takes %d numbers\n", argv[0], n);
		exit(2);
	}
	for (int i = 0; i < n; i++)
		*fields[i] = atoi(argv[i + 1]);
}
