/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that the new version has for something else of the old one: where the declaration is
 * reverted without a use, or a use without the declaration, one of the names is not declared.
 *
 *     -	int n = 0;	change 0	0 and 1 are one unit
 *     +	int count = 0;
 *      	...
 *     -	f(n);		change 1
 *     +	f(count);
 *     +	g(count);	change 2	compiles without them, too, so it is not of their
 * unit
 */
#ifndef SOLVER_REGRESS_RENAMES_H
#define SOLVER_REGRESS_RENAMES_H

#include "solver/regress/changes.h"

/* Calls join with the change that declares the name and each other one of the same file that has
 * the old name in its old side and the new one in its new side.  Only for the file that was added
 * last, a source of C, and where it is sure: the new name is nowhere in the old file, and the old
 * one no more in the new function (or, of what is declared outside of functions, in the new
 * file). */
void regress_renames_find(struct regress_changes *c,
			  void (*join)(struct regress_changes *c, unsigned a, unsigned b));

#endif
