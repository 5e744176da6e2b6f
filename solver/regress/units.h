/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changes that can only be reverted together, because a part of them would leave an #if without its
 * #endif, or a brace without the other one:
 *
 *     +	if (x) {	change 0	0 and 2 are one unit; 1 is another
 *      	f(x);
 *     -	g(y);		change 1
 *     +	g(x);
 *     +	}		change 2
 *
 * Each change is of one unit, mostly of its own.  A set is closed when it holds no unit in part.
 * The searches ask for closed sets only, and split lists that have one change of each unit.
 */
#ifndef SOLVER_REGRESS_UNITS_H
#define SOLVER_REGRESS_UNITS_H

#include "solver/regress/changes.h"

/* Joins the changes of the file that was added last; call it when it has all its lines.
 *
 * A change opens so many brackets in its new side and so many in its old one.  Where that differs,
 * the mixtures on both sides of it have another depth until a later change makes up for it, and
 * these two are one unit; they nest as brackets do.  #if, #ifdef ... are brackets in sources of C,
 * `ifeq' ... in makefiles, and braces outside of comments, strings and directives in sources of C;
 * for braces the search for the other one ends with the function.  Two changes are one unit, too,
 * when the one takes an `else' from before a statement and the other puts one behind it, or when
 * they give something another name (renames.h). */
void regress_units_join(struct regress_changes *c);

/* Does anything else belong to its unit? */
bool regress_unit_is_shared(const struct regress_changes *c, unsigned change);
/* With the rest of each unit.  A new set. */
GArray *regress_units_close(const struct regress_changes *c, const GArray *set);
/* In the order of the list, the first change of each unit.  A new array. */
GArray *regress_units_first(const struct regress_changes *c, const GArray *list);

#endif
