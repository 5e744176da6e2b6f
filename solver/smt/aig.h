/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Circuits of gates as clauses for a SAT solver (CaDiCaL), by Tseitin's encoding.  A
 * gate's output is a literal: a number other than 0; a negative one is inverted.  Equal
 * gates are made once, and a gate with constant or equal inputs costs nothing:
 *
 *   aig_and(g, x, AIG_TRUE) == x      aig_xor(g, x, -x) == AIG_TRUE
 *
 * Each variable's sign is chosen so that it is true when all inputs are as in the run.
 * The solver tries true first, so it starts from the run and strays no further than it
 * has to.
 */
#ifndef SOLVER_SMT_AIG_H
#define SOLVER_SMT_AIG_H

#include <ccadical.h>
#include <stdbool.h>
#include <stddef.h>

enum { AIG_TRUE = 1, AIG_FALSE = -1 };

struct aig;

struct aig *aig_new(void);
void aig_free(struct aig *g);
/* The solver that gets the clauses; owned by g. */
CCaDiCaL *aig_solver(const struct aig *g);
/* Variables are 1 … this number. */
int aig_variables(const struct aig *g);

int aig_input(struct aig *g, bool expected); /* a new variable; true when expected */
bool aig_is_expected(int literal);	     /* is it true when all inputs are as expected? */
int aig_and(struct aig *g, int a, int b);
int aig_xor(struct aig *g, int a, int b);
int aig_xor3(struct aig *g, int a, int b, int c);
int aig_mux(struct aig *g, int c, int a, int b); /* c ? a : b */
int aig_majority(struct aig *g, int a, int b, int c);
/* All of them hold; literals is used up. */
int aig_all(struct aig *g, int *literals, size_t n);

static inline int aig_or(struct aig *g, int a, int b)
{
	return -aig_and(g, -a, -b);
}

/* At least one of them holds. */
void aig_clause(struct aig *g, const int *literals, size_t n);

#endif
