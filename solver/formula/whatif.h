/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What becomes of a formula when some definitions have other values: only terms
 * that depend on them, and that a constraint depends on, are evaluated anew.
 * Many values can be tried in the time of one question to a solver.
 *
 *   whatif_change(w, &number, 1);       b's definition
 *   whatif_set(w, &value);              b = 3
 *   whatif_value(w, hard->term)         does the constraint hold then?
 */
#ifndef SOLVER_FORMULA_WHATIF_H
#define SOLVER_FORMULA_WHATIF_H

#include "solver/formula/formula.h"

struct whatif;

/* f is not owned, must outlive it and stay as it is; terms that are made later are
 * not known here. */
struct whatif *whatif_new(const struct formula *f);
void whatif_free(struct whatif *w);

/* These definitions (by number, ascending) are the ones to be set from now on. */
void whatif_change(struct whatif *w, const uint32_t *numbers, unsigned n);
/* Their values, in that order. */
void whatif_set(struct whatif *w, const term_bits *values);

/* Does the term depend on what is changed? */
bool whatif_affects(const struct whatif *w, uint32_t term);
/* Its value after whatif_set. */
term_bits whatif_value(const struct whatif *w, uint32_t term);
/* Does that rest on what a side that no run took may have written? */
bool whatif_is_unsure(const struct whatif *w, uint32_t term);
/* Its value in the run. */
term_bits whatif_natural(const struct whatif *w, uint32_t term);
/* Of all definitions, by number.  Caller frees. */
term_bits *whatif_values(const struct whatif *w);

/* Is the definition's value a floating-point number, as what it is made by or used
 * for tells? */
bool whatif_is_float(const struct whatif *w, uint32_t number);
/* Terms looked at so far: some ten million take a second. */
uint64_t whatif_work(const struct whatif *w);

#endif
