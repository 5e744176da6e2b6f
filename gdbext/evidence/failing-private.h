/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of failing.h share; for them only.
 */
#ifndef GDBEXT_EVIDENCE_FAILING_PRIVATE_H
#define GDBEXT_EVIDENCE_FAILING_PRIVATE_H

#include "gdbext/evidence/failing.h"
#include "gdbext/evidence/looks.h"
#include "gdbext/evidence/transfer/transfer.h"

/* A test, and what was asked about it. */
struct failing_test {
	const char *name;
	unsigned row;		      /* in the suite's spectrum; UNIT_NONE = none */
	struct suite_command command; /* .argv NULL: the test of the command line */
	struct options options; /* a copy of the user's; only what this test changes is its own */
	char *expect;		/* its .expect */
	struct question q;
	bool open;	       /* q is to be cleared */
	struct question first; /* with --joint, the one that was asked before q, and */
	bool asked_before;     /* it is to be cleared */
	/* With --joint, these are the suspects of a test that was not explained by itself,
	 * because the changes that mended other tests mend it, too. */
	struct explanation *covered;
	struct neighbour as_neighbour; /* by which others know it */
};

struct failing {
	const struct options *o;
	const struct weighting *weighting;
	struct consistency *consistency; /* NULL = not wanted; not ours */
	GPtrArray *tests;		 /* struct failing_test * */
	GPtrArray *explained;		 /* those of them that were, not owned */
	const struct suite_result *r;
	struct evidence *evidence; /* NULL = nobody has looked for it */
	struct test_looks looks;
	struct neighbours *neighbours; /* they know what tests have to print; NULL = not asked */
	struct joint *joint;	       /* of those that were explained; NULL = there is none */
	struct transfer *transfer;     /* their changes */
	struct limits limits;	       /* a copy that notes nothing as reached */
	unsigned most;		       /* to be explained */
	unsigned n_mended;	       /* more that such a change mends, too */
	bool looked;		       /* with --joint, for a change that mends all */
	gint64 deadline;
};

void failing_clear_questions(struct failing_test *t);
/* Seconds for the test.  Each gets a share of the time that is left, so that the first ones do not
 * take all of it. */
double failing_time_share(const struct failing *f, const struct failing_test *t);

/*
 * failing-joint.c: with --joint, what explains some tests is asked about another one.
 */
/* Does what explains the tests so far explain this one?  Then .covered says what. */
bool failing_is_covered(struct failing *f, struct failing_test *t, GError **error);
/* Adds what explains the test to what others are asked about. */
void failing_note_joint(struct failing *f, struct failing_test *t);
/* Frees the record and what was made of it; the explanation stays. */
void failing_drop_run(struct failing_test *t);

#endif
