/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What slips.c and slip-lines.c share. */
#ifndef GDBEXT_EVIDENCE_SLIPS_PRIVATE_H
#define GDBEXT_EVIDENCE_SLIPS_PRIVATE_H

#include "gdbext/evidence/mutation/mutation.h"
#include "gdbext/evidence/slips.h"
#include "gdbext/question/analysis/near-lines.h"
#include "solver/image/variable/variable.h"

/* A line, and its least change with which the test passes. */
struct slip {
	struct near_line line;
	char *change; /* in words; NULL = there is none */
	double effort;
	GArray *actions;		 /* struct trace_action; NULL = .change is NULL */
	bool is_whole;			 /* all of the line's mutants were tried */
	struct image_statement declared; /* .line's statement, where the line has no code */
};

struct slips {
	struct question *q;
	struct limits limits;
	const struct expected_output *expected; /* NULL = the test passes by its status */
	struct expected_output by_status;	/* what it passes with then */
	struct neighbours *test;		/* NULL = no mutant can be judged */
	struct mutation *mutation;		/* NULL = nothing was tried yet */
	gint64 deadline;
	GPtrArray *found;   /* struct slip *, nearest first */
	double ms;	    /* what its runs took, with all that is between them */
	uint64_t looked_at; /* instructions of runs that were asked whether they leave an object */
	bool tries_all;	    /* also what meets a check by chance, since nothing else mends it */
};

/* us: what its runs may take together until finish. */
struct mutation *slips_begin(struct slips *s, uint64_t us);
void slips_finish(struct slips *s);
/* Tries these mutants of the line, unless a slip was found there already; one that leads the run
 * out of an object mends nothing.  False with error. */
bool slip_look_at(struct slips *s, struct mutation *m, struct slip *slip,
		  const struct mutation_choice *which, GError **error);
void slip_forget(struct slip *slip);
/* Adds one that was found otherwise; takes words. */
struct slip *slips_take(struct slips *s, const struct near_line *line, char *words, double effort,
			const GArray *actions);
/* Tells what was found so far, before the answer is complete.  The order and further ways to the
 * same lines come with the complete answer. */
void slips_tell_early(struct slips *s, const struct slip *slip);

/* slip-lines.c: the lines near the failure, and initial values.  False with error. */
bool slips_search_lines(struct slips *s, GError **error);
/* The least change of each variable's values.  hinted: only to values that explanations have. */
bool slips_search_data(struct slips *s, struct mutation *m, bool hinted, GError **error);
/* Where nothing likely mends a failed check, takes the time that is left for all changes of the
 * lines near the failure. */
bool slips_search_rest(struct slips *s, GError **error);

#endif
