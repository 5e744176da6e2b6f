/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of transfer.h share; for them only.
 */
#ifndef GDBEXT_EVIDENCE_TRANSFER_PRIVATE_H
#define GDBEXT_EVIDENCE_TRANSFER_PRIVATE_H

#include "gdbext/evidence/transfer/shift.h"
#include "gdbext/evidence/transfer/transfer.h"
#include "solver/isa/lift.h"

/* What came of a change in a test. */
enum outcome { UNKNOWN, UNREACHED, FAILED, MENDED };

struct change {
	const struct explanation_suspect *of; /* not owned */
	GByteArray *outcomes;		      /* enum outcome, one a test */
	bool sets_memory;		      /* at an address, which may be on the stack */
};

/* Changes of the same lines. */
struct group {
	char *lines;
	GArray *changes; /* struct change */
	/* Values that other changes suggest for its places: how often they were tried and mended a
	 * test, and from how many of the changes that mend the last test they were tried. */
	unsigned shifts, shifted;
	unsigned shift_test, shifted_by;
	guint usual_shift; /* which of them mended a test last: that is tried first */
};

struct transfer {
	const struct limits *limits;
	GPtrArray *groups; /* struct group */
	struct lift *lift;
	struct memory_code *code;  /* what was found out about accesses of other runs */
	uint64_t max_insns, stack; /* of the first test: where it starts */
	unsigned runs, test;	   /* the last one's number */
	bool attempted;		   /* it was attempted, and is not noted */
};

/* A test at hand, x->test. */
struct attempt {
	struct transfer *x;
	const struct joint *joint;
	const struct question *first; /* of another test, whose replay is turned to this one */
	const struct transfer_test *test;
	char *failing;	    /* the record of a run without changes */
	uint64_t looked_at; /* instructions of runs, as limits->influence_insns counts them */
	struct explanation *e;
	double *weights; /* one a test before it: how much it is like this one */
	bool same_stack; /* as in the first test */
	unsigned round;	 /* that goes through all sets */
	unsigned runs;
	GArray *mends;	     /* struct trace_action: each mends the test alone, and sets a value */
	GArray *tried;	     /* struct trace_action: values that others suggested */
	struct shift *shift; /* NULL = not asked for yet, or not known */
	bool shift_known;
};

/* How many earlier tests are like this one, judged by the changes that came out the same for
 * both; and in how many of them this change mended the test. */
struct estimate {
	double mended, all;
};
struct estimate transfer_estimate(const struct attempt *a, const struct change *c);
/* The likeliest change of the group that was not tried yet and is worth a run; NULL: there is none.
 */
struct change *transfer_next(const struct attempt *a, const struct group *g);

/* Does the test pass with these actions (NULL: without any)?  *done: how many of them the run
 * carried out.  All runs are forked from one process behind the first instruction; that
 * instruction begins main(), and no action is about it. */
bool transfer_passes(struct attempt *a, const GArray *actions, uint64_t *done);
/* The suspect in another explanation; its strings stay where they are. */
struct explanation_suspect *transfer_copy(const struct explanation_suspect *from);

/*
 * transfer-shift.c: values that the changes of other lines suggest (shift.h).
 */
/* Is its only action to set a value? */
bool transfer_sets_one_value(const struct change *c);
/* Are such values likelier than the likeliest change of the group? */
bool transfer_is_shift_likelier(const struct attempt *a, const struct group *g);
/* Tries the values for the group's places that follow from those actions that mend the test and
 * were not asked about the group yet. */
bool transfer_shifts_mend(struct attempt *a, struct group *g);

#endif
