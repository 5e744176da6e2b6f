/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/aig.h"

#include <glib.h>
#include <stdint.h>
#include <stdlib.h>

enum gate_kind { NO_AIG_NODE, AND_GATE, XOR_GATE, XOR3_GATE, MUX_GATE, MAJORITY_GATE };

struct gate {
	int kind, a, b, c, out;
};

struct aig {
	CCaDiCaL *solver;
	int variables;
	struct gate *table;  /* open addressing */
	uint32_t size, used; /* size: a power of two */
};

enum { FIRST_SIZE = 4096 };

struct aig *aig_new(void)
{
	struct aig *g = g_new0(struct aig, 1);
	const int truth = AIG_TRUE;

	g->solver = ccadical_init();
	ccadical_set_option(g->solver, "quiet", 1);
	ccadical_set_option(g->solver, "forcephase", 1);
	/* the phases are known; to try all true and all false first took a third of solving */
	ccadical_set_option(g->solver, "lucky", 0);
	g->size = FIRST_SIZE;
	g->table = g_new0(struct gate, g->size);
	g->variables = 1;
	aig_clause(g, &truth, 1);
	return g;
}

void aig_free(struct aig *g)
{
	if (!g)
		return;
	ccadical_release(g->solver);
	g_free(g->table);
	g_free(g);
}

CCaDiCaL *aig_solver(const struct aig *g)
{
	return g->solver;
}

int aig_variables(const struct aig *g)
{
	return g->variables;
}

int aig_input(struct aig *g, bool expected)
{
	g->variables++;
	return expected ? g->variables : -g->variables;
}

bool aig_is_expected(int literal)
{
	return literal > 0;
}

void aig_clause(struct aig *g, const int *literals, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ccadical_add(g->solver, literals[i]);
	ccadical_add(g->solver, 0);
}

#define CLAUSE(g, ...) \
	aig_clause(g, (const int[]){ __VA_ARGS__ }, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int))

static uint32_t gate_hash_of(const struct gate *k)
{
	uint64_t h = (uint64_t)k->kind * 0x9e3779b97f4a7c15u;

	h = (h ^ (uint32_t)k->a) * 0xff51afd7ed558ccdu;
	h = (h ^ (h >> 32) ^ (uint32_t)k->b) * 0xc4ceb9fe1a85ec53u;
	h = (h ^ (h >> 32) ^ (uint32_t)k->c) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(h >> 32);
}

/* The slot where the gate stands, or where it would stand. */
static struct gate *place_of_gate(const struct aig *g, const struct gate *k)
{
	uint32_t at = gate_hash_of(k) & (g->size - 1);

	for (;; at = (at + 1) & (g->size - 1)) {
		struct gate *t = &g->table[at];

		if (t->kind == NO_AIG_NODE ||
		    (t->kind == k->kind && t->a == k->a && t->b == k->b && t->c == k->c))
			return t;
	}
}

static void grow_gates(struct aig *g)
{
	struct gate *old = g->table;
	uint32_t size = g->size;

	g->size *= 2;
	g->table = g_new0(struct gate, g->size);
	for (uint32_t i = 0; i < size; i++)
		if (old[i].kind != NO_AIG_NODE)
			*place_of_gate(g, &old[i]) = old[i];
	g_free(old);
}

/* The gate's output, as it is expected to be.  *fresh: its clauses are still to be given. */
static int gate_output_of(struct aig *g, enum gate_kind kind, int a, int b, int c, bool expected,
			  bool *fresh)
{
	struct gate key = { kind, a, b, c, 0 }, *t;

	if (2 * g->used >= g->size)
		grow_gates(g);
	t = place_of_gate(g, &key);
	*fresh = t->kind == NO_AIG_NODE;
	if (*fresh) {
		key.out = aig_input(g, expected);
		*t = key;
		g->used++;
	}
	return t->out;
}

static void order_literals(int *a, int *b)
{
	int t = *a;

	if (*a <= *b)
		return;
	*a = *b;
	*b = t;
}

int aig_and(struct aig *g, int a, int b)
{
	bool fresh;
	int o;

	order_literals(&a, &b);
	if (a == AIG_FALSE || b == AIG_FALSE || a == -b)
		return AIG_FALSE;
	if (a == AIG_TRUE || a == b)
		return b;
	if (b == AIG_TRUE)
		return a;
	o = gate_output_of(g, AND_GATE, a, b, 0, aig_is_expected(a) && aig_is_expected(b), &fresh);
	if (fresh) {
		CLAUSE(g, -o, a);
		CLAUSE(g, -o, b);
		CLAUSE(g, o, -a, -b);
	}
	return o;
}

