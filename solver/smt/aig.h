/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Circuits of gates as clauses for a SAT solver (CaDiCaL), by Tseitin's
 * encoding.  A gate's output is a literal: a number other than 0, negative =
 * inverted.  Equal gates are made once, and a gate with constant or equal
 * inputs costs nothing:
 *
 *   gate_and(g, x, GATE_TRUE) == x      gate_xor(g, x, -x) == GATE_TRUE
 *
 * Each variable's sign is chosen so that it is true when all inputs are as
 * expected; the solver tries true first, so it starts there and strays no
 * further than it has to.
 */
#ifndef SOLVER_SMT_AIG_H
#define SOLVER_SMT_AIG_H

#include <ccadical.h>
#include <stdbool.h>
#include <stddef.h>

enum { GATE_TRUE = 1, GATE_FALSE = -1 };

struct gates;

struct gates *gates_new(void);
void gates_free(struct gates *g);
/* The solver that the clauses went to, owned by g. */
CCaDiCaL *gates_solver(const struct gates *g);
/* Variables are 1 … this number. */
int gates_variables(const struct gates *g);

int gate_input(struct gates *g, bool expected); /* a new variable; true when expected */
int gate_and(struct gates *g, int a, int b);
int gate_xor(struct gates *g, int a, int b);
int gate_xor3(struct gates *g, int a, int b, int c);
int gate_mux(struct gates *g, int c, int a, int b); /* c ? a : b */
int gate_majority(struct gates *g, int a, int b, int c);
/* All of them; literals is used up. */
int gate_all(struct gates *g, int *literals, size_t n);

static inline int gate_or(struct gates *g, int a, int b)
{
	return -gate_and(g, -a, -b);
}

/* At least one of them holds. */
void gates_clause(struct gates *g, const int *literals, size_t n);

#endif
