/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The branch regions that are open during a walk.  A region begins at a branch
 * instance.  It ends where control comes to the branch's immediate post-dominator in
 * the same frame, or leaves that frame.  The side that the first walker took is walked
 * first.  If other walkers took the other side, the store is set back and they are
 * walked; at the join both stores are merged.
 *
 *     branch (guard g)      g true:  x = 1        at the join
 *                           g false: x = 2        x = ite(g, 1, 2)
 *
 * When no walker took the other side, unexplored.h tells what it may write.
 */
#ifndef SOLVER_FORMULA_REGION_H
#define SOLVER_FORMULA_REGION_H

#include "solver/formula/walk-private.h"

struct regions;

struct regions *regions_new(void);
void regions_free(struct regions *r);
bool regions_empty(const struct regions *r);
/* The walkers (struct run_walker) that walk now.  The array is r's, and changes with
 * regions_at_join. */
GPtrArray *regions_active(struct regions *r);
/* The active walkers have just taken a conditional branch.  Opens a region if its outcome may
 * change. */
void regions_branch(struct regions *r, struct walk *w);
/* The same for an indirect jump or call whose target (w->target) may change. */
void regions_transfer(struct regions *r, struct walk *w);
/* If the active walkers stand at the end of the innermost region, or have all ended, this goes
 * on to the region's other side, or merges the sides and closes the region.  True if it did. */
bool regions_at_join(struct regions *r, struct walk *w);

#endif
