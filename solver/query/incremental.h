/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What becomes of a formula when some definitions have other values: only terms
 * that depend on them, and that a constraint depends on, are evaluated anew.
 * Many values can be tried in the time of one question to a solver.
 *
 *   incremental_change(w, &number, 1);       b's definition
 *   incremental_set(w, &value);              b = 3
 *   incremental_value(w, hard->term)         does the constraint hold then?
 */
#ifndef SOLVER_QUERY_INCREMENTAL_H
#define SOLVER_QUERY_INCREMENTAL_H

#include "solver/formula/formula.h"

struct incremental;

/* f is not owned, must outlive it and stay as it is; terms that are made later are
 * not known here. */
struct incremental *incremental_new(const struct formula *f);
void incremental_free(struct incremental *w);

/* These definitions (by number, ascending) are the ones to be set from now on. */
void incremental_change(struct incremental *w, const uint32_t *numbers, unsigned n);
/* Their values, in that order. */
void incremental_set(struct incremental *w, const term_bits *values);

/* Does the term depend on what is changed? */
bool incremental_affects(const struct incremental *w, uint32_t term);
/* The terms that do, and that a constraint depends on (uint32_t, ascending), without
 * what is changed itself.  Owned by w, until the next change. */
const GArray *incremental_affected(const struct incremental *w);
/* Does a constraint depend on it? */
bool incremental_matters(const struct incremental *w, uint32_t term);
/* Its value after incremental_set. */
term_bits incremental_value(const struct incremental *w, uint32_t term);
/* Does that rest on what a side that no run took may have written? */
bool incremental_is_unsure(const struct incremental *w, uint32_t term);
/* Its value in the run. */
term_bits incremental_natural(const struct incremental *w, uint32_t term);
/* Of all definitions, by number.  Caller frees. */
term_bits *incremental_values(const struct incremental *w);

/* Is the definition's value a floating-point number, as what it is made by or used
 * for tells? */
bool incremental_is_float(const struct incremental *w, uint32_t number);
/* Terms looked at so far: some ten million take a second. */
uint64_t incremental_work(const struct incremental *w);

#endif
