/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/late-circuits.h"

#include "solver/smt/term/term.h"

#include <string.h>

/* Wider words are products of significands, all bits of which matter to the result that floating
 * point rounds. */
enum { MOST_WIDTH = 64 };

/* out = x kind y */
struct late_circuit {
	uint32_t term;
	enum ir_kind kind;
	unsigned n;
	int x[MOST_WIDTH], y[MOST_WIDTH], out[MOST_WIDTH];
};

struct late_circuits {
	struct aig *aig;
	GArray *waiting; /* struct late_circuit */
};

struct late_circuits *late_circuits_new(struct aig *g)
{
	struct late_circuits *l = g_new0(struct late_circuits, 1);

	l->aig = g;
	l->waiting = g_array_new(FALSE, FALSE, sizeof(struct late_circuit));
	return l;
}

void late_circuits_free(struct late_circuits *l)
{
	if (!l)
		return;
	g_array_unref(l->waiting);
	g_free(l);
}

static bool is_constant_word(const int *word, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (word[i] != AIG_TRUE && word[i] != AIG_FALSE)
			return false;
	return true;
}

static bool is_dear(enum ir_kind kind, const int *x, const int *y, unsigned n)
{
	if (n > MOST_WIDTH)
		return false;
	switch ((unsigned)kind) {
	case IR_MUL:
		return !is_constant_word(x, n) && !is_constant_word(y, n);
	case IR_UDIV:
	case IR_UREM:
	case IR_SDIV:
	case IR_SREM:
		return !is_constant_word(x, n) || !is_constant_word(y, n);
	default:
		return false;
	}
}

/* What the operator gives where the operands are as these say. */
static term_bits result_of(enum ir_kind kind, unsigned n, term_bits x, term_bits y)
{
	return term_apply(kind, n, x, n, y, n, 0, 0);
}

static term_bits expected_word(const int *word, unsigned n)
{
	term_bits value = 0;

	for (unsigned i = 0; i < n; i++)
		value |= (term_bits)aig_is_expected(word[i]) << i;
	return value;
}

bool late_circuits_take(struct late_circuits *l, uint32_t term, enum ir_kind kind, const int *x,
			const int *y, unsigned n, int *out)
{
	struct late_circuit c = { .term = term, .kind = kind, .n = n };
	term_bits expected;

	if (!is_dear(kind, x, y, n))
		return false;
	expected = result_of(kind, n, expected_word(x, n), expected_word(y, n));
	for (unsigned i = 0; i < n; i++)
		out[i] = aig_input(l->aig, expected >> i & 1);
	memcpy(c.x, x, n * sizeof *x);
	memcpy(c.y, y, n * sizeof *y);
	memcpy(c.out, out, n * sizeof *out);
	g_array_append_val(l->waiting, c);
	return true;
}

static term_bits word_in_model(const struct late_circuits *l, const int *word, unsigned n)
{
	CCaDiCaL *solver = aig_solver(l->aig);
	term_bits value = 0;

	for (unsigned i = 0; i < n; i++)
		value |= (term_bits)(ccadical_val(solver, word[i]) > 0) << i;
	return value;
}

static bool is_wrong_in_model(const struct late_circuits *l, const struct late_circuit *c)
{
	return word_in_model(l, c->out, c->n) !=
	       result_of(c->kind, c->n, word_in_model(l, c->x, c->n), word_in_model(l, c->y, c->n));
}

static void make_late_circuit(struct late_circuits *l, const struct late_circuit *c)
{
	int made[CIRCUIT_MAX_WIDTH];

	circuit_operator(l->aig, c->kind, c->x, c->y, c->n, made);
	for (unsigned i = 0; i < c->n; i++) {
		aig_clause(l->aig, (const int[]){ -made[i], c->out[i] }, 2);
		aig_clause(l->aig, (const int[]){ made[i], -c->out[i] }, 2);
	}
}

bool late_circuits_are_waiting(const struct late_circuits *l)
{
	return l->waiting->len > 0;
}

bool late_circuits_make_wrong(struct late_circuits *l, GHashTable *terms)
{
	g_autoptr(GArray) wrong = g_array_new(FALSE, FALSE, sizeof(struct late_circuit));

	for (guint i = l->waiting->len; i-- > 0;) {
		struct late_circuit c = g_array_index(l->waiting, struct late_circuit, i);

		if ((terms && !g_hash_table_contains(terms, GUINT_TO_POINTER(c.term))) ||
		    !is_wrong_in_model(l, &c))
			continue;
		g_array_append_val(wrong, c);
		g_array_remove_index(l->waiting, i);
	}
	for (guint i = 0; i < wrong->len; i++)
		make_late_circuit(l, &g_array_index(wrong, struct late_circuit, i));
	return wrong->len > 0;
}
