/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constant texts with a letter, a blank or an end of line too many, too few or wrong: where the
 * output differs from what is expected, the program's texts that stand there are changed so that
 * they print what is expected at the difference.
 *
 *     return "faild";        "failed" for "faild"
 */
#ifndef GDBEXT_EVIDENCE_SLIPS_TEXT_SLIPS_H
#define GDBEXT_EVIDENCE_SLIPS_TEXT_SLIPS_H

#include "gdbext/evidence/mutation/mutation.h"
#include "gdbext/question/question.h"
#include "solver/output/expected.h"

struct text_slip {
	const struct image_statement *statement;
	const GArray *actions; /* struct trace_action */
	char *words;	       /* who is told takes it */
	double effort;
};
typedef void text_slip_found(void *arg, const struct text_slip *slip);

/* Calls found for each text that lets the test pass when it is changed, at most once for each
 * instruction that takes the text's address. m: the mutation of the question's test; limits:
 * those of m.  False with error: interrupted. */
bool text_slips_search(const struct question *q, const struct expected_output *expected,
		       struct mutation *m, const struct limits *limits, text_slip_found *found,
		       void *arg, GError **error);

#endif
