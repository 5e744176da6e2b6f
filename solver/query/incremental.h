/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What becomes of a formula when some definitions have other values: only terms
 * that depend on them, and that a constraint depends on, are evaluated anew.
 * Many values can be tried in the time of one question to a solver.
 *
 *   what_if_change(w, &number, 1);       b's definition
 *   what_if_set(w, &value);              b = 3
 *   what_if_value(w, hard->term)         does the constraint hold then?
 */
#ifndef SOLVER_QUERY_INCREMENTAL_H
#define SOLVER_QUERY_INCREMENTAL_H

#include "solver/formula/formula.h"

struct what_if;

/* f is not owned, must outlive it and stay as it is; terms that are made later are
 * not known here. */
struct what_if *what_if_new(const struct formula *f);
void what_if_free(struct what_if *w);

/* These definitions (by number, ascending) are the ones to be set from now on. */
void what_if_change(struct what_if *w, const uint32_t *numbers, unsigned n);
/* Their values, in that order. */
void what_if_set(struct what_if *w, const term_bits *values);

/* Does the term depend on what is changed? */
bool what_if_affects(const struct what_if *w, uint32_t term);
/* The terms that do, and that a constraint depends on (uint32_t, ascending), without
 * what is changed itself.  Owned by w, until the next change. */
const GArray *what_if_affected(const struct what_if *w);
/* Does a constraint depend on it? */
bool what_if_matters(const struct what_if *w, uint32_t term);
/* Its value after what_if_set. */
term_bits what_if_value(const struct what_if *w, uint32_t term);
/* Does that rest on what a side that no run took may have written? */
bool what_if_is_unsure(const struct what_if *w, uint32_t term);
/* Its value in the run. */
term_bits what_if_natural(const struct what_if *w, uint32_t term);
/* Of all definitions, by number.  Caller frees. */
term_bits *what_if_values(const struct what_if *w);

/* Is the definition's value a floating-point number, as what it is made by or used
 * for tells? */
bool what_if_is_float(const struct what_if *w, uint32_t number);
/* Terms looked at so far: some ten million take a second. */
uint64_t what_if_work(const struct what_if *w);

#endif
