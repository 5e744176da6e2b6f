/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a thread stands that does not go on: in which call of untraced code its record ends, and
 * which locks it took before and did not give back (library.def says which functions do that).
 */
#ifndef SOLVER_TRACE_WAITING_H
#define SOLVER_TRACE_WAITING_H

#include "solver/trace/run.h"

struct held_lock {
	uint64_t lock; /* its address */
	uint64_t pc;   /* runtime: the call that took it */
};

struct waiting {
	uint64_t pc;	  /* runtime: the call in which it is; 0 = it is in none */
	const char *name; /* the function's name; NULL = not known */
	uint64_t lock;	  /* what it wants to take there; 0 = the call takes none */
	GArray *held;	  /* struct held_lock, in the order of taking */
};

/* False with error.  waiting_clear frees what it fills in. */
bool waiting_find(struct trace_run *run, unsigned thread, struct waiting *w, GError **error);
void waiting_clear(struct waiting *w);
/* The call that took the lock; NULL = w does not hold it. */
const struct held_lock *waiting_holds(const struct waiting *w, uint64_t lock);

#endif
