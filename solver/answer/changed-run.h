/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the instances on a way give in the run that is a suspect's proof: it is made once more,
 * recorded, and laid beside the failing one (solver/slice/counterpart.h).
 *
 *     sum += get (a, i, k)    14, and with the change the round behind it leaves 32
 *     set (c, i, j, sum)      14 -> 32
 */
#ifndef SOLVER_ANSWER_CHANGED_RUN_H
#define SOLVER_ANSWER_CHANGED_RUN_H

#include "solver/answer/way.h"
#include "solver/cause/cause.h"

struct changed_run;

/* The run with the suspect's actions; NULL where it cannot be recorded, or is too long.  It ends at
 * the deadline of the way's run. */
struct changed_run *changed_run_new(const struct way_run *run, struct explanation *e,
				    const struct explanation_suspect *s);
void changed_run_free(struct changed_run *c);

struct changed_value {
	const char *before; /* a decision that goes another way now: how it went; NULL = as told */
	const char *after;  /* NULL = not known */
};
/* For each struct slice_instance * of path, of which each is the .effect of the one before it, what
 * is there with the change in its place: where another execution of the same instruction gives what
 * is used then, that.  t: what they gave.  The caller unrefs the array of struct changed_value;
 * strings are the explanation's. */
GArray *changed_run_values(struct changed_run *c, const GPtrArray *path,
			   const struct cause_tree *t);

/* How the branch that the failing run executes in that step goes with the change: "true", "false"
 * or "not run"; NULL = that is not known. */
const char *changed_run_decision(struct changed_run *c, uint64_t step);

#endif
