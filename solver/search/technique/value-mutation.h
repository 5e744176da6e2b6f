/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changes of one statement that are worth a run when neither the engine nor
 * secant-search.h finds a witness along the ways that are known.  A branch goes the
 * other way at one execution or at several (predicate switching: Zhang, Gupta and
 * Gupta, "Locating faults through automated predicate switching", 2006), or a value
 * becomes another likely one (value replacement: Jeffrey, Gupta and Gupta, "Fault
 * localization using value replacement", 2008).
 *
 * Several executions change by one rule, as if the source were different:
 *
 *     if (x < 10)    always true; always false; where x == 10; where 10 <= x <= 12 …;
 *                    the loop goes on for 1, 2, 4 … more rounds
 *     sum += x       a little more each time; 0 each time …
 */
#ifndef SOLVER_SEARCH_TECHNIQUE_VALUE_MUTATION_H
#define SOLVER_SEARCH_TECHNIQUE_VALUE_MUTATION_H

#include "solver/base/deadline.h"
#include "solver/formula/model/model-path.h"
#include "solver/query/incremental.h"

struct value_mutation {
	GArray *changes; /* struct model_path_change, ascending by definition; never empty */
	/* For so many executions after the run's last one, the branch goes as in the last
	 * change. */
	unsigned more;
};

/* Is told each value_mutation until it returns true, or until there are none left. */
typedef bool (*value_mutation_try)(void *arg, const struct value_mutation *v);

/* Passes on those changes of the selector's statement that the formula does not refute, because
 * they let its constraints hold or lead where no run went.  Returns true when the receiver ended
 * it, or the time was up.  w: of f. */
bool value_mutations_of(const struct formula *f, struct incremental *w, unsigned selector,
			const struct deadline *until, value_mutation_try try, void *arg);

#endif
