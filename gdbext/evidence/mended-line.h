/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of which a small change mends all failing tests and breaks no passing one
 * (mutation.h), as a part of an answer. */
#ifndef GDBEXT_EVIDENCE_MENDED_LINE_H
#define GDBEXT_EVIDENCE_MENDED_LINE_H

#include "gdbext/evidence/mutation/mutation.h"
#include "solver/explanation.h"

struct mended_line {
	char *file;
	unsigned line;
	struct explanation_evidence evidence; /* .contradicted is NULL; its texts are these: */
	char *change, *condition;	      /* .condition: NULL = it has none */
	GArray *actions;		      /* struct trace_action: the change */
	struct image_statement declared;      /* of an initial value; else .line is 0 */
};

/* v->mended, and nothing is broken. */
struct mended_line *mended_line_new(struct mutation *m, const char *file, unsigned line,
				    const struct mutation_verdict *v);
/* The same of an initial value, whose line has no code.  Its texts are the image's. */
struct mended_line *mended_line_of_data(struct mutation *m, const struct image_statement *declared,
					const struct mutation_verdict *v);
void mended_line_free(gpointer mended);

/* Is there a suspect that changes this line alone? */
bool mended_line_is_suspect(const struct explanation *e, const char *file, unsigned line);
/* Adds the change as a suspect about n failing tests, and its line, unless they are there; the
 * evidence is not added.  im: the program.  False when the line has no code. */
bool mended_line_show(const struct mended_line *l, const struct image *im, struct explanation *e,
		      unsigned n);

#endif
