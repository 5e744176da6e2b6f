/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changes of one statement that are worth a run, where neither the engine nor
 * secant-search.h finds a witness along the ways that are known: a branch goes the other
 * way at one execution or at several of them (predicate switching: Zhang, Gupta
 * and Gupta, "Locating faults through automated predicate switching", 2006), a
 * value is another likely one (value replacement: Jeffrey, Gupta and Gupta, "Fault
 * localization using value replacement", 2008).
 *
 * Several executions change by one rule, as if the source were another:
 *
 *     if (x < 10)    always true; always false; where x == 10; where 10 <= x <= 12 …;
 *                    the loop goes on for 1, 2, 4 … more rounds
 *     sum += x       a little more each time; 0 each time …
 */
#ifndef SOLVER_SEARCH_VALUE_MUTATION_H
#define SOLVER_SEARCH_VALUE_MUTATION_H

#include "solver/formula/model-path.h"
#include "solver/query/incremental.h"

struct value_mutation {
	GArray *changes; /* struct model_path_change, ascending by definition; never empty */
	/* A branch goes as in the last change for so many executions after the run's last one. */
	unsigned more;
};

/* Is told each value_mutation until it says true, or there are none left. */
typedef bool (*value_mutation_try)(void *arg, const struct value_mutation *v);

/* Those of the selector's statement that the formula does not refute: they make its
 * constraints hold, or go where no run went.  True when one of them ended it.  w: f's. */
bool value_mutations_of(const struct formula *f, struct incremental *w, unsigned selector,
			value_mutation_try try, void *arg);

#endif
