/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What follows in a formula when some definitions get other values.  Only terms that
 * depend on them, and that a constraint depends on, are evaluated again, so many values
 * can be tried in the time of one question to a solver.
 *
 *   incremental_change(w, &number, 1);       b's definition
 *   incremental_set(w, &value);              b = 3
 *   incremental_value(w, hard->term)         does the constraint hold then?
 */
#ifndef SOLVER_QUERY_INCREMENTAL_H
#define SOLVER_QUERY_INCREMENTAL_H

#include "solver/formula/formula.h"

struct incremental;

/* f is not owned, must outlive it and must not change; it does not know terms that are made
 * later. */
struct incremental *incremental_new(const struct formula *f);
void incremental_free(struct incremental *w);

/* So many terms of f's pool it knows: those with smaller numbers. */
uint32_t incremental_terms(const struct incremental *w);

/* From now on these definitions (by number, ascending) are the ones that are set. */
void incremental_change(struct incremental *w, const uint32_t *numbers, unsigned n);
/* Sets their values, in that order. */
void incremental_set(struct incremental *w, const term_bits *values);

/* Does the term depend on a definition that is set? */
bool incremental_affects(const struct incremental *w, uint32_t term);
/* The terms that depend on it and that a constraint depends on (uint32_t, ascending), without
 * the definitions themselves.  Owned by w, until the next change. */
const GArray *incremental_affected(const struct incremental *w);
/* Does a constraint depend on it? */
bool incremental_matters(const struct incremental *w, uint32_t term);
/* The term's value after incremental_set. */
term_bits incremental_value(const struct incremental *w, uint32_t term);
/* Does this value rest on what a side that no run took may have written? */
bool incremental_is_unsure(const struct incremental *w, uint32_t term);
/* The term's value in the run. */
term_bits incremental_natural(const struct incremental *w, uint32_t term);
/* The values of all definitions, by number.  Caller frees. */
term_bits *incremental_values(const struct incremental *w);

/* Is the definition's value a floating-point number?  What makes it, or what uses it, tells. */
bool incremental_is_float(const struct incremental *w, uint32_t number);
/* How many terms have been evaluated so far; some ten million take a second. */
uint64_t incremental_work(const struct incremental *w);

#endif
