/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long each failing test of a suite is looked at.  The first one gets a quick look, then a
 * longer one; after each of them small changes of the code are tried, and one that mends all
 * failing tests and breaks no passing one ends it.  What came of that says how much the others
 * may still tell:
 *
 *   a common slip mends      each of them gets next_look
 *   a dear change does       dear_look, also once more for the first one
 *   nothing does             for a ranking last_look for the first one, and ask_again for the
 *                            others, about the lines that it names; else as long as it takes
 */
#ifndef GDBEXT_EVIDENCE_LOOKS_H
#define GDBEXT_EVIDENCE_LOOKS_H

#include "gdbext/options/options.h"
#include "gdbext/question/question.h"

struct test_looks {
	const struct options *o;
	const struct limits *limits;
	bool mended;  /* a change mends all and breaks none */
	bool dear;    /* one does, and costs too much to be enough by itself */
	bool in_vain; /* none does, though all were tried, and a ranking is asked for */
};

/* What an explanation may cost: a ranking needs less than who asks for the explanation of each
 * test. */
void test_looks_limit(const struct test_looks *l, struct limits *of);
/* The look at the first test; .is_enough and .arg are the caller's. */
struct question_look test_looks_first(const struct test_looks *l);
/* Is a look by now the last one, whatever changes do? */
bool test_looks_are_over(const struct test_looks *l);
/* Changes were tried after a look, all of them or (quick) the commonest: .mended is known, and any
 * says whether one mends all, whatever it costs.  Says how much longer the look takes. */
void test_looks_note(struct test_looks *l, struct question_look *look, bool quick, bool any);
/* The look at a test after the first one. */
struct question_look test_looks_next(const struct test_looks *l);
/* The lines that such a test is asked about, each as failing_lines_key() says it: those that e,
 * the explanation of the first one, names, because a line that it does not name would stand behind
 * them in any case.  NULL = about all lines.  Free the table. */
GHashTable *test_looks_lines(const struct test_looks *l, const struct explanation *e);

#endif
