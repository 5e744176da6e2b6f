/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that the recorder needs in each caged run, opened by us and handed down to it (enum
 * trace_handed), since what it opens itself it has to ask the guard for.  They are what the guard
 * would have given, opened anew for each run: nobody else has their positions, and what is not
 * of the run can only be read.  The recorder closes them before the program begins.
 */
#ifndef GDBEXT_REPLAY_HANDED_H
#define GDBEXT_REPLAY_HANDED_H

#include "solver/format/trace.h"

#include <glib.h>

struct replay;
struct run_place;

struct handed {
	int fd[TRACE_MOST_HANDED];
	uint16_t n;
	uint16_t at; /* the first one's number in the run; 0 = there is none */
};

/* None, where one cannot be opened or the run may have few descriptors only.  flags: the plan's. */
struct handed handed_open(const struct replay *r, const struct run_place *place, uint32_t flags);
void handed_close(struct handed *h);

#endif
