/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that the recorder needs in each caged run, opened by us and handed down to it (enum
 * trace_handed), since what it opens itself it has to ask the guard for.  They are what the guard
 * would have given, opened anew for each run: nobody else has their positions, and what is not
 * of the run can only be read.  The recorder closes them before the program begins.
 *
 * Whether the recorder has come to its plan can be seen only when it asks for it.  So a run that
 * leaves a plan which no recorder could leave is made once more with nothing handed down.
 */
#ifndef GDBEXT_REPLAY_HANDED_H
#define GDBEXT_REPLAY_HANDED_H

#include "solver/format/trace.h"

#include <glib.h>
#include <stdbool.h>

struct replay;
struct run_place;

struct handed {
	int fd[TRACE_MOST_HANDED];
	uint16_t n_open; /* of .fd */
	uint16_t n;	 /* how many are to be handed down */
	uint16_t at;	 /* the first one's number in the run; 0 = there is none */
};

/* What will be handed down, for the plan; nothing where the run may have few descriptors only.
 * flags: the plan's. */
struct handed handed_choose(const struct replay *r, uint32_t flags);
/* Opens it when the plan is written, and puts its place into the run's environment. */
bool handed_open(struct handed *h, const struct replay *r, const struct run_place *place,
		 GError **error);
void handed_close(struct handed *h);

#endif
