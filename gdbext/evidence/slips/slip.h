/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What slips.c found in a line. */
#ifndef GDBEXT_EVIDENCE_SLIPS_SLIP_H
#define GDBEXT_EVIDENCE_SLIPS_SLIP_H

#include "gdbext/evidence/mutation/mutation.h"
#include "gdbext/question/analysis/near-lines.h"

/* A line, and its least change with which the test passes. */
struct slip {
	struct near_line line;
	char *change; /* in words; NULL = there is none */
	double effort;
	bool is_of_one;			 /* of several failed checks, only one passes with it */
	bool is_unmeant;		 /* mutation_is_unmeant: it mends by chance */
	GArray *actions;		 /* struct trace_action; NULL = .change is NULL */
	bool is_whole;			 /* all of the line's mutants were tried */
	struct image_statement declared; /* .line's statement, where the line has no code */
};

void slip_free(gpointer slip);
void slip_forget(struct slip *s);
/* Takes the verdict's mutant as the slip's change.  im: the program's. */
void slip_take_mutant(struct slip *s, const struct mutation *m, const struct mutation_verdict *v,
		      const struct image *im);
/* The same for a change that is made under a condition only. */
void slip_take_condition(struct slip *s, const struct mutation_verdict *v);
/* Adds its change, if it has one, to what the answer says of the line.  several: several checks
 * failed. */
void slip_add_evidence(struct explanation *e, const struct slip *s, bool several, const char *file,
		       unsigned line);

#endif
