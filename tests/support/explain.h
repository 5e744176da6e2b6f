/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations made by hand, for the tests of what renders them.  Their files
 * lie in /home/u/src.
 */
#ifndef TESTS_SUPPORT_EXPLAIN_H
#define TESTS_SUPPORT_EXPLAIN_H

#include "solver/explanation.h"

/* The paper's example: two explanations, both proven, with chains. */
struct explanation *explain_paper(void);
/* A failure of which nothing is known, and no suspect. */
struct explanation *explain_nothing(void);
/* Names, source lines and values that are long, wide, not UTF-8, or hold escape
 * sequences; suspects that were not proven; a file that is not there. */
struct explanation *explain_odd(void);
/* One suspect, n links to the failure. */
struct explanation *explain_long_chain(unsigned n);

struct explanation_suspect *explain_add_suspect(struct explanation *e,
						enum explanation_replay replay);
/* Strings are not copied. */
void explain_add_statement(struct explanation_suspect *s, struct explanation_statement st);
/* value NULL = no value.  Returns the link's index. */
unsigned explain_add_link(struct explanation *e, struct explanation_link l, const char *name,
			  const char *value);

#endif
