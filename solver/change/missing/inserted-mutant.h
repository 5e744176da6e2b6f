/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A statement that is missing: mutants that execute one more before a line, or behind it.  It is
 * one that another place of the file has, a call that the function makes, of another function with
 * the same parameters, a statement of the function for others of its variables, or counts up,
 * counts down or clears a variable, or assigns or adds a variable of the function to one of the
 * same type (GenProg's insertion: Le Goues, Nguyen, Forrest, Weimer, 2012).
 *
 *     rooms[i] = NULL      raised++      take_out(&queues[u], p), where the function has
 *                                        `append(&queues[u], p)'
 *     adj[b][a] = 1, where it has `adj[a][b] = 1'
 *     e->prev = a->last, where it has `a->last->next = e' (adapted-statement.h)
 */
#ifndef SOLVER_CHANGE_MISSING_INSERTED_MUTANT_H
#define SOLVER_CHANGE_MISSING_INSERTED_MUTANT_H

#include "solver/change/code/mutant.h"
#include "solver/change/source/expression-texts.h"

struct inserted_mutants;

/* Nothing is owned. */
struct inserted_mutants *inserted_mutants_new(const struct image *im,
					      struct expression_texts *texts,
					      const struct limits *limits);
void inserted_mutants_free(struct inserted_mutants *x);

/* Appends struct mutant of kind MUTANT_INSERTED, MUTANT_ANEW or MUTANT_UNSET, whose pieces and
 * words are x's; .to tells one statement from others.  only: that statement; 0 = all; or
 * INSERTED_LIKELY, or INSERTED_ANEW.  Nothing in optimized code, where variables move between
 * places. */
void inserted_mutants_of_line(struct inserted_mutants *x, const char *file, unsigned line,
			      int64_t only, GArray *all);

#endif
