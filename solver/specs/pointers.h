/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pointers that a checked call stored, or stored through, and those that it could have taken for
 * them: addresses of objects that were looked at while it ran.  A formula does not find such a
 * value, because what lies behind another pointer was never read through this one.
 */
#ifndef SOLVER_SPECS_POINTERS_H
#define SOLVER_SPECS_POINTERS_H

#include "solver/limits/limits.h"
#include "solver/trace/run.h"

/* One execution of an instruction that stored 8 bytes. */
struct pointer_store {
	const char *line;   /* key, as extent.h has it; belongs to .lines of the question */
	uint64_t addr, nth; /* as in struct trace_action */
	uint64_t where, value;
	uint64_t step; /* its number */
};

/* One execution of an instruction that read a pointer through which its line then stored. */
struct pointer_base {
	const char *line; /* these four as above */
	uint64_t addr, nth, step;
	uint64_t value; /* the pointer */
	uint16_t reg;	/* where it is then: enum trace_reg */
};

struct pointers {
	GArray *stores; /* struct pointer_store, in order */
	GArray *bases;	/* struct pointer_base, in order */
	GArray *values; /* uint64_t, each once: objects, and NULL */
};

struct pointers_question {
	struct trace_run *run;
	unsigned program;  /* number of its module */
	GHashTable *lines; /* of the call: only their stores count */
	const struct limits *limits;
};

/* NULL with error. */
struct pointers *pointers_find(const struct pointers_question *q, struct lift *lift,
			       GError **error);
void pointers_free(struct pointers *p);

#endif
