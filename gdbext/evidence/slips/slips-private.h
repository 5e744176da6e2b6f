/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What slips.c, slips-rounds.c and slips-later.c share. */
#ifndef GDBEXT_EVIDENCE_SLIPS_SLIPS_PRIVATE_H
#define GDBEXT_EVIDENCE_SLIPS_SLIPS_PRIVATE_H

#include "gdbext/evidence/slips/slip.h"
#include "gdbext/evidence/slips/slips.h"

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
	bool is_cut;	    /* some of the lines' changes were not tried for lack of time */
	bool tries_all;	    /* also what meets a check by chance, since nothing likely mends it */
	uint64_t looked_at; /* instructions of runs that were asked whether they leave an object */
};

/* Did the test end by a signal of its own making, and not by a failed check? */
bool slips_crashed(const struct slips *s);
/* us: what the runs may take together until slips_finish. */
struct mutation *slips_begin(struct slips *s, uint64_t us);
void slips_finish(struct slips *s);
/* Tries these mutants of the line, unless a slip was found there already; one that leads the run
 * out of an object mends nothing.  False with error. */
bool slips_look_at(struct slips *s, struct mutation *m, struct slip *slip,
		   const struct mutation_choice *which, GError **error);
/* Did several checks fail?  Few changes meet all of them by chance. */
bool slips_are_of_several(const struct slips *s);
/* Does how the program ends tell nothing of the failure that is asked about? */
bool slips_need_records(const struct slips *s);
/* Is one of the slips that were found a likely one, which does not only change the test's input? */
bool slips_found_likely(const struct slips *s);
/* Tells what was found so far, before the answer is complete.  The order and further ways to the
 * same lines come with the complete answer. */
void slips_tell_early(struct slips *s, const struct slip *slip);

/* slips-rounds.c: */
/* Those of least effort, those that are common slips, or all. */
enum slips_rounds { SLIPS_LEAST, SLIPS_COMMON, SLIPS_ALL };
/* Tries changes of these lines (struct slip *), in rounds.  False with error. */
bool slips_try_lines(struct slips *s, struct mutation *m, const GPtrArray *lines,
		     enum slips_rounds which, GError **error);

/* slips-later.c: in a long run, where nothing likely mends it, the least changes of lines that are
 * not near the failure. */
bool slips_search_far(struct slips *s, GError **error);
/* In a short run, statements for what nothing sets or counts; where no likely change of these lines
 * mends it, also those that begin anew. */
bool slips_search_unset(struct slips *s, GError **error);
/* The lines on which proven branches depend, those that there was no time for, and,
 * where nothing mends the output and tells much, statements that may be missing. */
bool slips_search_later(struct slips *s, GError **error);
/* Where nothing likely mends the test, conditions that may be missing in lines near the failure. */
bool slips_search_conditions(struct slips *s, GError **error);
/* Where nothing likely mends a failed check, takes the time that is left for all changes of the
 * lines near the failure. */
bool slips_search_rest(struct slips *s, GError **error);

#endif
