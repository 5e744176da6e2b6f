/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which of many changes are to blame, by reverting some of them and looking at the test.
 *
 * Three searches:
 *   DYN  asymmetric delta debugging (AFTER, Alg. 2): the least set that, reverted in the new
 *	  version, lets the test pass.  Only a pass counts: a failure may be for want of another
 *	  change, so it acquits nobody.  A set that does not compile is completed first (AUX, Alg.
 *4). DD   delta debugging (Zeller and Hildebrandt, TSE 2002, `dd'): the least difference between a
 *	  passing and a failing mixture of both versions.
 *   ADD  DD that begins with the changes on the failing trace.
 */
#ifndef SOLVER_REGRESS_SEARCH_H
#define SOLVER_REGRESS_SEARCH_H

#include "solver/limits/limits.h"
#include "solver/regress/oracle.h"
#include "solver/regress/set.h"

/* What a search rests on.  Everything except the oracle is used by one thread at a time, or by
 * these functions. */
struct regress_search;

/* c, oracle, limits: not owned, must outlive it. */
struct regress_search *regress_search_new(const struct regress_changes *c,
					  struct regress_oracle *oracle,
					  const struct limits *limits);
void regress_search_free(struct regress_search *s);
bool regress_search_stopped(const struct regress_search *s);

/* The least set to revert together with delta so that it compiles, NULL when none was found (or
 * it was stopped).  Nothing first, then what an earlier answer for a part of delta suggests, then
 * the other changes of its functions, then what the compiler's complaints are about, then all other
 * changes, halved.  A new set. */
GArray *regress_auxiliary(struct regress_search *s, const GArray *delta);

/* The same the other way round: the least set to apply together with delta to the old version; the
 * oracle's sets are such, too. */
GArray *regress_auxiliary_applied(struct regress_search *s, const GArray *delta);

/* DYN.  order: the members of D, the most suspicious first; a set that is split is split along it.
 * The root, a new set, with *auxiliary (a new set); NULL when reverting all of D does not
 * let the test pass. */
GArray *regress_root(struct regress_search *s, const GArray *order, GArray **auxiliary);

/* DD.  start: the changes to look among first (ADD), NULL = all.  The difference that was isolated,
 * a new set; *fails_with: the failing mixture, as the set reverted in it.  NULL: it was stopped. */
GArray *regress_difference(struct regress_search *s, const GArray *start, GArray **fails_with);

#endif
