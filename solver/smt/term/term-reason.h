/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a term has the value that it has under an assignment: those of the terms below it that
 * decide it.  A conjunction that does not hold has one part that does not, and the others do not
 * matter; of a choice the side that is not taken does not matter.
 */
#ifndef SOLVER_SMT_TERM_TERM_REASON_H
#define SOLVER_SMT_TERM_TERM_REASON_H

#include "solver/smt/term/term.h"

/* Adds the term, and what decides it, to the set reasons (terms, g_hash_table_new(NULL, NULL)).
 * What is in the set already is not looked at again.  m: the assignment; instead: terms in place
 * of which others of the same value are looked at, NULL = none. */
void term_reasons(const struct term_pool *p, struct term_memo *m, uint32_t term,
		  GHashTable *instead, GHashTable *reasons);

#endif
