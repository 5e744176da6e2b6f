/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What nearby.c, nearby-candidates.c and nearby-count.c share. */
#ifndef SOLVER_SEARCH_NEARBY_PRIVATE_H
#define SOLVER_SEARCH_NEARBY_PRIVATE_H

#include "solver/search/nearby.h"

struct candidate_instance {
	struct slice_instance at;
	uint64_t bits; /* a store to a bit-field: its bits, of what is stored; 0 = of all of it */
	uint64_t nth, executions; /* of its instruction: this one's number, and how often in all */
	uint64_t from, before; /* the checkpoint from which it is run, and its executions before */
	uint64_t values[LIMIT_MOST_nearby_values];
	unsigned n_values, tried;
	uint64_t *earlier; /* what the instruction gave in executions before this one, last one
			      first */
	unsigned n_earlier;
	uint32_t earlier_steps; /* bit i: .earlier[i] is the step of the execution */
	bool looked_back;	/* .values has them */
};

/* Runs that changed executions of one instruction in vain, and their instructions. */
struct vain_runs {
	uint64_t insns;
	unsigned runs;
};

struct nearby {
	struct nearby_options options;
	const struct limits *limits;
	struct trace_run *run;
	GPtrArray *candidates;	   /* struct candidate_instance *, nearest first */
	guint at;		   /* of .candidates: the one that is tried */
	bool second;		   /* the second time, see is_of_turn() */
	GHashTable *failing_lines; /* see failing-lines.h */
	GHashTable *proven;	   /* const struct image_statement * */
	GHashTable *vain;	   /* pc → struct vain_runs */
	GHashTable *decided;	   /* uint64_t *: steps of candidates that are decisions */
	GHashTable *sources;	   /* assigned_sources_new */
	uint64_t insns, executed;  /* of the failing run; by runs so far, at most */
	uint64_t stopped;	   /* .executed, of those that did not end */
	uint64_t checkpoints[LIMIT_MOST_checkpoints]; /* numbers of instructions, ascending */
	unsigned n_checkpoints;
	unsigned runs;
	uint64_t done;	     /* actions of the last run that were carried out */
	uint64_t last_insns; /* its instructions */
	uint64_t came_to;    /* its first byte of output that is wrong, if it got further; or 0 */
	GArray *actions;     /* struct trace_action, of the candidate that is tried */
	struct nearby_answer answer;
	char *message; /* on standard error, with an exit status that is not 0; NULL = none */
	gsize message_length;
	GPtrArray *hidden;  /* struct kept_change *, in the order of the runs */
	GPtrArray *further; /* the same, one a statement */
	guint given;	    /* of .hidden, then of .further */
	bool has_answer;
};

/* A change that is an answer when there is no better one: with it the test passes but the message
 * stays (.hidden), or more of the output is right, but not all (.further). */
struct kept_change {
	const struct candidate_instance *candidate;
	uint64_t value;
	GArray *actions;	     /* struct trace_action */
	struct expected_progress to; /* .further */
};

/* nearby-candidates.c: fills in .candidates, the nearest first, each with the values to try. */
void nearby_find_candidates(struct nearby *n);
/* NULL = it has no source. */
const struct image_statement *nearby_statement(const struct slice_instance *i);
/* The value's lowest bytes. */
uint64_t nearby_cut(uint64_t value, unsigned size);
/* Adds what the instruction gave in its latest executions before this one: objects that exist, and
 * constants that mean something here. */
void nearby_add_earlier(const struct nearby *n, struct candidate_instance *c);

/* nearby-switch.c: a value that decides where a `switch' goes gets the values with which it goes
 * elsewhere, and one that comes to the failed check what that compares with.  missing: only those
 * that lead to code that should have been executed, and those of the check, which come first. */
void nearby_add_cases(const struct nearby *n, struct candidate_instance *c, bool missing);
/* Adds the value to those that are tried, unless it is there or means nothing.  Of a bit-field: the
 * field's. */
void nearby_add_value(const struct nearby *n, struct candidate_instance *c, uint64_t value);
/* The same of all bytes that are stored. */
void nearby_add_stored(const struct nearby *n, struct candidate_instance *c, uint64_t value);

/* nearby-count.c: fills in the candidates' executions (.nth, .executions), what the earlier ones
 * gave, and the checkpoints from which they are run, by one more walk through the record. */
bool nearby_count(struct nearby *n, GError **error);

#endif