int aig_xor(struct aig *g, int a, int b)
{
	bool flip = (a < 0) != (b < 0), fresh;
	int o;

	a = abs(a);
	b = abs(b);
	order_literals(&a, &b);
	if (a == b)
		return flip ? AIG_TRUE : AIG_FALSE;
	if (a == AIG_TRUE)
		return flip ? b : -b;
	o = gate_output_of(g, XOR_GATE, a, b, 0, false, &fresh);
	if (fresh) {
		CLAUSE(g, -o, a, b);
		CLAUSE(g, -o, -a, -b);
		CLAUSE(g, o, -a, b);
		CLAUSE(g, o, a, -b);
	}
	return flip ? -o : o;
}

int aig_xor3(struct aig *g, int a, int b, int c)
{
	int sign = ((a < 0) != (b < 0)) != (c < 0) ? -1 : 1;
	bool fresh;
	int o;

	a = abs(a);
	b = abs(b);
	c = abs(c);
	order_literals(&a, &b);
	order_literals(&b, &c);
	order_literals(&a, &b);
	if (a == b || a == AIG_TRUE)
		return sign * (a == b ? c : -aig_xor(g, b, c));
	if (b == c)
		return sign * a;
	o = gate_output_of(g, XOR3_GATE, a, b, c, true, &fresh);
	for (int i = 0; fresh && i < 8; i++) {
		int x = i & 1 ? a : -a, y = i & 2 ? b : -b, z = i & 4 ? c : -c;
		bool odd = (i & 1) ^ (i >> 1 & 1) ^ (i >> 2 & 1);

		CLAUSE(g, -x, -y, -z, odd ? o : -o);
	}
	return sign * o;
}

/* A mux that is something simpler: its output, or 0. */
static int simple_mux(struct aig *g, int c, int a, int b)
{
	if (c == AIG_TRUE || a == b)
		return a;
	if (c == AIG_FALSE)
		return b;
	if (a == -b)
		return -aig_xor(g, c, a);
	if (a == AIG_TRUE || a == c)
		return aig_or(g, c, b);
	if (a == AIG_FALSE || a == -c)
		return aig_and(g, -c, b);
	if (b == AIG_TRUE || b == -c)
		return aig_or(g, -c, a);
	if (b == AIG_FALSE || b == c)
		return aig_and(g, c, a);
	return 0;
}

int aig_mux(struct aig *g, int c, int a, int b)
{
	int o = simple_mux(g, c, a, b), t = a;
	bool flip, fresh;

	if (o)
		return o;
	if (c < 0) {
		c = -c;
		a = b;
		b = t;
	}
	flip = a < 0;
	if (flip) {
		a = -a;
		b = -b;
	}
	o = gate_output_of(g, MUX_GATE, c, a, b,
			   aig_is_expected(c) ? aig_is_expected(a) : aig_is_expected(b), &fresh);
	if (fresh) {
		CLAUSE(g, -c, -a, o);
		CLAUSE(g, -c, a, -o);
		CLAUSE(g, c, -b, o);
		CLAUSE(g, c, b, -o);
		CLAUSE(g, -a, -b, o); /* follow, but spare the solver a decision */
		CLAUSE(g, a, b, -o);
	}
	return flip ? -o : o;
}

int aig_majority(struct aig *g, int a, int b, int c)
{
	bool fresh;
	int o;

	order_literals(&a, &b);
	order_literals(&b, &c);
	order_literals(&a, &b);
	if (a == b || b == c)
		return b;
	if (a == -b)
		return c;
	if (b == -c)
		return a;
	if (a == -c)
		return b;
	for (int i = 0, in[3] = { a, b, c }; i < 3; i++) {
		int x = in[(i + 1) % 3], y = in[(i + 2) % 3];

		if (in[i] == AIG_TRUE)
			return aig_or(g, x, y);
		if (in[i] == AIG_FALSE)
			return aig_and(g, x, y);
	}
	o = gate_output_of(g, MAJORITY_GATE, a, b, c,
			   aig_is_expected(a) + aig_is_expected(b) + aig_is_expected(c) >= 2,
			   &fresh);
	if (fresh) {
		CLAUSE(g, -a, -b, o);
		CLAUSE(g, -a, -c, o);
		CLAUSE(g, -b, -c, o);
		CLAUSE(g, a, b, -o);
		CLAUSE(g, a, c, -o);
		CLAUSE(g, b, c, -o);
	}
	return o;
}

int aig_all(struct aig *g, int *literals, size_t n)
{
	size_t kept = 0;
	bool expected = true;
	int o;

	for (size_t i = 0; i < n; i++) {
		expected &= aig_is_expected(literals[i]);
		if (literals[i] == AIG_FALSE)
			return AIG_FALSE;
		if (literals[i] != AIG_TRUE)
			literals[kept++] = literals[i];
	}
	if (kept == 0)
		return AIG_TRUE;
	if (kept <= 2)
		return aig_and(g, literals[0], literals[kept - 1]);
	o = aig_input(g, expected);
	for (size_t i = 0; i < kept; i++) {
		CLAUSE(g, -o, literals[i]);
		literals[i] = -literals[i];
	}
	for (size_t i = 0; i < kept; i++)
		ccadical_add(g->solver, literals[i]);
	CLAUSE(g, o);
	return o;
}
